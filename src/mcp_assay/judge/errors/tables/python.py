"""Exceptions of Python and its libraries, with and without their class names."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAINT,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    frames,
    misreading,
    table,
)

PYTHON: Final = table(
    "python",
    frames(
        FAIR,
        """
        Traceback (most recent call last) | During handling of the above exception
        """,
    ),
    failure(
        CERTAIN,
        """
        AttributeError | NameError | UnboundLocalError | IndexError | ZeroDivisionError
        RecursionError | AssertionError | ImportError | ModuleNotFoundError | UnicodeEncodeError
        MemoryError | SystemError | StopIteration | StopAsyncIteration | IndentationError
        TabError | BufferError | PicklingError | FloatingPointError | object has no attribute
        has no attribute | object is not subscriptable | object is not callable
        object is not iterable | object is not an iterator | object is not a mapping
        object does not support item assignment | is not subscriptable | object does not support
        does not support the asynchronous context manager | does not support the context manager
        object cannot be interpreted as an integer | object can't be awaited
        can't be used in 'await' expression | was never awaited | list index out of range
        tuple index out of range | string index out of range | pop from empty list
        pop from an empty | popitem(): dictionary is empty | indices must be integers
        indices must be integers or slices | unsupported operand type
        unsupported operand type(s) for | bad operand type | not supported between instances of
        can only concatenate | must be str, not | must be real number, not
        can't multiply sequence | not all arguments converted
        not enough arguments for format string | not enough values to unpack
        too many values to unpack | cannot unpack non-iterable | required positional argument
        required positional arguments | positional argument | positional arguments but
        got an unexpected keyword argument | got multiple values for | unexpected keyword argument
        takes no arguments | required keyword-only argument | referenced before assignment
        cannot access local variable | not associated with a value | cannot access free variable
        float division by zero | integer division or modulo by zero | modulo by zero
        maximum recursion depth exceeded | dictionary changed size during iteration
        set changed size during iteration | generator already executing | generator raised
        No module named | cannot import name | partially initialized module | DLL load failed
        decimal.DivisionByZero | unexpected mimetype | codec can't encode | codec can't decode
        can't encode character | surrogates not allowed | unhashable type
        is not JSON serializable | not JSON serializable
        Object of type … is not JSON serializable | not serializable | cannot pickle
        can't pickle | keys changed during iteration | can't subtract offset-naive
        can't compare offset-naive | I/O operation on closed file | read of closed file
        Event loop is closed | no running event loop | attached to a different loop
        This event loop is already running | asyncio.run() cannot be called
        coroutine was expected | has no len() | NoneType
        expected str, bytes or os.PathLike object | expected string or bytes-like object
        a bytes-like object is required | object of type … has no len | circular import
        Circular reference detected | PydanticSerializationError
        Unable to serialize unknown type | is not fully defined | PydanticUserError
        cannot be converted to | numpy.float | ndim | shapes … not aligned | shape mismatch
        could not be broadcast | operands could not be broadcast | bad marshal data
        expected str instance | instance, int found | arg is an empty sequence
        from an empty sequence | of an empty sequence | iterable argument is empty
        substring not found | subsection not found | x not in list | x not in tuple
        x not in deque | list.remove(x) | too large to convert to | arg not in range
        but string of length | () arg | () argument | slice step cannot be zero
        index-sized integer | cannot convert float | infinity to integer | NaN to integer
        math domain error | math range error | expected a nonnegative input
        expected a positive input | not defined for negative values
        numerical result out of range | numerical argument out of domain | to a negative power
        negative shift count | doesn't define __ | dictionary update sequence
        a real number is required, not | replacement index | encountered in format string
        automatic field numbering | manual field specification | unsupported format character
        unsupported format string | format requires a mapping | must be a type, a tuple of types
        attempted relative import | beyond top-level package | instantiate abstract class
        super(): no arguments | without an encoding | can't concat
        cannot assign to function call | maybe you meant '==' | object has no setter
        has no deleter | ran out of input | pickle data was truncated | unpickling stack underflow
        invalid load key | unsupported pickle protocol | dataclass instances
        cannot assign to field | of empty iterable | larger than population
        larger sample than population | empty range for randrange | empty range in randrange
        requires at least one data point | requires at least two data points | mode for empty data
        median for empty data | argument for islice | invalid placeholder in string
        mutated during iteration | must derive from BaseException | invalid keyword argument for
        create/read/write/append mode | doesn't take an encoding argument
        doesn't take an errors argument | negative seek position | negative seek value
        initial_value must be | str expected, not | expected str, got | expected bytes, got
        mix absolute and relative paths | signal handler must be | bytes-like object
        bytes or bytearray | weak reference to | is not a callable object
        package metadata was found | negative argument not allowed | run connect() first
        object is not reversible | metaclass conflict | consistent method resolution order
        object layout differs | non-default argument | mutable default <class | is not a generator
        just-started generator | format requires a mapping object | after ** must be
        after * must be an iterable | keywords must be strings | __init__() should return None
        returned non-string | json object must be str | not json compliant | keys must be str, int
        decimal.DivisionUndefined | decimal.DivisionImpossible | decimal.Overflow
        DivisionUndefined | rational instances | int() base must be
        valid values for rounding are | Fraction(1, 0) | Fraction(0, 0) | requires mode 'r'
        requires mode 'w' | archive that was already closed | iterator should return strings
        not in fieldnames | 1-character string | no escapechar set | requires a buffer of
        format requires … <= number | required argument is not | items for packing
        in struct format | must be a bytes object | string pattern on | bytes pattern on
        for platform time_t | unsupported type for timedelta | can't compare datetime.datetime
        bad directive in format | stray % in format | must be a timedelta | sleep length must be
        illegal time tuple | or int arguments must be given | 16-char string | tz-naive | tz-aware
        offset-naive | offset-aware | must be encoded before hashing | permitted as an ipv4
        new prefix must be longer | result is not set | exception is not set
        tasks/futures is empty | awaitable is required | 'async for' requires
        'async with' requires | task_done() called | already awaited coroutine
        coroutines is forbidden | semaphore initial value | separator is not found
        separator is found | no current event loop | max_workers must be | schedule new futures
        cannot join thread before | cannot join current thread | release unlocked lock
        un-acquired lock | threads can only be started once | <ContextVar | cancel scope
        task was destroyed | only works in main thread | different event loop
        event loop other than | ignored GeneratorExit | generator is already running
        belongs to a different loop | used inside a task | a running event loop
        sig must be an int | process pool was terminated | not from a coroutine
        unknown async library | lock is not acquired. | while another coroutine
        anyio worker thread | outside of application context | outside of request context
        outside of a request | before initialization was complete | generator didn't yield
        generator didn't stop | exception to reraise | tried to convert to int*
        expected 2d array | got 1d array | inconsistent numbers of samples | is not fitted yet
        features as input | cannot convert the series | cannot convert non-finite
        1-d array, or series | cannot reindex | same length as key | equal len keys
        not 1-dimensional | can't adapt type | subscripted generics | indented block
        outer indentation level | 'return' outside function | built-in operation
        without exception set | with an exception set | accepts python datetime
        exceeds 64-bit range | dict key must be str | expected str or httpx.url, got
        post data should be bytes | argument must be str | argument must be bytes
        argument must be none | argument must be a sequence | argument must be string
        argument must be byte* | byte must be in | bytes must be in | <class '
        number of processes must be | arguments must be str | must be str or | must be bytes or
        must be a str | must be a tuple | must be a dict | must be a list of str | tzinfo
        inet_aton | inet_pton | no such process
        """,
    ),
    failure(
        STRONG,
        """
        TypeError | OverflowError | UnicodeDecodeError | UnicodeError | is not in list
        is not in deque | can't set attribute | can't delete attribute
        unsupported protocol 'none | de undefined | from undefined | of none | unknown dialect
        """,
    ),
    failure(FAIR, "RuntimeError | ArithmeticError | EOFError"),
    failure(FAINT, "ValueError | LookupError | Exception | BadZipFile | ReadError"),
    misreading(
        CERTAIN,
        """
        fromhex() arg | complex() arg is a malformed string | non-hexadecimal number found
        odd-length string | integer string conversion | no closing quotation | invalid \\escape
        invalid \\uXXXX escape | invalid block type | invalid stored block lengths
        overlapped entries | field larger than field limit | min repeat greater than max repeat
        unterminated name at position | unterminated name | look-behind requires
        unknown extension ? | unknown group name | redefinition of group name
        global flags not at the start | invalid group reference | refer to an open group
        missing group name | unterminated comment | incomplete escape | minute must be in
        second must be in | microsecond must be in | date value out of range | invalid week:
        invalid weekday: | time zone found with key | bad month number | unknown string format
        does not contain a date | not appear to be an ipv4 | has host bits set
        digits permitted in | expected 4 octets | leading zeros are not permitted
        octet not permitted | one '::' permitted | at most 8 colons | at least 3 parts in
        source code string
        """,
    ),
    misreading(
        STRONG,
        """
        invalid literal for int() | invalid literal for | could not convert string to float
        Invalid isoformat string | does not match format | Unterminated string starting
        InvalidOperation | malformed node or string | unknown url type | No scheme supplied
        Invalid URL | missing ), unterminated subpattern | bad escape | month must be in
        day is out of range for month | hour must be in | Unknown format code | Invalid base64
        Incorrect padding | Non-hexadecimal digit | badly formed hexadecimal UUID
        could not be opened successfully | invalid literal for fraction | decimal.InvalidOperation
        year … is out of range | argument out of range | unbalanced parenthesis | multiple repeat
        unknown encoding | unsupported hash type | should contain only ascii
        label empty or too long | in the subpath of | could not convert string
        invalid format specifier | not an lzma file | duplicate column name:
        """,
    ),
    conversion(
        CERTAIN,
        """
        number of data characters | only base64 data is allowed | embedded null character
        no escaped character | undefined character name | expecting ':' delimiter
        unexpected utf-8 bom | column … (char | no item named … in the archive
        while decompressing data | incorrect header check | incorrect data check
        end-of-stream marker | not supported by decoder | corrupt input data
        truncated file header | new-line character seen in unquoted field | line contains nul
        could not determine delimiter | bad character in group name | bad character range
        bad inline flags | cannot contain null bytes
        """,
    ),
    conversion(
        STRONG,
        """
        unconverted data remains | JSONDecodeError | Expecting value | Expecting property name
        Expecting ',' delimiter | Extra data: line | Invalid control character | SyntaxError
        invalid syntax | ConversionSyntax | embedded null byte | unterminated character set
        invalid start byte | unexpected end of data | Invalid control character at
        Not a gzipped file | File is not a zip file | not well-formed (invalid token)
        no element found | bad magic number | bad crc | invalid header | truncated header
        decimal.ConversionSyntax | codec failed | not a gzip file | not a bzip2 file
        invalid data stream
        """,
    ),
    environment(CERTAIN, "bytes read on a total of | can't start new thread | service restart"),
    business(
        CERTAIN,
        """
        is not in list of | not in the list | bad password for file | bad password
        """,
    ),
    business(
        STRONG,
        """
        are the same file | into itself | unknown archive format | keys must refer to
        keys must be normalized
        """,
    ),
)

PYTHON_LIBRARIES: Final = table(
    "python libraries",
    failure(
        CERTAIN,
        """
        cannot represent an object | not found in search path | loader for this environment
        out of bounds for axis | out of bounds for array | are valid indices | cannot reshape
        core dimension | array dimensions | need at least one array
        array element with a sequence | inhomogeneous shape | array of size 1
        truth value of an array | truth value of a series | truth value of a dataframe
        negative dimensions | for an array with shape | zero-size array | arrays must have same
        arrays must have the same | select an axis | pickled (object) data | allow_pickle
        data type … not understood | unless no samples are taken | probabilities do not sum
        boolean index did not match | expected non-empty vector | sample points is empty
        out of bounds for int* | out of bounds for uint* | multiple of element size
        due to unmatched data | ] is not finite | indices for array | array split does not
        einstein sum | invalid integer data type | percentiles must be in the range
        number of samples, … must be non-negative | result in an equal division | ] not in index
        not found in axis | positional indexer | are in the columns | are in the [columns]
        are in the [index] | common columns to perform merge
        no common columns to perform merge on. merge options: left | trying to merge on
        labels are not columns | index contains duplicate | perform reduction
        must be of the same length | columns passed, passed data | constructor not properly called
        using all scalar values | length of index | no objects to concatenate
        cannot concatenate object | usecols do not match | to 'parse_dates' | usable engine
        unable to find a usable engine | .dt accessor | .str accessor | cannot insert level
        DatetimeIndex | RangeIndex | start, end, periods, and freq | increase monotonically
        bin edges must be unique | not present in the dataframe | label(s) … do not exist
        is not a valid function for | can only be specified when func | by location index with
        no suffix specified | expected axis has | mutable operations | keys must be sorted
        interpolate with method | side of interval | string dtype | has dtype | dtype( | dtype=
        object dtype | window must be an integer 0 or greater | columns expected but not found
        """,
    ),
    failure(FAIR, "DataFrame"),
    conversion(
        CERTAIN,
        """
        (at end of document) | (at line … column | mismatched tag | undefined entity
        junk after document | duplicate attribute: line | unbound prefix | document is empty, line
        end of data in tag | ending tag mismatch | undefined namespace prefix
        unregistered function | start tag expected | with encoding declaration | invalid tag name
        must be xml compatible | mapping values are not allowed | while parsing a flow
        while parsing a block | while scanning a | while scanning for the next token
        cannot start any token | constructor for the tag | found undefined alias
        <document start> | <block end> | special characters are not allowed | in "<unicode string>
        in "<byte string> | no filter named | no test named | encountered unknown tag
        unexpected end of template | expected token ' | expected an expression, got
        jinja was looking | ' is undefined | object' has no attribute | error tokenizing data
        inside string starting at row | no columns to parse | expected object or value
        excel file format cannot be determined | unknown datetime string format
        unable to parse string | likely a datetime | w/o a number | doesn't match format
        match format
        """,
    ),
    conversion(
        STRONG,
        """
        invalid expression | singular matrix | not positive definite | of the array must be square
        in datetime string | orient … not understood
        """,
    ),
    conversion(FAIR, "line … column"),
    environment(
        CERTAIN,
        """
        contains no section headers | contains parsing errors | in section … already exists
        ]: section … already exists | bad value substitution | interpolation key
        """,
    ),
    environment(STRONG, "no section: | no option … in section"),
)

PYTHON_WORDING: Final = PYTHON + PYTHON_LIBRARIES
