"""Which tests run when: `make quick` leaves out what is live, `make test` what is slow.

A path is a folder or a file under tests/. What is not named here starts no process, and a test that
does all the same fails: so the table stays true.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

LIVE: Final = (
    "assess",
    "bench",
    "capability",
    "ci",
    "cli",
    "client",
    "contracts",
    "archive/test_dask.py",
    "archive/test_stores.py",
    "drift/test_advice.py",
    "drift/test_definitions.py",
    "drift/test_reports.py",
    "engine/test_engines.py",
    "fleet/test_limits.py",
    "fleet/test_lost_workers.py",
    "fleet/test_resume.py",
    "fleet/test_same_report.py",
    "envelope",
    "facades/test_demo_server.py",
    "fleet/test_progress.py",
    "fleet/test_report_in_browser.py",
    "fleet/packages/test_preparation.py",
    "history",
    "judge/errors/test_wording.py",
    "meta",
    "proxy",
    "real",
    "report/test_diff.py",
    "report/test_html_in_browser.py",
    "robustness/test_time_and_memory.py",
    "rules/session/test_tools.py",
    "rules/test_loading.py",
    "schema/test_official_suite.py",
    "schema/test_outside.py",
    "servers",
    "text/test_safe.py",
    "truth/test_conditional_schemas.py",
    "truth/test_secrets.py",
    "truth/test_tools_of_answers.py",
    "truth/test_events_of_other_types.py",
    "truth/test_evidence_in_runs.py",
    "truth/test_wrong_arguments.py",
    "truth/test_unproven_tools.py",
    "truth/test_deep_values.py",
    "truth/test_own_faults.py",
    "truth/test_run_limits.py",
    "truth/test_definitions_live.py",
    "validate/test_shares.py",
    "web",
)
"""Tests that start a process, a browser or a real server."""

SLOW: Final[Mapping[str, tuple[str, ...]]] = {
    "assess/test_answers.py::test_a_real_server_gets_its_answers": (),
    "assess/test_answers.py::test_without_examples_nothing_succeeds": (),
    "assess/test_catalogue.py::test_the_whole_catalogue": (),
    "assess/test_in_world.py::test_a_rerun_is_made_in_a_world_too": (),
    "assess/test_in_world.py::test_hosts_that_a_report_allowed_are_allowed_by_nobody_else": (),
    "assess/test_in_world.py::test_what_the_user_says_still_counts": ("deny", "network"),
    "assess/test_in_world.py::test_without_a_world_the_report_says_what_one_would_add": (),
    "assess/test_limits.py": (),
    "assess/test_memory.py": (),
    "assess/test_nothing_survives.py::test_a_signal_ends_all_and_gives_the_partial_report": (
        "SIGINT-calling",
        "SIGHUP-closing",
    ),
    "assess/test_on_a_terminal.py::test_nobody_else_sees_any_progress": ("options1",),
    "assess/test_rounds.py::test_a_tool_that_crashes_slowly_is_called_few_times": (),
    "assess/test_same_report.py::test_two_assessments_of_a_correct_server_are_byte_identical": (),
    "bench/test_corpus.py": (),
    "bench/test_mutation.py": (),
    "capability/test_every_field.py::test_every_field_crosses_the_wire": (
        "stdio-mcp-auto",
        "http-fastmcp-legacy",
    ),
    "capability/test_worked_example.py::test_the_example_works_over_stdio": ("mcp",),
    "ci/test_pages.py::test_several_servers_are_reported_as_the_page_shows_it": (),
    "cli/test_all_servers.py::test_the_report_on_each_is_what_it_would_be_alone": (),
    "client/test_memory.py": ("bloated-over_limit-1", "huge-over_limit"),
    "client/test_old_servers.py"
    "::test_a_server_that_is_slow_to_start_is_waited_for_and_not_blamed": ("6.0",),
    "client/test_real_servers.py": ("mcp-auto", "stateless-fastmcp", "server-memory-auto"),
    "contracts/test_in_world.py::test_all_tools_are_called_and_the_folder_is_as_it_was": ("True",),
    "contracts/test_in_world.py::test_an_explicit_choice_of_calls_still_counts": (),
    "contracts/test_matrix.py::test_tests_that_compare_a_list_with_itself_are_exposed": (),
    "contracts/test_over_the_wire.py::test_several_processes_share_the_items": (),
    "contracts/test_worked_example.py::test_a_learned_contract_notices_every_change": (
        "library:server",
    ),
    "drift/test_definitions.py::test_whatever_stands_in_two_schemas_they_are_compared": (),
    "envelope/test_completing.py::test_shared_parts_do_not_grow_without_end": (),
    "envelope/test_properties.py"
    "::test_a_built_success_keeps_profile_and_mcp_and_holds_the_data": (),
    "envelope/test_properties.py::test_a_converted_response_is_a_result_of_its_revision": (),
    "envelope/test_properties.py::test_a_response_comes_back_from_its_result_as_it_was": (),
    "envelope/test_properties.py::test_every_string_that_a_tool_returned_is_in_its_response": (),
    "envelope/test_properties.py"
    "::test_nothing_above_a_hint_is_left_to_say_about_what_a_wrapper_made": (),
    "envelope/test_real_servers.py::test_clients_see_text_data_and_failures": (
        "fastmcp-client-of-mcp-server",
    ),
    "fleet/packages/test_preparation.py::test_a_package_that_is_broken_is_installed_anew": (),
    "fleet/packages/test_preparation.py::test_a_real_package_is_prepared": ("npm",),
    "fleet/packages/test_preparation.py"
    "::test_the_host_that_an_index_links_files_to_is_reached_too": (),
    "fleet/packages/test_preparation.py::test_what_nobody_has_will_not_be_there_later_either": (),
    "judge/errors/test_robustness.py::test_no_response_makes_the_judge_raise": (),
    "meta/test_examples_in_docs.py::test_commands_can_be_typed_one_after_the_other": (
        "sh-ci.md-text6",
        "sh-lint.md-text15",
    ),
    "meta/test_pictures.py::test_the_pages_still_say_what_the_pictures_show": (),
    "oracle/test_agreement.py": (),
    "oracle/test_tables.py::test_messages_that_keep_our_tables_are_valid_by_the_official_schema": (
        "2025-06-18",
    ),
    "proxy/test_http_real.py": (),
    "proxy/test_stdio_real_peers.py": ("auto-fastmcp",),
    "real/test_assessed_servers.py": ("server-memory",),
    "real/test_host_untouched.py::test_nothing_is_left_after_a_kill": (),
    "real/test_host_untouched.py::test_nothing_is_left_of_all_that_the_tools_did": (
        "server-filesystem",
        "mcp-server-sqlite",
    ),
    "real/test_published_servers.py": (),
    "real/test_real_definitions.py": ("fastmcp-2025-11-25", "memory-2025-06-18"),
    "real/test_real_servers.py": ("2026-07-28-fastmcp",),
    "real/test_recorded_sessions.py": ("mcp-auto", "everything"),
    "report/test_html_in_browser.py::test_a_report_with_ten_thousand_findings_stays_usable": (),
    "robustness/test_any_bytes.py::test_mutated_messages_are_judged": (),
    "robustness/test_time_and_memory.py": ("2026-07-28",),
    "scenario/test_hostile.py::test_odd_schemas_have_plans_whose_expectations_are_right": (),
    "scenario/test_properties.py::test_expectations_are_right_whatever_the_schema_is": (),
    "scenario/test_properties.py::test_the_same_seed_makes_the_same_plan": (),
    "truth/test_deep_values.py::test_an_assessment_of_deep_values_is_reported_in_every_form": (),
    "truth/test_deep_values.py::test_contract_tests_of_deep_values_are_made_and_run": (),
    "rules/engine/test_fast_implies_silent.py"
    "::test_what_is_accepted_of_the_official_messages_is_beyond_reproach": (),
    "web/test_live_in_browser.py::test_every_page_fits_a_phone": ("dark",),
    "web/traffic/test_traffic_in_browser.py::test_a_phone_scrolls_down_only": ("dark",),
}
"""Tests of the whole catalogue of servers, of real servers and of large corpora: `make slow`.

Each with its sample: the ids of the items that `make test` runs all the same.
"""


ONE_IN: Final[Mapping[str, int]] = {
    "assess/test_nothing_survives.py"
    "::test_a_life_that_was_started_ahead_does_not_survive_either": 2,
    "assess/test_nothing_survives.py::test_nothing_survives_the_sudden_death_of_mcp_assay": 2,
    "assess/test_nothing_survives.py::test_whoever_cannot_wait_leaves_nothing_behind_either": 2,
    "assess/test_options.py::test_a_recorded_run_is_judged_alike_when_it_is_replayed": 3,
    "assess/test_options.py::test_so_many_tools_must_succeed": 3,
    "assess/test_reproduction.py::test_a_pasted_command_shows_the_same_finding": 5,
    "client/test_processes.py::test_nothing_survives_when_mcp_assay_is_ended": 2,
    "client/test_schema_worker.py::test_a_bomb_costs_no_more_than_the_budget"
    "_and_the_next_check_works": 4,
    "client/test_standby.py::test_only_a_life_that_nothing_has_changed_is_used_again": 3,
    "meta/test_docs.py::test_a_console_example_shows_the_real_output": 12,
    "contracts/test_matrix.py::test_every_value_of_every_list_in_the_matrix_is_tried": 4,
    "oracle/test_official.py::test_errata_only_ever_allow_more": 3,
    "oracle/test_official_generator.py": 3,
    "oracle/test_tables.py::test_the_tables_give_messages_with_members_of_another_kind": 3,
    "proxy/test_stdio_bytes.py::test_both_streams_are_the_same_with_and_without_the_proxy": 3,
    "real/test_what_clients_do.py::test_clients_do_what_is_said_of_them": 6,
    "report/test_writers.py::test_a_text_without_end_is_cut": 3,
    "robustness/test_depth_and_size.py::test_nesting_beyond_the_limit_is_a_limit"
    "_and_the_rest_is_judged": 3,
    "rules/engine/test_fast_implies_silent.py"
    "::test_what_is_accepted_of_odd_pieces_is_beyond_reproach": 8,
    "rules/engine/test_shortcuts.py::test_parts_that_the_strict_schema_accepts_need_no_walk": 4,
    "rules/session/test_correct_sessions.py::test_no_junk_in_any_place_makes_a_session_raise": 8,
    "rules/test_feature_predicates.py::test_hostile_log_texts_are_searched_to_their_end": 12,
    "scenario/test_planning.py::test_places_that_are_not_varied_are_said": 3,
    "servers/test_over_http.py": 4,
    "servers/test_truths.py": 6,
    "truth/test_evidence_in_runs.py::test_a_rule_comes_to_what_was_seen": 3,
    "truth/test_lint_limits.py::test_a_server_that_hangs_is_left_in_time": 3,
    "truth/test_removed_evidence.py::test_no_rule_is_passed_whose_evidence_is_gone": 3,
    "archive/test_same_report.py::test_any_batches_give_the_report_of_one_run": 7,
    "validate/test_shares.py::test_shares_together_report_the_same": 10,
    "wire/test_reading.py::test_time_grows_no_faster_than_the_text": 5,
}
"""Tests with many items alike: `make test` runs one in N of them, and `make slow` the rest."""


TOGETHER: Final = frozenset(
    {
        "archive/test_dask.py",
        "archive/test_stores.py",
        "assess/test_busy_servers.py",
        "assess/test_effect_proofs.py",
        "assess/test_effects.py",
        "assess/test_hints_in_world.py",
        "assess/test_limits.py",
        "assess/test_policy_check.py",
        "assess/test_rounds.py",
        "assess/test_unseen.py",
        "bench/test_corpus.py",
        "bench/test_verdicts.py",
        "ci/test_action.py",
        "cli/test_diff.py",
        "cli/test_rerun.py",
        "client/sandbox/test_effects_of_calls.py",
        "drift/test_definitions.py",
        "engine/test_engines.py",
        "fleet/test_report_in_browser.py",
        "history/test_corrections.py",
        "history/test_faults.py",
        "history/test_migrations.py",
        "history/test_query_plans.py",
        "history/test_recording.py",
        "meta/test_layers.py",
        "meta/test_repository.py",
        "meta/test_structure.py",
        "meta/test_walk.py",
        "real/test_published_servers.py",
        "report/test_diff.py",
        "report/test_html_in_browser.py",
        "schema/test_official_suite.py",
        "truth/test_run_limits.py",
        "truth/test_tools_of_answers.py",
        "truth/test_unproven_tools.py",
        "web/test_in_browser.py",
        "web/test_live_in_browser.py",
        "web/test_other_sites.py",
    }
)
"""Live files whose tests share a fixture of the module: one worker runs all of them."""


def is_under(path: str, places: Collection[str]) -> bool:
    """Whether a file under tests/ is one of the places, or stands in one of them."""
    return any(path == place or path.startswith(f"{place}/") for place in places)


def stays_together(path: str) -> bool:
    """Whether one worker runs all tests of a file: they share a fixture, or are quick."""
    return path in TOGETHER or not is_under(path, LIVE)


def slow_place(path: str, function: str) -> str | None:
    """The row of SLOW that a test belongs to, None if it is not slow."""
    return _row(SLOW, path, function)


def sampled_place(path: str, function: str) -> str | None:
    """The row of ONE_IN that a test belongs to, None if all of its items are run."""
    return _row(ONE_IN, path, function)


def _row(table: Collection[str], path: str, function: str) -> str | None:
    return next((place for place in (path, f"{path}::{function}") if place in table), None)


def unknown_samples(items: Mapping[str, Collection[str]]) -> list[str]:
    """What SLOW says of tests that do not exist: by each place, the ids of its items."""
    return [
        f"{place}[{sample}]"
        for place, found in items.items()
        for sample in SLOW[place]
        if sample not in found
    ]


@contextmanager
def no_process() -> Iterator[None]:
    """Let whoever starts a process meanwhile fail, and say where that belongs."""
    start: Any = subprocess.Popen.__init__

    def refuse(*arguments: object, **_: object) -> None:
        raise AssertionError(
            f"a quick test started {arguments[1]}: name its file in tests/kinds.py"
        )

    subprocess.Popen.__init__ = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        subprocess.Popen.__init__ = start  # type: ignore[method-assign]
