"""Whether an answer only says that something else must be so first, or that a deed has begun.

Nobody is accused for it: it is an honest answer. It is only no proof that the tool works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.judge.members import DECORATION
from mcp_assay.judge.tool_subject import ToolSubject
from mcp_assay.model.call import Call
from mcp_assay.text.names import name_words

LONGEST: Final = 120
"""Who says more has something else to say."""
SHORTEST_SENT: Final = 3
"""A value that is shorter stands in many texts by accident."""
_STATE: Final = (
    r"(?:active|attached|available|configured|connected|enabled|in progress|initiali[sz]ed|loaded"
    r"|logged in|open|opened|paused|ready|registered|running|selected|set|started|stopped)"
)
_THING: Final = r"(?:[a-z][\w.'-]{0,40}(?: [\w.'-]{1,40}){0,3}?)"
_REST: Final = r"\b[^\n]{0,120}"
NOT_READY: Final = re.compile(
    rf"(?:the |this |your )?{_THING} (?:is|are|was|were|has|have)(?:n't| not)(?: yet)?"
    rf"(?: currently)?(?: been)? {_STATE}{_REST}"
    rf"|(?:there is |there are )?no (?:active |current |open |running )?{_THING}"
    rf"(?: is| are| has been)?(?: currently)? {_STATE}{_REST}"
)
"""That a thing is not in the state in which something could be done; matched in small letters."""
BEGUN: Final = re.compile(rf"(?:now )?[a-z]{{3,20}}ing{_REST}(?:\.\.\.|\u2026)")
"""That something is being tried, with its outcome left open; matched in small letters."""


def is_undone(call: Call, tool: Mapping[str, Any]) -> bool:
    """Whether all that an answer says is that the deed has begun, or could not begin."""
    text = _only_text(call.answer.result)
    if not text or len(text) > LONGEST:
        return False
    small = text.strip(DECORATION).lower()
    if BEGUN.fullmatch(small):
        return True
    found = NOT_READY.fullmatch(small)
    return found is not None and not _is_asked_for(found[0], tool, call.scenario.arguments)


def _is_asked_for(said: str, tool: Mapping[str, Any], sent: object) -> bool:
    """Whether a state is what was asked for: of what the tool is named by, or what was sent."""
    subject = ToolSubject(dict(tool))
    if subject.is_states or subject.is_lookup or subject.is_errors or subject.is_speech:
        return True
    named = set(name_words(str(tool.get("name", ""))))
    is_named = not named.isdisjoint(re.findall(r"\w+", said))
    return is_named or any(one.lower() in said for one in _sent_texts(sent))


def _sent_texts(sent: object) -> Iterator[str]:
    values = sent.values() if isinstance(sent, dict) else ()
    return (one for one in values if isinstance(one, str) and len(one) >= SHORTEST_SENT)


def _only_text(result: Any) -> str:
    """The one text of a result that has nothing else."""
    content = result.get("content") if isinstance(result, dict) else None
    if not isinstance(content, list) or len(content) != 1 or not isinstance(content[0], dict):
        return ""
    text = content[0].get("text")
    structured = result.get("structuredContent")
    is_alone = not structured or (isinstance(structured, dict) and len(structured) == 1)
    return text.strip() if isinstance(text, str) and is_alone else ""
