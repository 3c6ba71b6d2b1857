"""The machine that a server runs on: files, disks, programs, settings and keys of its own."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    DECISIVE,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
)

# What the caller names and is not there is the caller's affair; what the machine lacks is not.
FILES: Final = table(
    "files",
    environment(
        CERTAIN,
        """
        ENOSPC | EROFS | EMFILE | ENFILE | EIO | EDQUOT | ENOMEM | EBUSY | ETXTBSY | ENODEV
        ENXIO | no space left | not enough space | disk full | disk is full | out of disk space
        disk quota exceeded | low disk space | enough free space | insufficient disk space
        storage is full | disk usage exceeded | flood stage disk watermark | read only file system
        readonly file system | filesystem is read only | too many open files | input/output error
        i/o error on | disk i/o error | i/o error | cannot allocate memory
        resource temporarily unavailable | device or resource busy | device is busy
        device not ready | device is not ready | device not found | device not connected
        network path was not found | network name is no longer available
        rpc server is unavailable | used by another process | sharing violation
        stale file handle | transport endpoint | (os error 24) | (os error 28) | (os error 30)
        (os error 5) | (os error 11) | (os error 12) | (os error 111) | (os error 104)
        (os error 110) | (os error 113) | out of paper | paper jam | no paper | cuda out of memory
        no cuda | gpu is
        """,
    ),
    business(
        STRONG,
        """
        ENOENT | EEXIST | EACCES | EPERM | ENOTDIR | EISDIR | ENOTEMPTY | ENAMETOOLONG | EINVAL
        no such file or directory | no such file | no such directory | file exists
        is a directory | not a directory | directory not empty | file name too long
        file not found | cannot find the file specified | cannot find the path specified
        could not find file | could not find a part of the path | volume label syntax is incorrect
        FileNotFoundError | FileExistsError | IsADirectoryError | NotADirectoryError
        PermissionError | FileNotFoundException | DirectoryNotFoundException | NoSuchFileException
        UnauthorizedAccessException | (os error 2) | (os error 13) | (os error 17) | (os error 20)
        (os error 21) | (os error 39) | already exists in | not a file | is not a file
        """,
    ),
)

SYSTEM_ERRORS: Final = table(
    "system errors",
    failure(DECISIVE, "[errno 35] resource deadlock avoided"),
    failure(
        CERTAIN,
        """
        [errno 9] | [errno 10] | [errno 14] | [errno 25] | [errno 29] | [errno 33] | [errno 34]
        [errno 75] | [errno 84] | [errno 88] | [errno 89] | [errno 90] | [errno 92] | [errno 114]
        [errno 115] | bad file descriptor | inappropriate ioctl | socket operation on non-socket
        no child processes | defined data type | incomplete multibyte | connect(): af_
        connect(): port
        """,
    ),
    conversion(CERTAIN, "[errno 22] invalid argument"),
    environment(
        CERTAIN,
        """
        [errno 5] | [errno 6] | [errno 8] | [errno 11] | [errno 12] | [errno 16] | [errno 19]
        [errno 23] | [errno 24] | [errno 26] | [errno 28] | [errno 30] | [errno 32] | [errno 37]
        [errno 48] | [errno 51] | [errno 54] | [errno 60] | [errno 61] | [errno 65] | [errno 97]
        [errno 98] | [errno 99] | [errno 100] | [errno 101] | [errno 102] | [errno 103]
        [errno 104] | [errno 105] | [errno 107] | [errno 108] | [errno 110] | [errno 111]
        [errno 112] | [errno 113] | [errno 116] | [errno 121] | [errno 122] | [errno 123]
        [errno -2] | [errno -3] | [errno -5] | [errno 11001] | [errno 11002] | [errno 11004]
        [errno 10060] | [errno 10061] | [errno 10054] | no such device or address
        connection abort | assign requested address | no buffer space available | no buffer space
        dropped connection on reset | text file busy | exec format error
        address family not supported | no locks available | needed shared library
        communication error on send | no medium found | no address associated with hostname
        software caused connection | machine is not on the network | cannot send after transport
        denied: '/dev/ | directory: '/dev/ | directory: '/usr/bin/ | directory: '/usr/local/bin/
        directory: '/var/run/ | denied: '/var/run/ | directory: '/run/ | denied: '/run/
        [winerror 10013] | [winerror 10048] | [winerror 10049] | [winerror 10050]
        [winerror 10051] | [winerror 10052] | [winerror 10053] | [winerror 10054]
        [winerror 10055] | [winerror 10060] | [winerror 10061] | [winerror 10064]
        [winerror 10065] | [winerror 1225] | [winerror 1231] | [winerror 121] | [winerror 64]
        [winerror 53] | [winerror 67] | [winerror 59] | [winerror 32] | [winerror 33]
        [winerror 1455] | [winerror 1450] | [winerror 112] | [winerror 39] | [winerror 21]
        [winerror 126] | [winerror 127] | [winerror 193] | [winerror 740]
        semaphore timeout period | paging file is too small | refused the network connection
        requires elevation | specified module could not be found
        way forbidden by its access permissions | not a valid win32 application
        """,
    ),
    business(
        STRONG,
        """
        [errno 1] | [errno 2] | [errno 13] | [errno 17] | [errno 18] | [errno 20] | [errno 21]
        [errno 27] | [errno 36] | [errno 39] | [errno 40] | [winerror 2] | [winerror 3]
        [winerror 5] | [winerror 80] | [winerror 123] | [winerror 145] | [winerror 183]
        [winerror 206] | [winerror 267]
        """,
    ),
)

WINDOWS: Final = table(
    "windows",
    failure(
        CERTAIN,
        """
        0x80070057 | REGDB_E_CLASSNOTREG | underlying rcw | marshalled for a different thread
        RPC_E_WRONG_THREAD | 0xC0000005 | 0xc0000374 | faulting module | faulting application
        """,
    ),
    environment(
        CERTAIN,
        """
        service cannot be started | semaphore timeout | remote procedure call failed
        no more threads can be | .dll was not found | 0x800706BA | hostname could not be found
        """,
    ),
)

PROGRAMS: Final = table(
    "programs",
    failure(
        CERTAIN,
        """
        exit code 139 | exit status 139 | exit code 134 | exit status 134 | exit status -11
        exit code -11 | exit status -6 | used with capture_output | stdin and input arguments
        """,
    ),
    environment(
        CERTAIN,
        """
        spawn … ENOENT | command not found | executable not found | executable file not found
        ExecutableNotFound | executable doesn't exist | executable does not exist
        no such executable | binary not found | could not find binary | program not found
        program … not found | is not recognized as an internal or external command
        not installed on | must be installed | needs to be installed | make sure … installed
        make sure … are on | on your path | in your path | not on path | on the path variable
        in $path | systems' path | failed to launch | could not launch | failed to start the
        npx playwright install | distribution … is not found at | puppeteer browsers install
        unable to launch | browser process | missing dependency | missing system dependency
        dependency missing | dependency is missing | dependencies missing | dependencies are missing
        missing libraries | shared libraries | cannot open shared object
        please select a different | daemon running | docker daemon | is the docker
        is the server running | is it running | may not be running
        no display | cannot open display
        chrome not found | chromium not found | no such service | exit status 127 | exit code 127
        exit status 126 | exit code 126 | exit code 137 | exit status 137 | Signals.SIGKILL
        exit status -9 | runnable browser
        """,
    ),
)

SETTINGS: Final = table(
    "settings of the server",
    environment(
        CERTAIN,
        """
        environment variable | environment variables | env var | env variable | env file | dotenv
        not configured | isn't configured | not been configured | has not been set
        missing configuration | misconfigured | misconfiguration | configuration error
        configuration is missing | configuration missing | config error | config file
        configuration file | missing api key | api key is missing | no api key | api key missing
        api key required | apikey missing | no api token | api token not | access token not
        token not configured | credentials not configured | missing credentials | no credentials
        credentials not found | could not load the default credentials
        unable to locate credentials | credentials are not | could not find credentials
        failed to load credentials | default credentials | service account key | client secret
        encryption key | license file | for settings | MissingAppKeyException
        EnvNotFoundException | on this server | server is not configured | set the … variable
        set … in the environment | AADSTS | no pg_hba.conf entry
        """,
    ),
    environment(
        STRONG,
        """
        config | configuration | api key | not set | settings | setting | server's own
        the server's
        """,
    ),
)

CRASHES: Final = table(
    "machine crashes",
    failure(
        CERTAIN,
        """
        segmentation fault | segfault | core dumped | SIGSEGV | SIGABRT | SIGBUS | SIGILL | SIGFPE
        bus error | double free | stack smashing | heap corruption | std::bad_alloc
        terminate called | abort trap | illegal instruction | access violation | memory corruption
        out of memory | heap out of memory | stack overflow | assertion failed | assertion failure
        pure virtual | invalid pointer | null pointer | nil pointer | null reference
        use after free | fatal signal | unreachable code | should never happen | should not happen
        this is a bug | please report this | please report a bug | unimplemented
        undefined behavior | internal inconsistency | corrupted state | unexpected state
        unexpected null | unexpected nil | todo! | | invariant violated
        """,
    ),
    failure(
        STRONG,
        """
        not yet implemented | is not implemented | index out of range | index out of bounds
        division by zero
        """,
    ),
    failure(
        FAIR,
        """
        fatal | panic | crash | crashed | uncaught | unhandled | unhandled exception | bug
        not implemented
        """,
    ),
    environment(
        CERTAIN,
        """
        cannot connect to | can't connect to | can not connect to | is not installed on
        isn't installed on | please install it | please install the program
        is temporarily unavailable | temporarily unavailable | temporarily offline
        temporarily down | will be back at | be back at | closed for maintenance
        closed for end of day
        """,
    ),
    environment(
        FAIR,
        """
        is not set | must be set | are not set | not set in | is unavailable | are unavailable
        unavailable | outage | invalid configuration | license key | secret not found
        invalid certificate | api key not | api key is not | missing secret
        """,
    ),
)

SURROUNDINGS: Final = table(
    "plain surroundings",
    environment(
        CERTAIN,
        """
        not answering | isn't answering | is not answering | can't talk to | cannot talk to
        could not talk to | can't get through | cannot get through | is having problems
        having problems | having issues | having trouble | experiencing issues
        experiencing problems | experiencing difficulties | technical difficulties
        technical problems | took too long | taking too long | takes too long | hung up
        refusing our | rejected our credentials | rejected our key | refused our | our key
        our api key | our api subscription | our subscription with | our account with
        our credentials | our licence | our license | this server's licence | licence server
        license server | is being restored | being rebuilt | being reindexed | being restarted
        being upgraded | being migrated | during backup | workers are busy | no workers available
        no workers | no worker available | no worker … available | workers busy | unplugged
        has no signal | no signal | emergency stop is | battery is flat | battery is empty
        battery is dead | battery is too low | dead battery | cover is open | out of toner
        out of ink | low on toner | host is out of memory | server is out of memory
        node is out of memory | low on memory | enough memory | volume is full | partition is full
        drive is full | queue is full | has no api key | no api key for | no api key … for
        no api token for | no credentials for | no credentials … for | missing on this machine
        missing on this host | missing on the server | missing on this system
        not available on this host | not available on this machine | not available on this system
        not available on this server | rate limiting this server | provider offline
        provider is offline | is returning errors | returning errors | link is interrupted
        link is down | dropped the session | dropped the connection | clock skew
        closed by the bank | closed by the remote | closed by remote | closed by peer
        closed by the server | is still starting | still warming up | warming up
        has not reported | not reported since | gave us a 503 | gave us a 502 | gave us a 500
        answered 502 | answered 503 | answered 500 | answered 504 | with a 502 | with a 503
        with a 500 | with a 504 | answered with status 5* | feed is stale
        """,
    ),
)

MACHINE: Final = FILES + SYSTEM_ERRORS + WINDOWS + PROGRAMS + SETTINGS + CRASHES + SURROUNDINGS
