"""What a response says that its isError does not, read by its structure: members, texts.

This is the one reader of answers: `ResponseJudge` has every answer read by it, for the public
functions, for an assessment, for shrinking, and for contract tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from mcp_assay.judge import sign_wording as wording
from mcp_assay.judge.members import (
    DECORATION,
    failing_items,
    failing_member,
    shown_member,
    step_member,
    success_member,
    texts_in,
    unfinished_member,
    words_in,
)
from mcp_assay.judge.outcomes import has_found_nothing, is_announced
from mcp_assay.judge.result_value import ResultValue, is_wrapped, listing_in, result_value
from mcp_assay.judge.sent_values import LONG, SentValues, with_sent_on_one_line
from mcp_assay.judge.sentences import MOST_SENTENCES, Hits, SentenceReader, split
from mcp_assay.judge.tool_subject import ToolSubject
from mcp_assay.model.verdict import ErrorKind, ResponseSign, SignKind
from mcp_assay.wire.pointer import pointer

LONGEST_BESIDES: Final = 2_000
"""A text that goes on for longer has something else to say."""
LONGEST_WHOLE: Final = 300
"""A text that is read as a whole is not longer."""
LONGEST_SHOWN: Final = 100
MOST_BLOCKS: Final = 3
DATA: Final = ("[{", "[[", '["', "```")
"""How a text begins that is a list or a program."""
ERROR_FLAGS: Final = (True, "true", "True")
"""What isError may be where a call failed; texts are wrong, and meant."""


class SignReader:
    """Reads one response in the light of its call."""

    def __init__(
        self, response: Mapping[str, Any], arguments: object, tool: object, hits: Hits
    ) -> None:
        self._response: Final = with_sent_on_one_line(response, arguments)
        self._sent: Final = SentValues(arguments, tool)
        self._tool: Final = tool
        self._is_bare: Final = not arguments
        self._subject: Final = ToolSubject(tool)
        self._said: Final[ResultValue] = result_value(self._response)
        self._reader: Final = SentenceReader(hits, self._sent, self._subject)

    def of_success(
        self, kind: Callable[[], ErrorKind], *, is_promised: bool
    ) -> ResponseSign | None:
        """What a result without isError says against its success.

        `kind` tells what error it would be; `is_promised`: it meets the outputSchema of its tool.
        """
        found = self._failing_member() or self._failing_text(kind)
        if found and not is_announced(self._tool, self._said.value, found[0]):
            return self._sign("unflagged_error", *found)
        if found := self._unfinished():
            return self._sign("not_implemented", *found)
        if found := self._another_step():
            return self._sign("another_step", *found)
        if found := self._failing_sentence():
            return self._sign("unflagged_error", *found)
        if not is_promised and (text := self._nothing()) is not None:
            return self._sign("no_information", text)
        return None

    def of_error(self) -> ResponseSign | None:
        """What a result with isError says for its success."""
        value = self._said.value
        if value is not None:
            name = success_member(value)
            if name is None:
                return None
            return self._sign("flagged_success", shown_member(value, (name,)), name)
        found = self._whole_text
        if found and wording.SUCCESS.match(found.lower()):
            return self._sign("flagged_success", found)
        return None

    def _sign(self, kind: SignKind, text: str, *steps: str) -> ResponseSign:
        shown = text.strip()[:LONGEST_SHOWN]
        return ResponseSign(kind, shown, pointer((*self._said.place, *steps)))

    # Members

    def _failing_member(self) -> tuple[str, ...] | None:
        """The member by which an object, or a list for people, says that the call failed."""
        items = self._said.items
        if way := failing_items(items, self._sent, self._subject):
            return shown_member(items[0], way), "0", *way
        value, is_json = self._said.value, True
        if value is None:
            value, is_json = self._listing, False
        if value is None:
            return None
        if way := failing_member(value, self._sent, self._subject):
            return shown_member(value, way), *(way if is_json else ())
        texts = texts_in(value, self._sent) if is_json else None
        if not texts or self._subject.is_errors:
            return None
        return (texts[0],) if len(texts) == 1 and self._is_error_text(texts[0]) else None

    @cached_property
    def _listing(self) -> Mapping[str, Any] | None:
        """The object that the one text of a result is for people."""
        if not self._said.is_text_alone or self._subject.is_speech:
            return None
        return listing_in(self._said.texts[0])

    # Texts

    def _failing_text(self, kind: Callable[[], ErrorKind]) -> tuple[str, ...] | None:
        """The text by which a result says that the call failed."""
        texts = self._said.texts
        if (place := self._said.flagged_block) is not None:
            return (str(self._response["content"][place]["text"]),)
        if self._said.value is not None or not texts:
            return None
        if self._subject.is_errors:
            return self._failing_read()
        first = texts[0]
        if self._is_error_text(first):
            return (first,) if self._is_its_own(first, kind) else None
        whole = self._whole_text
        if whole is None or self._subject.is_speech:
            return None
        return (whole,) if self._is_whole_error(whole) else None

    def _failing_read(self) -> tuple[str, ...] | None:
        """The text by which a tool about errors says that it could not get at them."""
        whole = self._whole_text or ""
        is_unread = wording.NOT_READ.match(whole.strip(DECORATION).lower())
        return (whole,) if is_unread and self._subject.is_named_in(whole) else None

    def _is_its_own(self, text: str, kind: Callable[[], ErrorKind]) -> bool:
        """Whether the tool speaks for itself, and does not give back what somebody wrote."""
        if not self._subject.is_speech:
            return True
        return self._sent.is_named_in(text) or kind() in ("environment", "failure")

    def _is_whole_error(self, whole: str) -> bool:
        bare = whole.strip(DECORATION)
        if wording.SIGNATURE.match(bare):
            return True
        small = bare.lower()
        if self._subject.removes and wording.GONE.search(small):
            return False
        if wording.NOT_THERE.match(small):
            is_generic = len(small.split()) <= len(["no", "such", "file"])
            is_answer = self._subject.is_lookup
            return not is_answer and (is_generic or self._sent.is_named_in(whole))
        is_refusal = wording.REFUSED.match(small) is not None or self._demands(small)
        return (is_refusal and not self._subject.is_states) or self._asks(small)

    def _demands(self, text: str) -> bool:
        """Whether a text says what an argument of the tool must be."""
        found = wording.DEMAND.match(text)
        return found is not None and found[1] in self._sent.names

    def _asks(self, text: str) -> bool:
        """Whether a text asks for an argument of the tool that was not sent."""
        return wording.REQUEST.match(text) is not None and self._sent.lacks_named_in(text)

    def _is_error_text(self, text: str) -> bool:
        """Whether a text begins as one about an error does, and not as an echo of what was sent."""
        opening = text.lstrip(DECORATION)[:LONG].lower()
        if not wording.OPENING.match(opening):
            return False
        return len(self._sent.without_long(text)) <= LONGEST_BESIDES and not self._sent.begins(
            opening
        )

    # Sentences

    def _failing_sentence(self) -> tuple[str, ...] | None:
        """The sentence by which a result says that the call failed, wherever it stands."""
        if self._subject.is_errors or self._subject.is_states:
            return None
        value = self._said.value
        if value is not None and success_member(value, self._subject.stem):
            return None
        if self._begins_well:
            return None
        is_object = value is not None
        found = self._reader.failing(self._sentences, is_prose=not is_object)
        if found is None:
            found = self._reader.doubtful(self._sentences)
        if found is None and not is_object:
            found = self._failing_block() or self._failing_start() or self._failing_end()
        return (found,) if found and not self._is_answer(found) else None

    def _is_answer(self, sentence: str) -> bool:
        """Whether a sentence is what was asked for: announced, or that nothing is there.

        Nobody named a thing in a call without arguments: what there is, is what it asks.
        """
        if self._finds_nothing(sentence) or is_announced(self._tool, self._said.value, sentence):
            return True
        is_asked = has_found_nothing(self._said.value) or (self._is_bare and self._subject.tells)
        return is_asked and self._reader.read(sentence).is_absence

    @property
    def _begins_well(self) -> bool:
        """Whether a text begins as one that reports a success, and nothing in it denies that."""
        first = self._said.texts[0] if self._said.texts and self._said.is_text_alone else ""
        return wording.SUCCESS.match(" ".join(first[:LONG].lower().split())) is not None

    def _finds_nothing(self, sentence: str) -> bool:
        """Whether a tool that lists or looks for things says that there are none: an answer."""
        is_none = wording.NONE_FOUND.fullmatch(sentence.strip(DECORATION).lower()) is not None
        return is_none and self._subject.is_list

    @cached_property
    def _short_texts(self) -> list[str]:
        """All that a result says, where that is little and nobody sent it."""
        if self._said.value is not None:
            texts = words_in(self._said.value, self._sent) or []
            texts = [] if self._subject.is_http else texts
        else:
            texts = list(self._said.texts) if self._has_only_texts else []
            texts = [] if any(text.lstrip().startswith(DATA) for text in texts) else texts
        rest = list(map(self._sent.without_long, texts))
        if len("\n".join(rest)) > LONGEST_WHOLE:
            return []
        return [text for text in rest if not any(text.strip() in one for one in self._sent.nested)]

    @cached_property
    def _sentences(self) -> list[str]:
        return [one for text in self._short_texts for one in split(text)]

    @property
    def _has_only_texts(self) -> bool:
        content = self._response.get("content")
        return isinstance(content, list) and len(content) == len(self._said.texts)

    def _failing_block(self) -> str | None:
        """The block that is a report of a failure, beside others that are not."""
        texts = self._said.texts
        if not 1 < len(texts) <= MOST_BLOCKS or self._subject.hands_out:
            return None
        return next(
            filter(None, (self._reader.failing(split(text), is_all=False) for text in texts)), None
        )

    def _failing_start(self) -> str | None:
        first = self._said.texts[0] if self._said.is_text_alone else ""
        return self._reader.failing_title(first) if len(first) <= LONGEST_BESIDES else None

    def _failing_end(self) -> str | None:
        last = self._said.texts[-1] if self._said.texts else ""
        return self._reader.failing_end(last) if len(last) <= LONGEST_BESIDES else None

    def _unfinished(self) -> tuple[str, ...] | None:
        value = self._said.value
        if value and (name := unfinished_member(value)) and not self._subject.is_states:
            return shown_member(value, (name,)), name
        if self._subject.is_filler or self._subject.is_plan:
            return None
        return self._matching(wording.NOT_IMPLEMENTED)

    def _another_step(self) -> tuple[str, ...] | None:
        value = self._said.value
        if value and (name := step_member(value)):
            return shown_member(value, (name,)), name
        if not self._sent.asks_for("dry") and (found := self._matching(wording.DRY_RUN)):
            return found
        return self._matching(wording.ANOTHER_STEP) or self._matching(
            wording.CALL_AGAIN, anywhere=True
        )

    def _matching(self, form: re.Pattern[str], *, anywhere: bool = False) -> tuple[str, ...] | None:
        """The sentence of this form with which a short result begins, or that it has at all."""
        if self._subject.may_say_anything or self._subject.is_container:
            return None
        if len(self._sentences) > MOST_SENTENCES:
            return None
        looked_at = self._sentences if anywhere else self._sentences[:1]
        return next(((one,) for one in looked_at if form.match(one.lower())), None)

    @cached_property
    def _whole_text(self) -> str | None:
        """The one short text that a result consists of, if nobody sent it."""
        text = self._said.texts[0].strip() if self._said.is_text_alone else ""
        if not text or len(self._sent.without_long(text)) > LONGEST_WHOLE or "\n\n" in text:
            return None
        is_sent = any(text in value for value in self._sent.texts)
        return None if is_sent else text[:LONG]

    def _nothing(self) -> str | None:
        """The text of a result that says nothing at all; None where there is something."""
        structured = self._response.get("structuredContent")
        if structured and not is_wrapped(structured, self._said.texts):
            return None
        if not self._said.texts or not self._has_only_texts or self._subject.evaluates:
            return None
        said = [bare for text in self._said.texts if (bare := text.strip(wording.INVISIBLE))]
        if any(not wording.ACCIDENT.fullmatch(text[:LONG]) for text in said):
            return None
        shown = set(self._sent.shown())
        is_sent = any(text in shown for text in said)
        return None if is_sent else (said[0] if said else "")
