"""Validation libraries: pydantic, zod, jsonschema, ajv, Joi and their like."""

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

VALIDATORS: Final = table(
    "validators",
    failure(
        DECISIVE,
        """
        in metaschema | schema is invalid | invalid schema for | cannot mix different versions
        can't resolve reference | unknown format | strict mode: | no schema with key or ref
        body failed validation | problems parsing json | failed to parse response
        unexpected response format | unexpected response shape | invalid response from our
        response validation failed | could not parse the response
        structured content does not match | the tool's output schema | its output schema
        output schema but | response validation error | ResponseValidationError
        invalid tool result | schema with key or id | error compiling schema
        unresolvable json pointer | RefResolutionError | RefResolutionError: | PointerToNowhere
        referencing.exceptions.Unresolvable | jsonschema.exceptions.SchemaError
        cerberus.schema.SchemaError | MissingRefError | _WrappedReferencingError
        """,
    ),
    failure(
        CERTAIN,
        """
        during synchronous parse | synchronous parse operation | be represented in JSON Schema
        discriminator value for key … could not be extracted | undetectable schema type
        schema is missing a method literal | Mixed Zod versions | must be a Zod schema
        expected a Zod schema | tool … is already registered
        request handler for … already exists | register capabilities after connecting
        does not support … (required for | transport already started
        already connected to a transport | missing handler | no handler registered
        no handler registered for | no handler is registered | no request handler
        undefined is not an object | undefined is not iterable | undefined is not a
        StringNotCollectionError | RegistryError | you may need to import | invalid fields for <
        DocumentError | FrozenInstanceError | StructureHandlerNotFoundError
        register a structure hook | NotAnAttrsClassError | attrs-decorated class
        AttrsAttributeNotFoundError | type unions may not contain | encoding objects of type
        decoding objects of type
        """,
    ),
    failure(FAIR, "parsing response | NaN"),
    conversion(STRONG, "validation error for | validation errors for | failed validation:"),
    environment(
        DECISIVE,
        """
        validation errors for settings | validation error for settings | config validation error
        """,
    ),
    environment(FAIR, "not connected"),
    business(
        CERTAIN,
        """
        validation error for call[ | validation errors for call[ | invalid_type | too_small
        too_big | invalid_string | invalid_format | unrecognized_keys | invalid_union
        not_multiple_of | invalid_value | invalid enum value | expected string, received
        expected number, received | expected boolean, received | expected object, received
        expected array, received | is not of type | is a required property | is not one of
        additional properties are not allowed | false schema does not allow
        does not match any of the regexes
        is not a multiple of | is less than the minimum | is greater than the maximum
        is too short | is too long | has non-unique elements | must have required property
        must not have additional properties | must match format | must match pattern
        must match exactly one schema | must not have fewer | must not have more
        must be equal to one of the allowed values | should match | should have required property
        is not allowed to be empty | must be one of | must only contain | must be a valid
        is a required field | must be a `string` type | must be a `number` type
        value is not a valid | string should have at | input should be a valid | input should be
        input should be greater | input should be less | value error,
        missing data for required field | not a valid choice | unknown field
        shorter than minimum length | longer than maximum length | not a valid integer
        not a valid string | not a valid email | must contain at least | this field is required
        this value should not be blank | this field may not be | should not be blank
        field required | must be an email | must be longer than | must be shorter than
        failed the following constraints | does not conform to | is not a valid value
        must not be less than | must not be greater than | conflict between exclusive peers
        must be a positive | arguments validation | argument validation
        parameter validation error | invalid function arguments | expected … received undefined
        expected … received null | expected … received NaN | expected … but received undefined
        expected … but received null | expected … received nothing | keyword validation
        has unspecified keys | is not valid under any of the given schemas | max value is
        min value is | max length is | min length is | unallowed value | unallowed values
        values not allowed | value not allowed | for dictionary value @
        required key not provided | extra keys not allowed | extra fields found
        required field missing @ | invalid value for type, expected | should not be empty
        should not be null | should not exist | should not be null or undefined
        """,
    ),
    business(
        STRONG,
        """
        ZodError | ValidationError | invalid input: expected | invalid arguments
        account … not connected | account is not connected | got invalid value | of length >=
        of length <= | @ data[
        """,
    ),
    business(FAIR, "expected … actual | should not be"),
)
