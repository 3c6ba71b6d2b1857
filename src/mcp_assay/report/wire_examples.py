"""Examples of rules as they pass over the wire: what the client sends, and what the server does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_assay.rules.engine.rule import Example
from mcp_assay.text.safe import shorten

LONGEST: Final = 300
MOST_LINES: Final = 12
"""So many lines are shown; those before the first that matters are left out."""
CONTEXT: Final = 60
"""So many characters are shown before the place where two long texts differ."""
CLIENT, SERVER = "client:", "server:"
TOLD: Final[Mapping[str, str]] = {
    "crashed": '{"content": [{"type": "text", "text": "KeyError: 2"}], "isError": true}',
    "environment": '{"content": [{"type": "text", "text": "Connection refused"}], "isError": true}',
    "died": "(exits)",
    "timed_out": "(no response in time)",
    "accepted": '{"content": [{"type": "text", "text": "done"}]}',
}
"""What a server does in such a trouble, where the example does not say it."""
EFFECT_WORDS: Final = (
    *("what", "how", "path", "host", "address", "port", "protocol"),
    *("method", "url"),
)
EFFECT_MARKS: Final = ("bookkeeping", "temporary", "late")
DONE: Final = TOLD["accepted"]
REFUSED: Final = '{"content": [{"type": "text", "text": "id must be a number"}], "isError": true}'
ENDINGS: Final[Mapping[str, str]] = {
    "timed_out": "(no response in time)",
    "died": "(exits)",
    "closed": "(closes the connection)",
    "reset": "(resets the connection)",
    "cut_short": "(breaks off in the middle of the response)",
}
STEPS: Final[Mapping[str, str]] = {
    "connect anew": "(connects anew)",
    "listen": "(subscribes to notifications)",
    "linger": "(waits)",
    "end": "(closes the connection)",
}
"""Steps of a probe that are no message."""


def is_dialogue(example: Example) -> bool:
    """Whether the example is of calls or of a probe, not a message itself."""
    value = example.value
    return isinstance(value, dict) and ("dialogue" in value or {"tool", "calls"} <= value.keys())


def _is_of_effects(value: Mapping[str, Any]) -> bool:
    return any("effects" in call for call in value.get("calls", ()))


def dialogue_lines(example: Example, *, is_bad: bool) -> list[str]:
    """What passes over the wire, numbered, a line each way; of a bad call, where it goes wrong."""
    value = example.value
    if _is_of_effects(value):
        return list(_effect_lines(value))
    exchanges = list(_calls(value) if "calls" in value else _steps(value))
    marked = _marked(example) if is_bad else None
    first = max(len(exchanges) - MOST_LINES // 2, 0)
    lines = [*_listed(value), *([f"… {first} exchanges before"] if first else [])]
    for number, (sent, came) in enumerate(exchanges[first:], first):
        lines.append(f"{number + 1} {CLIENT} {shorten(sent, LONGEST)}")
        lines.extend([f"  {SERVER} {shorten(came, LONGEST)}"] if came else [])
        lines[-1] += "   -> here" if number == marked else ""
    return [*lines, *_observed(value)]


def _listed(value: Mapping[str, Any]) -> Iterator[str]:
    """What the server lists or declares, where the example rests on it."""
    for place in value.get("places", ()):
        if listed := place.get("listed"):
            name = place["pointer"].removeprefix("/")
            yield f"{SERVER} inputSchema of {name}: {_json({'enum': listed})}"
    if annotations := value.get("tool", {}).get("annotations"):
        yield f"{SERVER} annotations {_json(annotations)}"
    server = value.get("server", {})
    if not value.get("dialogue", True):
        tools = [tool.get("name") for tool in server.get("tools", ())]
        yield f"{SERVER} capabilities {_json(server.get('capabilities', {}))}, tools {_json(tools)}"


def _effect_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """A call, or the start of a server, and what it does to the machine."""
    tool = value["tool"]
    if tool is None:
        yield "(starts)"
    else:
        hints = {name: its for name, its in tool.items() if its}
        yield f"{SERVER} lists {_json(hints)}"
    if named := value["places"].get("named"):
        yield f"{SERVER} was given {', '.join(named)}"
    for call in value["calls"]:
        if tool is not None:
            sent = {"name": tool["name"], "arguments": call["arguments"]}
            yield f"1 {CLIENT} tools/call {_json(sent)}"
        yield from (f"  {line}" for line in _done(call["effects"]))
        if call["again"] is not None:
            yield f"2 {CLIENT} the same again"
            yield from (f"  {line}" for line in _done(call["again"]))


def _done(effects: Mapping[str, Any]) -> Iterator[str]:
    rows = [(name, one) for name, rows in effects.items() if name != "late" for one in rows]
    for name, row in rows:
        if not isinstance(row, Mapping):
            yield f"{name}: {row}"
            continue
        words = row.get("argv") or [row[one] for one in EFFECT_WORDS if one in row]
        marks = [mark for mark in EFFECT_MARKS if row.get(mark)]
        size = (row.get("after") or {}).get("size")
        more = ", ".join([*marks, *(["empty"] if size == 0 else [])])
        yield f"{name}: {' '.join(map(str, words))}" + (f" ({more})" if more else "")
    if not rows:
        yield "(changes nothing)"


def _observed(value: Mapping[str, Any]) -> Iterator[str]:
    """What others answer before and after, what calls did, and what could not be sent at all."""
    for gap in value.get("gaps", ()):
        yield f"(not sent) {gap if isinstance(gap, str) else gap[-1]}"
    for one in value.get("observations", ()):
        before, after = one["before"][-1], one["after"][0]
        yield f"{one['reader']} answers {_json(before)} before, {_json(after)} after"
    for hint in (value.get("proposed") or {}).get("hints", ()):
        yield f"in a disposable world: {hint['reason']}"


def _marked(example: Example) -> int | None:
    """The call that shows the fault."""
    steps = example.pointer.split("/")
    is_call = len(steps) > 2 and steps[1] == "calls" and steps[2].isdecimal()
    return int(steps[2]) if is_call else None


def _calls(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name = value["tool"].get("name")
    for call in value["calls"]:
        sent = json.dumps({"name": name, "arguments": call["arguments"]}, ensure_ascii=False)
        yield f"tools/call {sent}", _outcome(call)


def _outcome(call: Mapping[str, Any]) -> str:
    """What came of a call, and how long it took where that is the point."""
    seconds = f" (after {call['seconds']:g} s)" if call.get("seconds") else ""
    if ending := ENDINGS.get(call.get("ending", "")):
        return ending + seconds
    known = {name: call[name] for name in ("result", "error") if call.get(name) is not None}
    if known:
        return _json(known.get("result", known)) + seconds
    if call.get("status"):
        return f"(HTTP status {call['status']})"
    is_refused = not call["valid"] or call.get("outcome") == "unproven"
    if is_refused and call.get("allowed"):
        text = f"must be one of {', '.join(map(str, call['allowed']))}"
        return _json({"content": [{"type": "text", "text": text}], "isError": True})
    default = REFUSED if is_refused else DONE
    return TOLD.get(call.get("trouble") or "", default) + seconds


def _steps(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in value["dialogue"]:
        yield _sent(one["sent"]), _came(one["came"])


def _sent(step: Mapping[str, Any]) -> str:
    kind = step.get("step", "")
    if kind in STEPS:
        return STEPS[kind]
    if kind == "raw":
        return str(step.get("text", ""))
    if kind == "http":
        headers = [f"{name}: {value}" for name, value in (step.get("headers") or {}).items()]
        start = " ".join(filter(None, (step.get("verb"), step.get("path"))))
        return " · ".join(filter(None, (start, *headers, step.get("body"))))
    bent = {f"with {name}": value for name, value in (step.get("bend") or {}).items()}
    known = {name: step[name] for name in ("method", "params") if step.get(name) is not None}
    return _json({**known, **bent})


def _came(reply: Mapping[str, Any]) -> str:
    if ending := ENDINGS.get(reply.get("ending", "")):
        return ending
    parts = [f"HTTP {reply['status']}"] if reply.get("status") else []
    parts += [f"{name}: {value}" for name, value in (reply.get("headers") or {}).items()]
    known = {name: reply[name] for name in ("result", "error") if reply.get(name) is not None}
    parts += [_json(known)] if known else []
    for name in ("messages", "notifications", "strays"):
        parts += [_json(one) for one in reply.get(name) or ()]
    return " · ".join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def telling_apart(texts: Sequence[str], longest: int) -> list[str]:
    """Two texts, cut so that the place where they differ is in sight."""
    shared = next(
        (at for at, (one, other) in enumerate(zip(*texts, strict=False)) if one != other),
        min(map(len, texts)),
    )
    start = shared - CONTEXT if shared > longest - CONTEXT else 0
    return [shorten(f"…{text[start:]}" if start else text, longest) for text in texts]
