"""Databases: what data breaks, what a statement breaks, and what the database itself lacks."""

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
    table,
)

DATABASES: Final = table(
    "databases",
    failure(
        CERTAIN,
        """
        bind message supplies | number of bindings supplied | parameter count
        current transaction is aborted | no results to fetch | connection already closed
        would create a conflict at | could not determine data type of parameter | cursor is closed
        cannot operate on a closed database | cannot rollback | no transaction is active
        must declare the scalar variable | invalid parameter number | wrong number of parameters
        wrong number of arguments for | undefined binding | not all parameters were used
        unknown column … in 'field list' | mapper_parsing_exception | number of bound variables
        there is already an open datareader | could not find stored procedure
        commands out of sync | noscript | no matching script | error running script | EXECABORT
        expects parameter | expects the parameter | number of supplied values | ORA-06512
        ORA-01403 | ORA-01008 | ORA-06502 | ORA-01422 | ORA-00932 | PLS-00201 | PLS-00306
        not all variables bound | attempt to compare | too many arguments specified
        arguments specified | fields are not optimised | fields are not optimized
        fielddata is disabled | mapper … cannot be changed | cannot be changed from type
        action_request_validation_exception | failed to parse field
        is not safe for multi threaded | magic byte | channel is already closed
        unknown delivery tag | unknown exchange type | unknown serializer
        schema registry returned incompatible | values were supplied | supply a value for binding
        binding parameter | created in a thread can only be used
        transaction within a transaction | no such savepoint | api misuse | called out of sequence
        no such module: fts5 | no such module: fts4 | no such module: rtree | no such module: vec0
        no such module: json1 | use of cursors | cursor needed to be reset | __init__ not called
        has only names | columns but … values | declared as text( | required for bind parameter
        multiple rows were found when | entity namespace | class … is not mapped
        bound to a session | not persistent within | instance … is not persisted
        can't load plugin: | role expected, got | label reference | in identifier to formulate
        already defined for this metadata | locate column in row
        result object does not return rows | transaction is already begun | a bind configured
        greenlet_spawn | emitted within this transaction | until invalid transaction
        object … already attached to session | mapper … has no property
        mappers failed to initialize | initializing mapper | determine join condition
        nor 'comparator' object | cannot perform operation: another operation is in progress
        manually started transaction | arguments for this query | can't be called here
        this connection is closed
        """,
    ),
    failure(STRONG, "values for … columns | not an error"),
    conversion(
        CERTAIN,
        """
        syntax error at or near | error in your sql syntax | sql syntax | near … syntax error
        syntax error near | incorrect syntax near | no such table | no such column
        no such function | unknown column | table … doesn't exist | relation … does not exist
        column … does not exist | function … does not exist | operator does not exist
        invalid column name | invalid object name | ambiguous column name | column … is ambiguous
        parsing_exception | incomplete input | unterminated quoted string | unrecognized token:
        unknown operator | unknown top level operator | ORA-00942 | ORA-00904 | ORA-00933
        ORA-00936 | UndefinedColumn | UndefinedTable | SQLSTATE[42 | must appear in the group by
        aggregate functions are not allowed | invalid identifier | query_shard_exception
        failed to parse query | no mapping found for | wrong number of arguments to function
        misuse of aggregate | each union query must | unknown query | unknown field name
        x_content_parse_exception | json_parse_exception | unknown command | syntax error
        you can only execute one statement at a time | column count doesn't match
        subquery returns more than | ORA-00918 | ORA-00907 | ORA-00923 | ORA-00911 | ORA-01722
        ORA-06550 | ambiguously defined | could not be bound | procedure … does not exist
        operand should contain | not a group by expression | undefined column name
        allow filtering | unknown identifier | query malformed | datatype mismatch
        malformed json | table … has no column | input for query argument
        """,
    ),
    environment(
        CERTAIN,
        """
        database is locked | database table is locked | database is down | too many clients
        server has gone away | lost connection to mysql | can't connect to mysql | deadlock
        lock wait timeout | could not obtain lock | database system is starting up
        in recovery mode | password authentication failed | access denied for user
        login failed for user | connection to server at | could not connect to server
        server closed the connection | ServerSelectionTimeoutError | server selection timed out
        not primary | NotWritablePrimary | no primary | replica set
        loading the dataset in memory | redis is loading | MISCONF | READONLY | read only replica
        oom command not allowed | used memory | NOAUTH | WRONGPASS | CLUSTERDOWN | MASTERDOWN
        TRYAGAIN | cluster_block_exception | all shards failed | no living connections
        master_not_discovered | circuit_breaking_exception | rejected execution
        statement timeout | canceling statement due to | database or disk is full
        could not extend file | is marked as crashed | database disk image is malformed
        readonly database | unable to open database file | ORA-12541 | ORA-12154 | ORA-12514
        ORA-01017 | ORA-03113 | SQLSTATE[HY000] [2002] | tablespace | SQLSTATE[HY000] [1045]
        SQLSTATE[08 | SQLSTATE[57 | SQLSTATE[53 | remaining connection slots | QueuePool limit
        max_connections | connection limit exceeded | maximum number of connections
        unable to acquire a connection | no available connection | cannot open database
        transaction log for database | is not available for | failover | quorum
        no node available | max_user_connections | many connection errors | max_allowed_packet
        authentication protocol requested | read only option | the table … is full | NOREPLICAS
        good replicas | max number of clients | redis is busy | hash slot not served | ORA-28001
        ORA-28000 | ORA-00257 | ORA-12505 | ORA-00018 | ORA-00020 | ORA-04031 | ORA-12170
        ORA-01034 | ORA-12519 | ORA-01653 | ORA-01652 | tns: | maximum number of sessions
        request limit for the database | listener does not | no_shard_available_action_exception
        no shard available | NotEnoughReplicasException | fewer in sync replicas
        not enough replicas | not leader | not the current leader | no leader | no leader for
        there is no leader | leader election | leadership election | leader changed
        transport failure | broker … disconnected | forced connection closure | connection.blocked
        connection blocked | CONNECTION_FORCED | login was refused | consistency level
        coordinator not available | brokers are down | all brokers down
        coordinator is not available | missed heartbeats | locking protocol
        file is not a database | encrypted or is not a database | parse sqlalchemy url
        fatal:  database | fatal:  role | fatal: database | fatal: role
        could not serialize access
        """,
    ),
    environment(
        STRONG,
        """
        maintenance window | database error | database failure | database problem
        database unavailable | database connection | database query error
        """,
    ),
    environment(FAIR, "database"),
    environment(FAINT, "replica | cluster"),
    business(
        CERTAIN,
        """
        duplicate key value | duplicate key | duplicate entry | unique constraint
        unique violation | uniqueness constraint | foreign key constraint | foreign key violation
        check constraint | not null constraint | integrity constraint | violates … constraint
        constraint failed | cannot add or update a child row
        cannot delete or update a parent row | data too long for column
        out of range value for column | value too long for type | incorrect datetime value
        incorrect integer value | truncated incorrect | cannot insert the value null
        invalid input syntax for type | cannot insert duplicate key | conflicted with the
        string or binary data would be truncated | still referenced from table | E11000
        IntegrityError | UniqueViolation | ForeignKeyViolation | NotNullViolation | CheckViolation
        ORA-00001 | ORA-01400 | ORA-02291 | ORA-02292 | SQLSTATE[23000] | SQLSTATE[23505]
        SQLSTATE[23503] | SQLSTATE[22 | version conflict | document already exists | wrongtype
        no such index | index not found | index_not_found_exception | no such key
        key does not exist | holding the wrong kind of value
        value is not an integer or out of range | resource_already_exists_exception
        version_conflict_engine_exception | document_missing_exception | query only supports
        only select statements | only select queries | must be a select
        data truncated for column | have a default value | conversion failed when converting
        ORA-12899 | ORA-01438 | ORA-01031 | ORA-02290 | ORA-01407 | ORA-01858 | ORA-01861
        constraint … is violated | larger than specified precision | BUSYGROUP | NOGROUP | BUSYKEY
        CROSSSLOT Keys | result window is too large | refused for user
        larger than the configured | RecordTooLargeException | message batch larger
        """,
    ),
    business(FAIR, "ACCESS_REFUSED"),
)
