"""Answers are kept as long as there is room for them."""

from __future__ import annotations

from mcp_assay.client.response import LONGEST_STDERR, MOST, KeptAnswers
from mcp_assay.model.call import Call, CallResult
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ScenarioVerdict

RESULT: dict[str, object] = {"content": []}
ANSWER = CallResult(result=RESULT, stderr="x" * 10_000)
HALF = b"x" * (MOST // 2)


def calls(answer: CallResult) -> list[Call]:
    scenario = Scenario(
        tool="find", name="happy path", category="happy_path", arguments={}, valid=True
    )
    verdict = ScenarioVerdict("passed", succeeded=True)
    return [Call(number=1, scenario=scenario, answer=answer, result=None, verdict=verdict)]


def test_an_answer_that_fits_is_kept_whole_with_the_last_of_standard_error() -> None:
    keeping = KeptAnswers()
    kept = keeping.kept(ANSWER, b'{"result": {"content": []}}')
    assert kept.result == RESULT
    assert kept.stderr == "x" * LONGEST_STDERR
    assert keeping.limits() == []


def test_an_answer_that_does_not_fit_is_let_go_and_that_is_said() -> None:
    keeping = KeptAnswers()
    assert keeping.kept(ANSWER, b"[]," * (MOST // 64)).result is None
    (limit,) = keeping.limits()
    assert (limit.name, limit.value, limit.count) == ("kept-answers", MOST, 1)


def test_the_answers_of_judged_tools_make_room_for_others() -> None:
    keeping = KeptAnswers()
    small = calls(keeping.kept(ANSWER, b"1"))
    keeping.release([small])
    large = calls(keeping.kept(ANSWER, HALF))
    keeping.release([small, large])
    assert [one[0].answer.result for one in (small, large)] == [None, None]
    assert [keeping.kept(ANSWER, HALF).result for _ in range(2)] == [RESULT, RESULT]
    assert keeping.limits() == []


def test_what_takes_little_room_is_kept_beyond_its_judgement() -> None:
    keeping = KeptAnswers()
    judged = calls(keeping.kept(ANSWER, b"1"))
    keeping.release([judged])
    assert judged[0].answer.result == RESULT
