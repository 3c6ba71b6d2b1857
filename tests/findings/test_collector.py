"""A collector keeps what is wanted, shows it as it may be shown, and places what will be seen."""

from __future__ import annotations

from msgspec.structs import replace

from mcp_assay.findings.collector import Collector, FoldedFindings, folded_into
from mcp_assay.findings.tally import SessionCount, Tally
from mcp_assay.model.finding import Finding, Where
from tests.report.test_as_text import finding


def of(rule: str, line: int = 1, pointer: str = "") -> Finding:
    place = Where(file="f", line=line)
    return replace(finding(1, "error", where=place), rule=rule, pointer=pointer, fingerprint=rule)


def lines(found: Finding) -> list[int | None]:
    return [found.where.line, *(where.line for where in found.examples)]


def test_what_was_left_out_is_neither_counted_nor_reported() -> None:
    reported: list[Finding] = []
    collector = Collector({"A"}, Tally(), on_finding=reported.append)
    assert collector.keep([of("A"), of("B")]) == [of("A")]
    assert (collector.tally.kept, reported) == ([of("A")], [of("A")])
    assert collector.tally.severities.total() == 1


def test_what_is_kept_and_reported_is_what_may_be_shown() -> None:
    reported: list[Finding] = []
    hidden = replace(of("A"), message="<redacted>")
    collector = Collector({"A"}, Tally(), change=lambda _: hidden, on_finding=reported.append)
    assert collector.keep([of("A")]) == [hidden]
    assert (collector.tally.kept, reported) == ([hidden], [hidden])


def test_what_is_not_listed_is_counted_but_not_reported() -> None:
    reported: list[Finding] = []
    collector = Collector({"A"}, Tally(1), on_finding=reported.append)
    collector.keep([of("A", 1), of("A", 2)])
    assert [one.where.line for one in reported] == [1]
    assert collector.tally.severities.total() == 2


def test_places_are_found_only_where_they_will_be_seen() -> None:
    asked: list[int] = []

    def place(found: list[Finding]) -> list[Finding]:
        asked.append(len(found))
        return [replace(one, where=Where(line=7)) for one in found]

    collector = Collector({"A"}, Tally(1))
    collector.keep([of("B")], 1, place=place)
    assert asked == []
    assert [one.where.line for one in collector.keep([of("A")], 1, place=place)] == [7]
    assert [one.where.line for one in collector.keep([of("A")], 2, place=place)] == [1]
    collector.is_live = True
    assert [one.where.line for one in collector.keep([of("A")], 3, place=place)] == [7]
    assert asked == [1, 1]


def test_a_session_counts_its_findings_and_each_cause_once() -> None:
    collector, session = Collector({"A"}, Tally()), SessionCount(key="s", file="f")
    collector.keep([of("A"), of("A"), of("B")], session=session)
    (cause,) = collector.tally.causes()
    assert (session.errors, cause.findings, cause.sessions) == (2, 2, 1)


def test_the_rule_that_reports_does_not_depend_on_the_order_of_lines() -> None:
    reported = [{"X": "STDIO-002"}, {"X": "STDIO-001"}, {"X": "STDIO-003", "Y": "STDIO-003"}]
    for order in (reported, reported[::-1]):
        collector = Collector((), Tally())
        for folded_rules in order:
            collector.note_folded(folded_rules)
        assert collector.folded_rules == {"X": "STDIO-001", "Y": "STDIO-003"}


def test_equal_findings_are_one_with_the_first_places_of_the_others() -> None:
    folded = FoldedFindings()
    for line in range(1, 7):
        folded.add(of("A", line))
    folded.add(of("B"))
    first, second = folded
    assert (first.rule, first.count, lines(first)) == ("A", 6, [1, 2, 3, 4])
    assert (second.rule, second.count, lines(second)) == ("B", 1, [1])


def test_findings_that_were_folded_before_keep_their_count_and_places() -> None:
    first, second = (folded_into(of("A", line), of("A", line + 1)) for line in (1, 5))
    both = folded_into(first, second)
    assert (both.count, lines(both)) == (4, [1, 2, 5, 6])


def test_what_is_equal_can_be_said() -> None:
    folded = FoldedFindings(key=lambda one: one.pointer)
    for one in (of("A", pointer="/x"), of("B", pointer="/x"), of("A", pointer="/y")):
        folded.add(one)
    assert [(one.rule, one.pointer, one.count) for one in folded] == [
        ("A", "/x", 2),
        ("A", "/y", 1),
    ]


def test_more_kinds_than_there_may_be_are_counted_and_known_ones_still_folded() -> None:
    folded = FoldedFindings(most=1)
    for rule in ("A", "B", "B", "A"):
        folded.add(of(rule))
    assert [(one.rule, one.count) for one in folded] == [("A", 2)]
    assert folded.dropped == 2


def test_only_the_first_of_a_kind_must_be_made_fit_to_be_shown() -> None:
    folded, changed = FoldedFindings(), []

    def change(one: Finding) -> Finding:
        changed.append(one.where.line)
        return replace(one, message="<redacted>")

    for line in (1, 2):
        folded.add(of("A", line), change)
    assert ([one.message for one in folded], changed) == (["<redacted>"], [1])


def test_a_finding_that_is_known_is_not_new() -> None:
    folded = FoldedFindings()
    for rule in ("A", "A", "B"):
        folded.add_new(of(rule))
    assert [(one.rule, one.count) for one in folded] == [("A", 1), ("B", 1)]


def test_what_was_found_since_then_can_be_forgotten() -> None:
    folded = FoldedFindings()
    folded.add(of("A"))
    before = folded.so_far()
    for rule in ("A", "B"):
        folded.add(of(rule))
    folded.go_back_to(before)
    assert [(one.rule, one.count) for one in folded] == [("A", 1)]
