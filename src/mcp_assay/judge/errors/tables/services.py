"""Clouds, payment providers, model providers, mail, browsers and other programs."""

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
    wrapper,
)

CLOUDS: Final = table(
    "clouds",
    failure(
        DECISIVE,
        """
        SerializationException | start of structure or map found | UnknownOperationException
        the provided key element does not match | missing the key … in the item
        missing required parameter in input | unknown parameter in input
        unknown name … cannot find field | unknown name … cannot bind
        json payload received. unknown name | request signature we calculated does not match
        """,
    ),
    failure(
        CERTAIN,
        """
        invalid json payload received | cannot find field | MergeFrom | MALFORMED_REQUEST_JSON
        no matches for kind | api version … is not supported | descriptors cannot
        malformed lambda proxy response | cached plan must not change
        PreparedStatementCacheExpired
        """,
    ),
    failure(
        STRONG,
        """
        parameter validation failed | no kind | strict decoding error | unknown field "spec
        SignatureDoesNotMatch | MalformedXML | InvalidRequestContent
        """,
    ),
    conversion(
        DECISIVE,
        """
        invalid UpdateExpression | invalid KeyConditionExpression | invalid FilterExpression
        invalid ProjectionExpression | invalid ConditionExpression | ExpressionAttributeValues
        ExpressionAttributeNames
        """,
    ),
    environment(
        CERTAIN,
        """
        NoCredentialsError | could not connect to the endpoint url | EndpointConnectionError
        unable to parse config | InternalFailure | backendError
        cannot connect to the docker daemon | was refused - did you specify
        unable to connect to the server | etcdserver | ImagePullBackOff | ErrImagePull
        CrashLoopBackOff | nodes are available | insufficient cpu | insufficient memory
        failed calling webhook | the server is currently unable | the server was unable to return
        invalid client secret | OperationTimedOut | AllocationFailed | ZonalAllocationFailed
        metadata server | instance metadata | port is already allocated | no kubeconfig
        invalid_grant | we encountered an internal error | please reduce your request rate
        account key | has not been used in project | it is disabled. enable it
        enough resources available | does not have enough resources | sufficient capacity
        DefaultAzureCredential | ManagedIdentityCredential | RefreshError
        asked for the client to provide credentials | logged in to the server | OOMKilled
        restarting failed container | oci runtime | minimum free drive | XMinioStorageFull
        SlowDownRead | SlowDownWrite | storage resources are insufficient | server not initialized
        HEALTH_ERR | full osd | client version … is too old | invalid_grant: bad request
        CredentialsProviderError | could not load credentials | must specify a region
        missing region in config | migrations are pending | pending migration | pending migrations
        PendingMigrationError | endpoint request timed out
        """,
    ),
    environment(FAIR, "region is missing"),
    business(
        CERTAIN,
        """
        NoSuchBucket | NoSuchKey | NoSuchUpload | NoSuchEntity | AccessDenied
        AccessDeniedException | BucketAlreadyExists | BucketNotEmpty | ConditionalCheckFailed
        conditional request failed | ExpiredToken | ThrottlingException
        ProvisionedThroughputExceededException | SlowDown | RequestLimitExceeded
        LimitExceededException | ResourceNotFoundException | ResourceInUseException
        ValidationException | InvalidParameterValue | OptInRequired | UnauthorizedOperation
        security token included in the request is expired | quotaExceeded | rateLimitExceeded
        userRateLimitExceeded | AuthorizationFailed | ResourceNotFound | ResourceGroupNotFound
        BlobNotFound | ContainerNotFound | InvalidResourceName | SkuNotAvailable
        OperationNotAllowed | exceeded quota | admission webhook | denied the request
        is forbidden: user | already exists in namespace | no such container | no such image
        pull access denied | does not have storage.objects | does not have … access
        caller does not have permission | insufficient authentication scopes
        object with the same name | field is immutable | is invalid: spec | have a resource type
        unable to parse range | object has been modified | GENERIC_DECLINE
        """,
    ),
)

MONEY_AND_MODELS: Final = table(
    "payments and models",
    failure(
        DECISIVE,
        """
        invalid_blocks | received unknown parameter | invalid schema for response_format
        """,
    ),
    failure(
        CERTAIN,
        """
        roles must alternate | function_declarations | function call turn | input_schema
        need mail command | need rcpt command | 5.5.1 error | 5.5.2 error
        bad sequence of commands | illegal in state | cannot return null for | non nullable field
        """,
    ),
    conversion(
        CERTAIN,
        """
        got invalid value; | of required type | selection of subfields | cannot spread fragment
        """,
    ),
    environment(
        CERTAIN,
        """
        overloaded_error | model is overloaded | engine is currently overloaded
        model is currently loading | service_unavailable | api_connection_error | greylisted
        greylisting | try another relay | connection unexpectedly closed | smtp server
        imap server | unable to access | early eof | the remote end hung up | rpc failed
        host key verification failed | service not available, closing | INTERNAL_SERVICE_ERROR
        internal service error has occurred | host down | queue overflow
        insufficient system storage | insufficient system resources | concurrent smtp connections
        concurrent connections | autologout | system resources | GATEWAY_TIMEOUT
        """,
    ),
    business(
        CERTAIN,
        """
        INSTRUMENT_DECLINED | UNPROCESSABLE_ENTITY | CARD_DECLINED | INSUFFICIENT_FUNDS
        do not honor | expired card | invalid cvv | cvv | card number | already been captured
        already been refunded | CURRENCY_NOT_SUPPORTED | charge_already_refunded
        amount_too_small | card_declined | TRANSACTION_REFUSED | ORDER_ALREADY_CAPTURED
        PAYER_ACTION_REQUIRED | IDEMPOTENCY_KEY_REUSED | rate_limit_error | insufficient_quota
        context_length_exceeded | maximum context length | prompt is too long | model_not_found
        content_filter | content management policy | safety settings | credit balance is too low
        is not a valid phone number | unverified | unsubscribed recipient
        invalid 'to' phone number | opted out | not_in_channel | missing_scope | channel_not_found
        is_archived | user_not_found | recipient address rejected | mailbox unavailable
        user unknown | mailbox full | over quota | message size exceeds | relay access denied
        no such mailbox | no such user | shared with your integration | protected branches
        protected branch | not a git repository | did not match any | pathspec | project not found
        would be overwritten | does not have any commits | bad revision | unknown revision
        ambiguous argument | transition … is not valid | cannot be transitioned | issue type
        custom field | does not appear on | has not been enabled for | maximum allowed number
        allowed number of output tokens
        """,
    ),
)

BROWSERS: Final = table(
    "browsers and programs",
    failure(
        CERTAIN,
        """
        strict mode violation | execution context was destroyed | node is detached
        unrecognized option | option not found | error splitting the argument list
        error parsing options | frame was detached | well serializable
        sync api inside the asyncio | use the async api | jshandles can be | no such filter
        error reinitializing filters | filtergraph | packets buffered for output
        initializing filter | non conforming drawing primitive | no legal \\end found
        emergency stop. | tex capacity exceeded | read_params_file | unknown switch
        is not a git command | usage: git | usage: ffmpeg | usage: pandoc
        """,
    ),
    conversion(CERTAIN, "undefined control sequence | missing $ inserted | runaway argument"),
    environment(
        CERTAIN,
        """
        executable doesn't exist at | browser has been closed | target closed
        browser has disconnected | target page, context or browser | failed to launch the browser
        page crashed | navigation timeout | unknown encoder | cache resources exhausted
        security policy | host system is missing dependencies | pdf-engine | pdflatex
        xelatex not found | wkhtmltopdf | ghostscript | no usable sandbox | delegate failed
        could not find chrome | protocol error | session closed | session not created
        DevToolsActivePort | chrome binary | cannot find chrome | tab crashed | cannot load lib*
        dubious ownership | loose object | fork/exec | object file … is empty | bad object head
        """,
    ),
    business(
        CERTAIN,
        """
        invalid data found when processing input | moov atom not found | unknown input format
        unknown output format | unknown reader | unknown writer | no decode delegate
        not a valid selector | resolved to … elements | element is not visible | element not found
        no element matches | improper image header | does not contain any stream
        unsupported codec | corrupt image | is encrypted | is password protected
        password required | not a pdf | negative or zero image size | unrecognized image format
        invalid duration specification | not interactable | cannot navigate to invalid url
        matches no streams | failed to push some refs | appear to be a git repository
        not concluded your merge | non fast forward | unstaged changes | uncommitted changes
        """,
    ),
    wrapper("call log:"),
)

OUTSIDE_SERVICES: Final = CLOUDS + MONEY_AND_MODELS + BROWSERS
