"""HTTP clients, gRPC, GraphQL and the bodies of errors."""

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
    unclear,
    wrapper,
)

PROTOCOLS: Final = table(
    "protocols",
    failure(
        DECISIVE,
        """
        invalid content length header | invalid transfer encoding header | invalid upgrade header
        using `pip install | run `pip install | with `pip install | run: pip install
        run pip install | try pip install | pip or conda to install | missing optional dependency
        """,
    ),
    failure(
        CERTAIN,
        """
        body is unusable | body has already been | body already been | body used already
        body already used | already been consumed | body stream already read | disturbed or locked
        body stream is locked | duplex option | RequestContentLengthMismatchError
        ResponseContentLengthMismatchError | does not match content length | UND_ERR_INVALID_ARG
        und err invalid arg | ClientDestroyedError | client is destroyed | ClientClosedError
        cannot be used with a body | cannot have body | cannot have a body
        when using `prefixUrl` | unsupported protocol undefined | unsupported protocol null
        must not have a request body | must have a request body | previous response is still open
        illegalstateexception: closed | illegalstateexception: already executed
        NetworkOnMainThreadException | unable to create converter | unable to create call adapter
        is not registered on Faraday | without adapter | error while marshaling | error marshaling
        error unmarshalling | error unmarshaling | failed to marshal | failed to serialize
        unable to serialize | error serializing | exception serializing | exception deserializing
        message serialization failure | failed to decode protobuf | invalid wire type
        illegal wire type | invalid wire-format | error parsing message with type
        protocol message | cannot decode message | contains invalid utf-8
        InvalidProtocolBufferException | method not implemented! | service is unimplemented
        cannot return null for non-nullable | must resolve to an object type
        but did not find one for field | from another module or realm | Cannot use GraphQLSchema
        root type must be provided | cross-site request forgery | POST body missing
        must contain a non-empty `query` | with an AsyncClient | having called `read()`
        already been streamed | sync iterator on | async iterator on
        as the client has been closed | expected str or httpx.url | header value must be str
        request instance has not been set | timeout must either include
        sequence or mapping object | mix str and non-str | non-str | character(s) in header value
        illegal header value | illegal header name | declared content-length | handle event type
        only instances of | invalid variable type | value should be str | data and json parameters
        Only io.IOBase | quote_from_bytes() | Request-started | Request-sent | connector is closed
        """,
    ),
    failure(STRONG, "session is closed"),
    conversion(
        DECISIVE,
        """
        GRAPHQL_VALIDATION_FAILED | GRAPHQL_PARSE_FAILED | graphql_validation_failed
        graphql_parse_failed | on field … has an invalid
        """,
    ),
    conversion(
        CERTAIN,
        """
        invalid header value | invalid header name | expected url scheme
        expected url scheme … but | expected begin_object but | expected begin_array but
        expected … but was begin_object | expected … but was begin_array
        expected … but was string | expected … but was null | expected … but was number
        required value … missing at | non-null value … was null at | cannot query field
        doesn't exist on type | does not exist on type | does not exist on the type
        unknown field … on type | unknown argument … on field | unknown type "
        must have a selection of | must not have a selection | has no subfields
        of required type … was not provided | required, but it was not provided | unknown fragment
        unknown operation named | unknown directive | fragment … is never used
        is never used in operation | is not defined by operation | used in position expecting
        cannot be spread here | is missing required arguments | selections can't be made on
        is declared by … but not used | type mismatch on variable
        on field … has an invalid value | not found in type: | has no argument named
        valid graphql query | must provide operation name
        expecting a value for non-nullable variable | FieldUndefined | undefinedField
        validation error of type | must be provided as a variable | connection adapters were found
        nonnumeric port | port could not be cast | port out of range
        url can't contain control characters | invalid ipv6 url | is not a valid httpstatus
        """,
    ),
    conversion(
        STRONG,
        """
        int cannot represent | string cannot represent | float cannot represent
        boolean cannot represent | id cannot represent | cannot represent value
        cannot represent non
        """,
    ),
    environment(
        DECISIVE,
        """
        response does not match the http/1.1 | response does not match the http/1.1 protocol
        typeerror: terminated | typeerror: failed to fetch | typeerror: load failed
        client error (connect) | client error (sendrequest) | hostname … not verified
        payload is not completed | tunnel connection failed | header value b'bearer '
        """,
    ),
    environment(
        CERTAIN,
        """
        does not match the http/1.1 protocol | HPE_INVALID_CONSTANT | HPE_HEADER_OVERFLOW
        HPE_INVALID_HEADER_TOKEN | HPE_INVALID_CHUNK_SIZE | HPE_CLOSED_CONNECTION
        hpe invalid constant | hpe header overflow | hpe invalid header token
        hpe invalid chunk size | hpe invalid | parse error: expected http | UND_ERR_BODY_TIMEOUT
        und err body timeout | body timeout | headers timeout | aborted due to timeout
        server aborted | maximum redirect reached | redirect count exceeded
        number of redirects exceeded | maximum number of redirects exceeded | maximum redirects
        redirect loop | MaxRedirectsError | TooManyRedirects | too many follow-up requests
        redirected … times | invalid peer certificate | UnknownIssuer | NotValidForName
        stream was reset | StreamResetException | unexpected end of stream
        SSLPeerUnverifiedException | rst_stream | REFUSED_STREAM | goaway
        error reading a body from connection | not permitted by network security policy
        DeadlineExceeded | server error: … for url | 500 server error | 500, message
        502, message | 503, message | 504, message | 408, message | InvalidChunkLength
        exceeded … redirects | maximum allowed redirects | too many redirects
        redirect error that would lead | illegal status line | illegal chunk header
        illegal header line | bad status line | BadStatusLine | when reading header line
        more than 100 headers | <StreamReset | <ConnectionTerminated | answer with no data
        dns query name does not exist | resolution lifetime expired | dns servers
        nameservers failed | close frame received | valid http response | write request body
        closing transport | connection is closed | keepalive ping | opening handshake
        """,
    ),
    environment(STRONG, "end of file reached"),
    business(
        CERTAIN,
        """
        over limit: | over the limit | maxContentLength size | maxBodyLength limit
        InvalidArgument | PermissionDenied | AlreadyExists | ResourceExhausted
        FailedPrecondition | OutOfRange | Unauthenticated | NotFound | could not resolve to a
        not accessible by | access restrictions | JWTExpired | JWTIssuedAtFuture | jwt expired
        could not verify jwt | invalid jwt | jwt malformed | BAD_USER_INPUT | 400, message
        401, message | 402, message | 403, message | 404, message | 405, message | 409, message
        410, message | 413, message | 415, message | 422, message | 429, message
        """,
    ),
    business(FAIR, "ABORTED"),
    unclear(
        FAIR,
        """
        2 unknown: unknown | unknown: application error processing rpc
        application error processing rpc
        """,
    ),
    wrapper(
        """
        2 unknown: | 13 internal: | statusruntimeexception: unknown
        statusruntimeexception: internal | statuscode.unknown | statuscode.internal
        connecterror: [internal] | connecterror: [unknown] | unknown:error received from peer
        last error: unknown | exception calling application | exception was thrown by handler
        """
    ),
)
