"""Exceptions of other programming languages, as their runtimes word them."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    DECISIVE,
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

JAVASCRIPT: Final = table(
    "javascript",
    failure(
        CERTAIN,
        """
        ReferenceError | is not a function | is not iterable | is not a constructor
        is not an object | null is not an object | Cannot read properties of
        Cannot read property | Cannot set properties of | Cannot set property | of undefined
        of null | are undefined | before initialization | Maximum call stack size exceeded
        Converting circular structure to JSON | serialize a BigInt | Cannot mix BigInt
        Cannot convert a BigInt | Cannot convert undefined or null | Cannot convert undefined
        Cannot destructure property | Cannot destructure | Assignment to constant variable
        Invalid array length | Invalid time value | Invalid string length | Cannot find module
        Cannot find package | ERR_MODULE_NOT_FOUND | MODULE_NOT_FOUND | ERR_REQUIRE_ESM
        ERR_INVALID_ARG_TYPE | ERR_INVALID_ARG_VALUE | ERR_OUT_OF_RANGE | ERR_HTTP_HEADERS_SENT
        ERR_STREAM_WRITE_AFTER_END | Require stack | UnhandledPromiseRejection
        unhandled promise rejection | rejected with the reason | JavaScript heap out of memory
        Reduce of empty array | toFixed() digits | is not extensible
        Cannot assign to read only property | Cannot redefine property | Illegal invocation
        Class constructor | Cannot add property | Cannot delete property | write after end
        Unexpected identifier | Unexpected strict mode | await is only valid
        Cannot use import statement | does not provide an export named | Received undefined
        Received an instance of | [object Undefined] | can't resolve dependencies of
        cannot resolve dependencies of | could not resolve dependencies of | Nest could not find
        provider does not exist | no metadata for " … was found | no repository for … was found
        EntityMetadataNotFoundError | EntityPropertyNotFoundError | RepositoryNotFoundError
        make sure your query is correct | unknown value was passed to the validate
        AsyncValidatorInvokedSynchronouslyException | contains asynchronous rules
        cannot pass null model | null model
        """,
    ),
    failure(FAIR, "RangeError | EvalError | InternalError"),
    misreading(
        STRONG,
        """
        Invalid regular expression | Unterminated group | Nothing to repeat | Invalid group
        Unexpected string | URI malformed | Unexpected number | ERR_INVALID_URL
        Only absolute URLs are supported
        """,
    ),
    conversion(
        STRONG,
        """
        Unexpected token | is not valid JSON | Unexpected end of input
        Unexpected non-whitespace character after JSON | Expected property name or '}' in JSON
        Bad control character in string literal | Unterminated string in JSON
        in JSON at position | Unterminated character class | Unterminated template literal
        Unexpected end of | Failed to parse URL
        """,
    ),
    business(
        CERTAIN,
        """
        condition was not met | values which does not include | numeric value out of bounds
        """,
    ),
)

JVM: Final = table(
    "jvm",
    frames(FAIR, "Exception in thread | Caused by"),
    failure(
        CERTAIN,
        """
        NullPointerException | ClassCastException | ArrayIndexOutOfBoundsException
        StringIndexOutOfBoundsException | IndexOutOfBoundsException | NoSuchFieldError
        NoClassDefFoundError | ClassNotFoundException | AbstractMethodError
        IncompatibleClassChangeError | ExceptionInInitializerError | UnsatisfiedLinkError
        StackOverflowError | OutOfMemoryError | ConcurrentModificationException
        ArithmeticException | NegativeArraySizeException | ArrayStoreException
        LazyInitializationException | NoSuchBeanDefinitionException | BeanCreationException
        UnsatisfiedDependencyException | NoSuchElementException | NotSerializableException
        InvocationTargetException | IllegalMonitorStateException | UnsupportedOperationException
        VerifyError | LinkageError | Cannot invoke | because the return value of | because "this
        cannot be cast to class | cannot be cast to | out of bounds for length
        out of bounds for index | Java heap space | GC overhead limit exceeded | Metaspace
        / by zero | No value present | InvalidDefinitionException | No serializer found for class
        failed to lazily initialize | No qualifying bean of type | lateinit property
        has not been initialized | UninitializedPropertyAccessException
        KotlinNullPointerException | MatchError | None.get | next on empty iterator
        head of empty list | empty.head | NoSuchFileError | TransientObjectException
        could not initialize proxy | Comparison method violates | UnexpectedTypeException
        no validator could be found for constraint | ConstraintDeclarationException
        must not redefine | no converter found for | HttpMessageNotWritableException
        ambiguous handler methods | ambiguous mapping | a bean with that name
        bean … could not be | consider defining a bean | references a null or transient value
        unsaved transient instance | detached entity passed | could not resolve attribute
        could not resolve property | could not resolve root entity
        parameter with that name … did not exist | parameter not bound
        not return a unique result | NonUniqueResultException | unable to locate attribute
        QuerySyntaxException | PropertyValueException | HttpMessageConversionException
        could not write json | could not extract response | no suitable HttpMessageConverter
        """,
    ),
    failure(FAINT, "IllegalStateException | RuntimeException | ServletException"),
    misreading(
        STRONG,
        """
        NumberFormatException | For input string | MalformedURLException
        MismatchedInputException | No enum constant | Unrecognized field
        """,
    ),
    conversion(
        STRONG,
        """
        DateTimeParseException | could not be parsed | JsonParseException | JsonMappingException
        Unrecognized token | Cannot deserialize value | PatternSyntaxException
        MalformedJsonException | URISyntaxException | JsonDecodingException
        Unexpected JSON token | ParserError | ParseException
        """,
    ),
    environment(
        CERTAIN,
        """
        Communications link failure | HikariPool | Connection is not available
        SunCertPathBuilder
        """,
    ),
    business(STRONG, "DataIntegrityViolationException | ConstraintViolationException"),
    business(FAINT, "IllegalArgumentException | ResponseStatusException"),
)

GO: Final = table(
    "go",
    frames(FAIR, "goroutine | [running]: | runtime.gopanic"),
    failure(
        CERTAIN,
        """
        runtime error | nil pointer dereference | invalid memory address
        slice bounds out of range | index out of range [ | assignment to entry in nil map
        interface conversion | all goroutines are asleep | send on closed channel
        close of closed channel | close of nil channel | concurrent map | integer divide by zero
        negative WaitGroup counter | makeslice: len out of range | panic: | reflect: call of
        reflect.Value | unhashable | json: unsupported type | sql: expected | sql: Scan error
        missing destination name | template: | unexpected signal | hash of unhashable type | %!s
        %!d | %!v | http: superfluous | http: panic serving | invalid use of
        """,
    ),
    misreading(
        STRONG,
        """
        strconv.Atoi | missing protocol scheme | unsupported protocol scheme
        first path segment in URL | invalid duration | unknown time zone
        """,
    ),
    conversion(
        STRONG,
        """
        json: cannot unmarshal | cannot unmarshal | invalid character
        unexpected end of JSON input | strconv.Parse | parsing time | cannot parse
        error parsing regexp | unmarshal
        """,
    ),
    environment(CERTAIN, "x509: | tls: | dial unix | use of closed network connection"),
    environment(STRONG, "unexpected EOF | EOF | read tcp | write tcp | lookup | net/http:"),
    business(STRONG, "no rows in result set | record not found | file does not exist"),
)

RUST: Final = table(
    "rust",
    frames(FAIR, "stack backtrace: | RUST_BACKTRACE"),
    failure(
        CERTAIN,
        """
        panicked at | on a `None` value | on an `Err` value | Option::unwrap() | Result::unwrap()
        index out of bounds: the len is | with overflow | attempt to divide
        attempt to calculate the remainder | already borrowed | already mutably borrowed
        BorrowMutError | BorrowError | is not a char boundary | out of range for slice
        range end index | range start index | entered unreachable code | explicit panic
        PoisonError | poisoned lock | poisoned | has overflowed its stack | memory allocation of
        slice index starts at | capacity overflow | JoinError | receiver dropped | channel closed
        sending on a closed channel | no reactor running | within a runtime
        cannot recursively acquire | copy_from_slice | source slice length | ColumnNotFound
        ColumnDecode | mismatched types; Rust type | error returned from database
        assertion `left == right` failed | left == right | can only flatten | cannot be serialized
        can't be serialized | could not be serialized
        """,
    ),
    misreading(
        CERTAIN,
        """
        expected a tuple of size | invalid length … expected a tuple
        invalid length … expected struct
        """,
    ),
    misreading(
        STRONG,
        """
        invalid digit found in string | invalid float literal | invalid type:
        key must be a string | expected `,` or `}` | relative URL without a base | invalid value:
        number too large to fit | premature end of input | provided string was not
        duplicate field | trailing input | builder error
        """,
    ),
    conversion(
        CERTAIN,
        """
        did not match any variant of untagged enum | any variant of untagged enum
        recursion limit exceeded at line | cannot be deserialized | could not be deserialized
        failed to parse header value | failed to parse header
        """,
    ),
    conversion(
        STRONG,
        """
        cannot parse integer from empty string | ParseIntError | missing field | unknown variant
        expected value at line | trailing characters at line | EOF while parsing
        expected ident at line | input contains invalid characters | error decoding response body
        regex parse error | control character | unexpected char 0x* | trailing data
        """,
    ),
    business(
        DECISIVE,
        """
        failed to deserialize parameters | failed to deserialize the json body
        failed to deserialize query string | failed to deserialize form
        failed to parse the request body as json | failed to buffer the request body
        """,
    ),
    business(
        CERTAIN,
        """
        invalid params: missing | invalid params: invalid | invalid params: unknown
        invalid params: failed to | invalid parameters: missing
        """,
    ),
    business(STRONG, "RowNotFound | no rows returned by a query"),
)

DOTNET: Final = table(
    "dotnet",
    frames(FAIR, "End of inner exception stack trace | Unhandled exception. System"),
    failure(
        CERTAIN,
        """
        NullReferenceException | Object reference not set | InvalidCastException
        Unable to cast object of type | Specified cast is not valid | IndexOutOfRangeException
        Index was outside the bounds | Index was out of range | KeyNotFoundException
        was not present in the dictionary | NotImplementedException
        Sequence contains no elements | Sequence contains no matching element
        Sequence contains more than one | Collection was modified | StackOverflowException
        OutOfMemoryException | AccessViolationException | Could not load file or assembly
        Could not load type | MissingMethodException | MissingFieldException
        TypeInitializationException | type initializer for | TypeLoadException
        BadImageFormatException | DivideByZeroException | Attempted to divide by zero
        ObjectDisposedException | Cannot access a disposed | Nullable object must have a value
        Unable to resolve service for type | A second operation was started
        ArrayTypeMismatchException | Arithmetic operation resulted | No service for type
        cannot be translated | could not be translated | AmbiguousMatchException
        A possible object cycle was detected | ArgumentNullException | NullabilityInfo
        RuntimeBinderException | does not contain a definition | UnreachableException
        SwitchExpressionException | Serialization and deserialization of
        TargetInvocationException | has been thrown by the target | InvalidProgramException
        """,
    ),
    failure(FAIR, "InvalidOperationException | NotSupportedException | AggregateException"),
    failure(FAINT, "ArgumentException | ApplicationException"),
    misreading(
        STRONG,
        """
        FormatException | Input string was not in a correct format | not in a correct format
        was not recognized as a valid | Unrecognized Guid format | is an invalid start of
        UriFormatException | Invalid URI | Requested value | Guid should contain 32 digits
        OverflowException
        """,
    ),
    conversion(
        STRONG,
        """
        JSON value could not be converted | JsonException | JsonReaderException
        JsonSerializationException | RegexParseException | XmlException | Root element is missing
        """,
    ),
    environment(
        CERTAIN,
        """
        target machine actively refused | No such host is known | The operation has timed out
        SSL connection could not be established | did not properly respond | HttpClient.Timeout
        network-related or instance-specific | Execution Timeout Expired | forcibly closed
        An error occurred while sending the request | RetryLimitExceededException
        Name does not resolve
        """,
    ),
    business(STRONG, "Access to the path | UnauthorizedAccess"),
)

RUBY: Final = table(
    "ruby",
    failure(
        CERTAIN,
        """
        NoMethodError | undefined method | for nil:NilClass | for nil | NilClass
        undefined local variable or method | uninitialized constant | wrong number of arguments
        no implicit conversion | can't be coerced into | KeyError | divided by 0
        SystemStackError | stack level too deep | LoadError | cannot load such file | FrozenError
        can't modify frozen | FloatDomainError | LocalJumpError | ThreadError | FiberError
        missing keyword | unknown keyword | private method | index … outside of array
        superclass mismatch | ActionView::Template | StatementInvalid | can't dump
        Encoding::UndefinedConversionError | NotImplementedError
        ActiveModel::MissingAttributeError | UnknownAttributeError
        """,
    ),
    failure(FAINT, "StandardError | ArgumentError"),
    misreading(
        STRONG,
        """
        invalid value for Integer() | invalid value for Float() | invalid date | Date::Error
        invalid strptime format | URI::InvalidURIError | bad URI | RegexpError
        end pattern with unmatched parenthesis | no time information
        """,
    ),
    conversion(
        STRONG,
        """
        JSON::ParserError | unexpected token at | invalid byte sequence | Psych::SyntaxError
        unexpected character | premature end of char-class
        """,
    ),
    environment(
        CERTAIN,
        """
        ConnectionNotEstablished | ConnectionTimeoutError | Faraday::ConnectionFailed
        ReadTimeout | Faraday::TimeoutError | OpenTimeout | OpenSSL::SSL | execution expired
        CannotConnectError | Faraday::ServerError | Failed to open TCP connection
        NoDatabaseError | Net::
        """,
    ),
    business(
        STRONG,
        """
        Couldn't find | RecordNotFound | RecordInvalid | RecordNotUnique | RecordNotSaved
        """,
    ),
)

PHP: Final = table(
    "php",
    frames(FAIR, "Stack trace:"),
    failure(
        CERTAIN,
        """
        Call to a member function | Call to undefined function | Call to undefined method
        Call to private method | Call to protected method | Undefined variable | Undefined index
        Undefined array key | Undefined property | Undefined offset | Undefined constant
        Trying to access array offset | Trying to get property | Attempt to read property
        must be an instance of | Too few arguments | ArgumentCountError | Allowed memory size
        Class … not found | Target class | Unsupported operand types | DivisionByZeroError
        Cannot redeclare | Array to string conversion | headers already sent
        non-existent service | ServiceNotFoundException | Return value must be of type
        Cannot use object of type | Cannot unpack array | Cannot instantiate
        Cannot modify header | must be compatible with | BindingResolutionException
        Unresolvable dependency | Return type of | Object of class
        could not be converted to string | Failed opening required | Cannot declare class
        Interface … not found | Method … does not exist
        """,
    ),
    failure(STRONG, "Uncaught TypeError | Parse error"),
    failure(FAIR, "Uncaught | Warning: | Notice:"),
    business(STRONG, "ModelNotFoundException | No query results for model | DomainException"),
)

MORE_LANGUAGES: Final = table(
    "other languages",
    failure(
        CERTAIN,
        """
        FunctionClauseError | no function clause matching | no match of right hand side | badmatch
        badarg | badarith | UndefinedFunctionError | (EXIT) | Unexpectedly found nil
        Null check operator used on a null value | NoSuchMethodError | is not a subtype of type
        attempt to index a nil value | attempt to call a nil value | Can't locate object method
        Can't call method | Undefined subroutine | subscript out of bounds | object … not found
        non-numeric argument | bad argument # | resumed after completion
        there is no reactor running | no reactor running, must be called … for
        must be called from the context | from within a runtime | channel lagged
        of untagged enum | could not convert from `null` | is already being tracked
        cannot be tracked because | requires a primary key to be defined | model backing the
        non concurrent collections | cannot implicitly convert | constructors are ambiguous
        unable to activate type | cannot consume scoped service
        synchronous operations are disallowed | wrong element type | MissingTemplate
        MissingTranslationData | recursive locking | not resumed fiber | dead fiber called
        reflect: | gob: | sql: converting argument | error calling marshaljson | on closed body
        closed body | unlocked mutex | NoWhenBranchMatchedException | specified as non null
        serializer was not found | serializer for class | failed cursor | keyNotFound(
        DecodingError | typeMismatch( | valueNotFound( | expected to decode
        no value associated with key | could not cast value of type | unrecognized selector
        simultaneous accesses | isn't in the correct format | data couldn't be read
        CaseClauseError | WithClauseError | CondClauseError | no case clause matching
        no with clause matching | no cond clause | no clause matching | no try clause matching
        BadMapError | BadStructError | bad return value | Ecto.QueryError
        does not exist in schema | expected a map, got | name … is not defined | Deprecated:
        argument # … must be of type | () argument must be | typeerror: expected
        cannot resolve keyword | TemplateNotFound | attempted merging values
        same key has already been added | cyclic dependency between
        """,
    ),
    failure(FAIR, "fatal error"),
    environment(CERTAIN, "failed_connect"),
    business(STRONG, "value cannot be null"),
)

LANGUAGES: Final = JAVASCRIPT + JVM + GO + RUST + DOTNET + RUBY + PHP + MORE_LANGUAGES
