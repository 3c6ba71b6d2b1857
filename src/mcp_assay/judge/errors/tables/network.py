"""Connections, names, certificates and timeouts; services that are down."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    environment,
    table,
    wrapper,
)

NETWORK: Final = table(
    "network",
    environment(
        CERTAIN,
        """
        ECONNREFUSED | ECONNRESET | ECONNABORTED | ENOTFOUND | ETIMEDOUT | ESOCKETTIMEDOUT | EPIPE
        EHOSTUNREACH | EHOSTDOWN | ENETUNREACH | ENETDOWN | EAI_AGAIN | EAI_NODATA | EADDRINUSE
        EADDRNOTAVAIL | address already in use | all connection attempts failed
        connect call failed | EPROTO | UND_ERR_CONNECT_TIMEOUT | UND_ERR_SOCKET
        UND_ERR_HEADERS_TIMEOUT | connection refused | connection reset | connection aborted
        connection timed out | connection timeout | connect timeout | connection was closed
        connection closed | connection lost | connection dropped | connection terminated
        connection failure | connection failed | connection error | connection attempt failed
        connection could not be established | could not establish connection
        could not establish a connection | failed to establish a new connection | lost connection
        actively refused | refused to connect | refused the connection | refused connection
        failed to connect | could not connect | couldn't connect | unable to connect
        error connecting | connecting to … failed | problem connecting | trouble connecting
        could not reach | cannot reach | can't reach | couldn't reach | unable to reach
        failed to reach | could not be reached | cannot be reached | not reachable | unreachable
        network is unreachable | no route to host | host is down | host unreachable
        name or service not known | no address associated | temporary failure in name resolution
        nodename nor servname | no such host | getaddrinfo | host not found | unknown host
        could not resolve | cannot resolve host | failed to resolve | unable to resolve host
        name resolution | name not resolved | dns lookup | dns error | dns resolution | NXDOMAIN
        SERVFAIL | err name not resolved | err internet disconnected | err connection
        err network changed | err timed out | err address unreachable
        err tunnel connection failed | err cert authority invalid | err ssl protocol error
        timed out | request timeout | read timeout | write timeout | gateway timeout
        gateway time out | socket timeout | timeout exceeded | timeout expired | timeout of
        timeout while | timeout waiting | timeout after | timeout reached | timeout error
        exceeded the timeout | exceeded timeout | timeout … exceeded | wait timeout
        operation timeout | query timeout | command timeout | lock timeout | deadline exceeded
        deadline has elapsed | deadline expired | deadline has passed | did not respond
        didn't respond | does not respond | doesn't respond | not responding | no response from
        no response received | no answer from | did not answer | didn't answer
        stopped responding | failed to respond | never responded | no reply from | did not reply
        broken pipe | socket hang up | socket closed | other side closed | fetch failed
        network error | network failure | network issue | network timeout | network problem
        no internet | no network | is offline | appears offline | went offline | are offline
        unable to verify the first certificate | self signed certificate
        SELF_SIGNED_CERT_IN_CHAIN | DEPTH_ZERO_SELF_SIGNED_CERT | CERT_HAS_EXPIRED
        UNABLE_TO_VERIFY_LEAF_SIGNATURE | certificate has expired | certificate verify failed
        certificate is not trusted | certificate validation | certificate chain
        unable to get local issuer certificate | hostname mismatch | certificate is not valid
        certificate signed by unknown authority | certificate error | ssl handshake
        tls handshake | handshake failure | handshake failed | ssl error | tls error
        ssl connection | wrong version number | PKIX path building failed
        unable to find valid certification path | proxy authentication required | proxy error
        proxy connection | Max retries exceeded | HTTPConnectionPool | HTTPSConnectionPool
        NewConnectionError | no healthy upstream | upstream connect error
        upstream request timeout | upstream error | upstream timed out | premature close
        prematurely closed | remote end closed connection | server disconnected
        peer closed connection | eof occurred in violation | unexpected disconnect
        incomplete read | IncompleteRead | error sending request | tcp connect error
        error trying to connect | dial tcp | i/o timeout | cURL error 6 | cURL error 7
        cURL error 28 | cURL error 35 | cURL error 52 | cURL error 56 | cURL error 60
        connection pool | pool timed out | pool exhausted | pool is exhausted
        too many connections | transport is closing | transport error | stream closed | [SSL:
        [SSL] | [X509 | (_ssl.c | alert certificate required | legacy renegotiation
        no ciphers available | abnormal closure
        """,
    ),
    # Some servers give this code to whatever goes wrong.
    environment(FAIR, "UPSTREAM_ERROR"),
    environment(
        STRONG,
        """
        ConnectionError | ConnectError | ConnectTimeout | ConnectionRefusedError
        ConnectionResetError | ConnectionAbortedError | BrokenPipeError | TimeoutError
        TimeoutException | SocketException | ConnectException | UnknownHostException | SSLError
        SSLHandshakeException | SocketTimeoutException | gaierror | URLError | OperationalError
        HttpHostConnectException | ResourceAccessException | RemoteProtocolError | IOError
        another git process | another process | disconnected | connection to | no connection
        the connection | retries exhausted | after 3 attempts | after 5 attempts | gave up after
        giving up after | max retries
        """,
    ),
    environment(FAIR, "timeout | timeouts | retries | dns | tls | ssl | certificate | socket"),
)

SERVICES: Final = table(
    "services",
    environment(
        CERTAIN,
        """
        service is unavailable | bad gateway | service temporarily | currently unavailable
        is currently down | is down | are down | under maintenance | for maintenance
        in maintenance | maintenance mode | scheduled maintenance | being maintained | down for
        overloaded | is overloaded | overload | over capacity | at capacity | server is busy
        server busy | ServerBusy | is starting up | starting up | is shutting down | shutting down
        is restarting | not ready yet | out of service | service not available
        service is not available | is not reachable | backend error | backend is unavailable
        backend unavailable | unavailable right now | upstream returned | upstream service
        upstream server | circuit breaker | no backend | failed health check
        try again in a few minutes | temporary failure | temporary error | temporary problem
        not available right now | not available at the moment | degraded
        """,
    ),
    environment(FAIR, "offline | not ready | not available | isn't available"),
    wrapper("unavailable for legal reasons"),
)

NETWORK_AND_SERVICES: Final = NETWORK + SERVICES
