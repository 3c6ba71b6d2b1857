"""The names and reasons of the rules about one message: others build on them, so they stay."""

from __future__ import annotations

from typing import Final

from mcp_assay.rules import load

RULES: Final = """
BATCH-001 batch-not-allowed not_map
BATCH-002 empty-or-mixed-batch invalid_message_structure
BATCH-003 initialize-in-batch invalid_message_structure
CACHE-001 no-cache-hints invalid_result
CACHE-002 wrong-cache-hint invalid_result
CACHE-004 cache-hint-on-unfinished-result invalid_result
CALL-001 no-content-array invalid_result
CALL-004 structured-content-without-text invalid_result
CALL-005 structured-content-not-an-object invalid_result
COMP-001 too-many-completions invalid_result
COMP-002 wrong-completion-reference invalid_params
COMP-004 contradictory-completion-total invalid_result
ELIC-001 form-not-flat invalid_params
ELIC-002 wrong-elicitation-mode invalid_params
ELIC-003 unusable-elicitation-url invalid_params
ELIC-004 no-elicitation-id invalid_params
ELIC-005 unknown-elicitation-action invalid_result
ELIC-007 form-asks-for-a-secret invalid_params
ELIC-008 incomplete-elicitation-error invalid_result
ELIC-010 legacy-enum-names invalid_params
JSONRPC-001 not-json parse_error
JSONRPC-002 wrong-jsonrpc-version invalid_jsonrpc_version
JSONRPC-003 message-not-an-object not_map
JSONRPC-004 wrong-request-id-type invalid_id_type
JSONRPC-005 null-request-id invalid_id_type
JSONRPC-006 method-not-a-string invalid_method_type
JSONRPC-007 params-not-an-object invalid_params_type
JSONRPC-008 notification-with-id invalid_message_structure
JSONRPC-009 not-exactly-one-of-result-and-error both_result_and_error
JSONRPC-010 result-not-an-object invalid_result_type
JSONRPC-011 wrong-result-id invalid_id_type
JSONRPC-012 wrong-error-id invalid_id_type
JSONRPC-013 null-error-id invalid_id_type
JSONRPC-014 malformed-error type_mismatch
JSONRPC-015 error-message-not-a-sentence unfit_error_message
JSONRPC-016 request-and-response-at-once invalid_message_structure
JSONRPC-017 unknown-envelope-member unknown_member
JSONRPC-018 duplicate-member duplicate_member
JSONRPC-019 more-than-json parse_error
JSONRPC-020 not-interoperable-json not_interoperable
JSONRPC-027 reserved-error-code invalid_error_code
JSONRPC-028 undefined-mcp-error-code invalid_error_code
JSONRPC-029 retired-error-code invalid_error_code
JSONRPC-030 legacy-error-code invalid_error_code
LIFE-002 incomplete-initialize-request invalid_params
LIFE-003 incomplete-initialize-result invalid_result
LIFE-014 unreleased-protocol-version invalid_params
LIFE-016 empty-name-or-version invalid_params
LIMIT-001 too-deep limit_reached
LIMIT-002 too-long limit_reached
LIMIT-003 too-many-faults limit_reached
LINT-001 look-alike-name look_alike_name
LOG-001 unknown-log-level invalid_params
LOG-006 secret-in-log-data invalid_params
META-001 meta-not-an-object type_mismatch
META-002 malformed-meta-prefix invalid_meta_key
META-003 malformed-meta-name invalid_meta_key
META-004 meta-prefix-not-reverse-dns invalid_meta_key
META-005 reserved-meta-key reserved_meta_key
META-006 malformed-trace-context invalid_trace_context
META-007 missing-protocol-version invalid_params
META-008 missing-client-capabilities invalid_params
META-009 unnamed-client invalid_params
META-010 unnamed-server invalid_result
META-011 wrong-progress-token-type type_mismatch
META-012 missing-result-type invalid_result
META-013 wrong-result-type invalid_result
META-014 malformed-extension invalid_extension
MRTR-001 asks-for-nothing invalid_result
MRTR-003 wrong-input-request invalid_result
PAGE-001 next-cursor-not-a-string invalid_result
PING-001 ping-result-not-empty invalid_result
PROG-005 progress-beyond-total invalid_params
PROG-006 progress-from-client wrong_direction
PROMPT-002 prompt-argument-not-a-string invalid_params
PROMPT-005 unusable-prompt-media invalid_result
PROMPT-006 incomplete-prompt-resource invalid_result
ROOT-001 root-not-a-file-uri invalid_result
SAMP-001 incomplete-sampling-request invalid_params
SAMP-002 sampling-content-not-one-block invalid_params
SAMP-003 tool-result-mixed-with-other-content invalid_params
SAMP-004 tool-use-without-matching-result invalid_params
SAMP-005 priority-out-of-range invalid_params
SAMP-006 deprecated-client-feature invalid_params
SCHEMA-001 wrong-params invalid_params
SCHEMA-002 wrong-result invalid_result
SCHEMA-003 unknown-method unknown_method
SCHEMA-004 wrong-direction wrong_direction
SCHEMA-005 member-of-a-later-revision later_revision
SCHEMA-006 not-an-absolute-uri invalid_uri
SCHEMA-007 not-base64 invalid_base64
SCHEMA-008 unknown-content-type unknown_content_type
SCHEMA-009 not-exactly-one-of-text-and-blob text_or_blob
SCHEMA-010 unknown-role unknown_role
SCHEMA-011 wrong-annotations invalid_annotations
SCHEMA-012 wrong-last-modified invalid_timestamp
SCHEMA-013 wrong-media-type invalid_media_type
SUB-007 wrong-subscription-id invalid_result
TASK-001 malformed-task invalid_result
TASK-007 no-related-task invalid_result
TASK-010 tasks-without-extension extension_not_advertised
VER-002 incomplete-discover-result invalid_result
VER-005 incomplete-version-error invalid_result
VER-009 incomplete-capability-error invalid_result
"""
"""The id, the name and the reason of each rule."""


def test_a_rule_keeps_its_name_and_its_reason() -> None:
    registered = load("message")
    for id, name, reason in map(str.split, RULES.split("\n")[1:-1]):
        assert (registered[id].name, registered[id].reason) == (name, reason), id
