"""HTTP and gRPC: statuses by their names."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    STRONG,
    business,
    environment,
    failure,
    table,
    wrapper,
)

# The words of gRPC stand alone in capitals, or after "code =" in Go.
HTTP: Final = table(
    "http and grpc",
    business(
        CERTAIN,
        """
        400 bad request | 401 unauthorized | 402 payment required | 403 forbidden | 404 not found
        405 method not allowed | 406 not acceptable | 409 conflict | 410 gone | 411 length required
        412 precondition failed | 413 payload too large | 413 content too large
        413 request entity too large | 414 uri too long | 415 unsupported media type
        416 range not satisfiable | 417 expectation failed | 418 i'm a teapot
        421 misdirected request | 422 unprocessable entity | 422 unprocessable content | 423 locked
        424 failed dependency | 426 upgrade required | 428 precondition required
        429 too many requests | 431 request header fields too large
        451 unavailable for legal reasons | INVALID_ARGUMENT | NOT_FOUND | ALREADY_EXISTS
        PERMISSION_DENIED | UNAUTHENTICATED | RESOURCE_EXHAUSTED | FAILED_PRECONDITION
        OUT_OF_RANGE | code = InvalidArgument | code = NotFound | code = AlreadyExists
        code = PermissionDenied | code = Unauthenticated | code = ResourceExhausted
        code = FailedPrecondition | code = OutOfRange | unprocessable entity
        unprocessable content | client error | method not allowed | unsupported media type
        length required | request entity too large
        """,
    ),
    business(STRONG, "gone | not modified | http 4xx | 4xx"),
    environment(
        CERTAIN,
        """
        407 proxy authentication required | 408 request timeout | 500 internal server error
        501 not implemented | 502 bad gateway | 503 service unavailable | 504 gateway timeout
        504 gateway time-out | 505 http version not supported | 507 insufficient storage
        508 loop detected | 511 network authentication required | UNAVAILABLE | DEADLINE_EXCEEDED
        DATA_LOSS | code = Unavailable | code = DeadlineExceeded | gateway timed out | http 5xx
        5xx | web server is down | origin is unreachable
        """,
    ),
    failure(STRONG, "UNIMPLEMENTED | code = Unimplemented | unknown service | unknown method"),
    wrapper("code = Internal | code = Unknown | code = Aborted | UNKNOWN | INTERNAL | rpc error"),
)
