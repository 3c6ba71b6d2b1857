"""Whether what a tool answers carries information, or would be the same if it did nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcp_assay.judge.answer_parts import (
    LONGEST_READ,
    MOST_LEAVES,
    besides,
    key,
    leaves,
    parts,
    tells_of_error,
)
from mcp_assay.judge.members import member_word
from mcp_assay.judge.sign_wording import FLAGS, STATES
from mcp_assay.judge.undone import is_undone
from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import REAL
from mcp_assay.text.changing_verbs import changing_verb_in, is_looking_name
from mcp_assay.text.names import name_words, word_set

LONGEST_EMPTY: Final = 80
"""A longer text says more than that something was done."""
LONGEST_STEM: Final = 4
"""Words that begin alike are forms of one: "save" and "saved"."""
MANY_ASKED: Final = 3
"""The same answer to so many different questions does not depend on them."""
ACKNOWLEDGEMENTS: Final = word_set(
    """
    ok okay done success successful successfully succeeded true false yes no null none completed
    complete accepted acknowledged received finished processed executed nothing empty found results
    result matches items records entries data no. n/a the was were is are your request operation
    call command task has been there for 0 response returned it ready
    """
)
"""Words that any tool may say, whatever it was asked for."""
DUMMIES: Final = re.compile(
    r"\b(?:dummy|unused|not used|no[- ]parameters?\b|(?:takes|needs|has|requires) no "
    r"(?:arguments?|parameters?|input))|^ignored\b",
    re.IGNORECASE,
)
"""What is said of an argument that is there only because some clients want one."""
DUMMY_NAMES: Final = word_set("_ __ dummy random_string noop unused placeholder")


def carries_information(run: ToolRun) -> bool:
    """Whether a success of a tool says something: by itself, or by how it varies."""
    succeeded = [call for call in run.calls if call.verdict.succeeded]
    if succeeded and (_is_cut_off(succeeded) or _is_undone_whenever_asked(run.tool, succeeded)):
        return False
    if not succeeded or not takes_arguments(run.tool):
        return True
    if _succeeds_only_oddly(run.calls, succeeded):
        return False
    is_seen = any(map(_tells_of_page, succeeded)) or _is_seen_at_work(run.tool, succeeded)
    return is_seen or _says_enough(run, succeeded)


def _is_cut_off(succeeded: Sequence[Call]) -> bool:
    """Whether every call asked a host in vain and had the same answer: nobody knows from where."""
    is_alone = all(call.effects and call.effects.unreached_host for call in succeeded)
    return is_alone and len({besides(call) for call in succeeded}) == 1


def _is_undone_whenever_asked(tool: Mapping[str, Any], succeeded: Sequence[Call]) -> bool:
    """Whether no sensible call had more for an answer than that nothing was done yet."""
    return all(is_undone(call, tool) for call in _asked(succeeded))


def _says_enough(run: ToolRun, succeeded: Sequence[Call]) -> bool:
    """Whether results that succeeded say something, or differ."""
    tool = run.tool
    if _is_bare_assertion(run, succeeded):
        return False
    varies = len({key(call.answer.result) for call in succeeded}) > 1
    promised = _promised_stems(tool)
    if not any(_has_substance(call, promised) for call in _asked(succeeded)):
        return len({besides(call) for call in succeeded}) > 1
    if any(call.verdict.trouble == "faulty_answer" for call in succeeded):
        return True  # what is wrong with it is told, and it may be why it is always the same
    if _is_changing(tool):
        return True  # that something was done may be all there is to say
    varies = varies or _turns_others_down(run) or not _is_asked_much(tool, succeeded)
    return varies or _keeps_promise(succeeded, promised)


def _is_bare_assertion(run: ToolRun, succeeded: Sequence[Call]) -> bool:
    """Whether a tool that does something asserts only that it did, though nothing shows it.

    The world was watched and no effect was seen, no other tool shows what was done, and whatever
    it is asked for, it says the same besides what was sent.
    """
    is_watched = any(call.effects is not None for call in succeeded)
    if not is_watched or run.evidence.is_confirmed or _has_effects(succeeded):
        return False
    if is_looking_name(str(run.tool.get("name", ""))) or _turns_others_down(run):
        return False
    promised = _promised_stems(run.tool)
    said = {_asserted(call, promised) for call in _asked(succeeded)}
    return len(said) == 1 and None not in said


def _has_effects(calls: Sequence[Call]) -> bool:
    """Whether calls were seen to change a file that stays, to start a program, or to reach out."""
    seen = [call.effects for call in calls if call.effects]
    return any(
        one.programs or one.connections or any(not file.temporary for file in one.kept_files)
        for one in seen
    )


def _asserted(call: Call, promised: frozenset[str]) -> str | None:
    """What an answer says besides what was sent; None where that is more than "it is done"."""
    result = call.answer.result
    if not isinstance(result, dict):
        return None
    sent = {str(one) for one in leaves(call.scenario.arguments)}
    sent |= {str(len(one)) for one in call.scenario.arguments.values() if isinstance(one, list)}
    named = {_stem(word) for name in call.scenario.arguments for word in name_words(name)}
    told = []
    for leaf in (leaf for part in parts(result) for leaf in leaves(part)):
        if isinstance(leaf, str) and leaf not in sent:
            stems = named | {_stem(word) for one in sent for word in _words(one)}
            words = [word for word in _words(leaf) if _stem(word) not in stems]
            if any(word not in ACKNOWLEDGEMENTS and _stem(word) not in promised for word in words):
                return None
            told += words
        elif isinstance(leaf, bool):
            told.append(str(leaf))
        elif leaf is not None and str(leaf) not in sent:
            return None
    return " ".join(told)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]{1,80}", text[:LONGEST_READ].lower())


def _turns_others_down(run: ToolRun) -> bool:
    """Whether a tool refuses valid arguments other than those with which it succeeds.

    What it answers depends on them then: several may ask for the same, as "." and a folder do. That
    it refuses what is blank shows only that it looks for something there.
    """
    needed = _required(run.tool)
    refused = (call.scenario.arguments for call in run.calls if call.verdict.outcome == "unproven")
    return any(not _is_blank(sent.get(name)) for sent in refused for name in needed or sent)


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _succeeds_only_oddly(calls: Sequence[Call], succeeded: Sequence[Call]) -> bool:
    """Whether nothing succeeds that a caller would ask for: what odd calls get is a refusal."""
    return not any(map(_is_sensible, succeeded)) and any(map(_is_sensible, calls))


def _asked(succeeded: Sequence[Call]) -> Sequence[Call]:
    """The calls that a caller would make; all of them where none is one."""
    return [call for call in succeeded if _is_sensible(call)] or succeeded


def _is_sensible(call: Call) -> bool:
    scenario = call.scenario
    is_usual = scenario.category == "happy_path" or scenario.name.startswith(REAL)
    return is_usual and scenario.valid is True


def _is_changing(tool: Mapping[str, Any]) -> bool:
    return changing_verb_in(str(tool.get("name", ""))) is not None


def _is_seen_at_work(tool: Mapping[str, Any], calls: Sequence[Call]) -> bool:
    """Whether a tool that changes things was seen to change a file that stays: "OK" is enough."""
    files = (one for call in calls if call.effects for one in call.effects.kept_files)
    return _is_changing(tool) and any(not one.temporary for one in files)


def _tells_of_page(call: Call) -> bool:
    """Whether an answer holds what only a page that was fetched for it has."""
    stamps = [one.stamp for one in call.effects.requests] if call.effects else []
    if not any(stamps):
        return False
    told = key(call.answer.result).decode()
    return any(stamp and stamp in told for stamp in stamps)


def _is_asked_much(tool: Mapping[str, Any], calls: Sequence[Call]) -> bool:
    """Whether what a tool must be given was so different that one answer cannot fit it all."""
    needed = _required(tool)
    asked = {
        key(_once({name: call.scenario.arguments.get(name) for name in needed})) for call in calls
    }
    return bool(needed) and len(asked) >= MANY_ASKED


def _once(value: Any) -> Any:
    """The same with each item of its lists once: a longer list of the same asks nothing else."""
    if isinstance(value, dict):
        return {name: _once(one) for name, one in value.items()}
    return dict.fromkeys(key(one).decode() for one in value) if isinstance(value, list) else value


def _required(tool: Mapping[str, Any]) -> list[str]:
    """The arguments that must be given; one with a default may be left out."""
    schema = tool.get("inputSchema")
    named = schema.get("required") if isinstance(schema, dict) else None
    members = schema.get("properties") if isinstance(schema, dict) else None
    known = members if isinstance(members, dict) else {}
    return [
        name
        for name in (named if isinstance(named, list) else ())
        if isinstance(name, str) and "default" not in (known.get(name) or {})
    ]


def _keeps_promise(calls: Sequence[Call], promised: frozenset[str]) -> bool:
    """Whether the one answer says no more than what the tool says that it does: "Saved."."""
    result = calls[0].answer.result
    told = list(parts(result)) if isinstance(result, dict) else []
    return bool(told) and all(_only_says(part, promised) for part in told)


def _only_says(part: Any, promised: frozenset[str]) -> bool:
    """Whether all words of a part, or all values that are not true or false, are promised ones."""
    if isinstance(part, dict):
        leaves = part.values()
        return all(isinstance(leaf, bool) or _only_says(str(leaf), promised) for leaf in leaves)
    words = re.findall(r"\w{1,80}", str(part)[:LONGEST_READ].lower())
    return all(word in ACKNOWLEDGEMENTS or _stem(word) in promised for word in words)


def _stem(word: str) -> str:
    return word[:LONGEST_STEM]


def takes_arguments(tool: Mapping[str, Any]) -> bool:
    """Whether a tool has arguments by which its answers could vary."""
    schema = tool.get("inputSchema")
    members = schema.get("properties") if isinstance(schema, dict) else None
    known = members.items() if isinstance(members, dict) else ()
    return not all(_is_dummy(name, member) for name, member in known)


def _is_dummy(name: str, member: object) -> bool:
    """Whether an argument means nothing, by its name or by what is said of it."""
    said = member.get("description") if isinstance(member, dict) else None
    return name in DUMMY_NAMES or (
        isinstance(said, str) and bool(DUMMIES.search(said[:LONGEST_EMPTY]))
    )


def _has_substance(call: Call, promised: frozenset[str]) -> bool:
    result = call.answer.result
    if not isinstance(result, dict):
        return True
    if _is_promised(call):
        return True
    sent = [value for value in call.scenario.arguments.values() if value not in ("", None)]
    return any(_says_something(one, sent, promised) for one in parts(result))


def _is_promised(call: Call) -> bool:
    """Whether the answer has the members that the outputSchema of its tool asks for.

    Lists and objects with nothing in them may all be as asked for, and say nothing all the same.
    """
    metadata = call.result.response_metadata if call.result else None
    output = metadata.output_schema_validation if metadata else None
    is_met = output is not None and output.is_valid is True
    return is_met and any(map(_holds_anything, parts(call.answer.result)))


def _holds_anything(value: Any) -> bool:
    """Whether there is a value anywhere in lists and objects."""
    waiting = [value]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return False
        one = waiting.pop()
        if not isinstance(one, dict | list):
            return True
        waiting += one.values() if isinstance(one, dict) else one
    return True


def _says_something(value: Any, sent: list[Any], promised: frozenset[str]) -> bool:
    """Whether there is more in a value than flags, nothing, and what was sent."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for _ in range(MOST_LEAVES):
        if not waiting:
            return False
        name, one = waiting.pop()
        if isinstance(one, dict):
            told = ((key, member) for key, member in one.items() if not tells_of_error(key, member))
            waiting += ((member_word(key), member) for key, member in told)
        elif isinstance(one, list):
            waiting += ((name, item) for item in one)
        elif not (one in sent and name) and _is_substance(name, one, promised):
            return True
    return True


def _is_substance(name: str, leaf: Any, promised: frozenset[str]) -> bool:
    if isinstance(leaf, bool):
        return name[:LONGEST_STEM] in promised  # "valid" is all that "validate" promises
    if leaf is None or name in FLAGS or name in STATES:
        return False
    if isinstance(leaf, str):
        return _is_telling(leaf, promised)
    return bool(leaf)


def _is_telling(text: str, promised: frozenset[str]) -> bool:
    """Whether a text says more than that a tool was called."""
    if len(text) > LONGEST_EMPTY:
        return True
    words = [word.strip(".,!:;()[]{}'\"`✓✅ ") for word in text.lower().split()]
    said = [word for word in words if word and word not in ACKNOWLEDGEMENTS]
    is_as_promised = any(word[:LONGEST_STEM] in promised for word in words if len(word) > 1)
    return bool(said) or is_as_promised


def _promised_stems(tool: Mapping[str, Any]) -> frozenset[str]:
    """How the words begin by which a tool says what it does."""
    said = [tool.get(name) for name in ("title", "description")]
    words = " ".join(one for one in said if isinstance(one, str))[:LONGEST_READ].lower().split()
    own = {*name_words(str(tool.get("name", ""))), *(word.strip(".,!:;()'\"`") for word in words)}
    return frozenset(word[:LONGEST_STEM] for word in own if len(word) > 1)
