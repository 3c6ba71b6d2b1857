"""Words in the name of a tool that say it changes something, and those that say it only looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mcp_assay.text.names import name_words, split_name, word_set

ALWAYS_CHANGING: Final = word_set(
    """
    abort add alter append apply approve assign attach ban broadcast buy cancel clear create
    deactivate decline delete deploy destroy detach disable disconnect dispatch drop duplicate edit
    eject enable enqueue erase exec execute forget forward grant increment initialize insert install
    invoke kill migrate mkdir modify mutate mv notify nuke overwrite pay persist prune publish purge
    put reassign reboot reject reload remove rename reopen reorder replace reschedule resize restart
    revoke rm rmdir rotate sell send setup shutdown spawn spend submit subscribe suspend terminate
    toggle truncate unarchive unassign unban unblock undo unfollow uninstall unlink unlock unmark
    unpublish unregister unset unsubscribe untag upload upsert wipe withdraw write
    """
)
"""A tool with one of these words in its name changes something."""

CHANGING_AS_VERBS: Final = word_set(
    """
    archive block book build call change charge checkout cleanup click clone close comment commit
    connect copy del deposit draft drag email eval fill fire flush follow fork import init invite
    join kick launch leave lock login logout mark merge move navigate order patch pause pin post
    press purchase push rebase refund register reply reset restore resume retry revert rollback run
    save schedule set share sign signup start stash stop store swap switch sync tag touch trade
    transfer trigger turn tweet update upgrade vote
    """
)
"""Deeds as often as things: behind a looking verb they are things."""

RECORDS: Final = word_set(
    "book build call charge commit deposit fork order patch purchase refund trade transfer vote"
)
"""Deeds that are as often the things which are left of them: nobody does their state or list."""
EVENTS: Final = word_set(
    """
    archive block checkout import invite lock login logout merge run schedule signup sync tag
    upgrade
    """
)
"""Deeds that can be done to a list or a text, but not to a state or a number."""
MESSAGES: Final = word_set("comment draft email pin post reply share store tweet")
"""Deeds that can be done to whatever can be told, but not to a number."""
NUMBERS: Final = word_set(
    """
    count counts frequency id ids number numbers percentage price prices rank ratio size statistics
    stats total totals type types volume
    """
)
PAST: Final = word_set("history histories")
STATES: Final = word_set("availability eligibility progress state states status statuses timeline")
CONTENTS: Final = word_set("book detail details info information list log logs metadata")
"""What things have: the last word of a compound, which says what it is."""
HEADS: Final = (
    (RECORDS, NUMBERS | PAST | STATES | CONTENTS),
    (EVENTS, NUMBERS | PAST | STATES),
    (MESSAGES, NUMBERS | PAST),
)
"""Before one of these heads a word is a thing: an order status, a share price."""
ATTRIBUTES: Final = word_set(
    "current earliest first last latest newest oldest popular previous recent top upcoming"
)
"""Directly behind one of these stands a thing."""
COMPOUNDS: Final = {
    "book": word_set("address audio comic contact cook guest log note order phone recipe visitor"),
    "order": word_set("alphabetical display reading sort sorting tab"),
    "post": word_set("blog"),
    "share": word_set("market"),
    "store": word_set("app book"),
    "tag": word_set("hash meta price"),
}
"""Words that are things behind these: what is an address cannot be booked, as a flight can."""
DOING: Final = word_set(
    """
    accept auto batch bulk complete confirm do finalize force fulfill give handle issue make mass
    now open perform place process quick raise request return settle take
    """
)
"""A name with one of these words does what it names."""

HARMLESS_ALONE: Final = frozenset({"add"})
"""A name of this one word is that of a sum."""

LOOKING: Final = word_set(
    """
    analyze browse calc calculate can check compare compute count describe diff discover estimate
    evaluate explain fetch find get has inspect is list look lookup peek preview query read retrieve
    search show summarize validate verify view what whoami
    """
)
"""A name that begins with one of these is likely that of a tool that only looks."""

DESTROYING: Final = word_set("delete destroy drop erase purge truncate wipe")
"""What these do cannot be undone."""

AND: Final = word_set("and or then")
"""Behind one of these a name goes on to another deed."""

SHORTEST_IN_ONE: Final = 4
"""A shorter verb begins too many words that are none: ADDRESS, PAYLOAD, BANK."""

IN_ONE: Final = frozenset(
    verb for verb in ALWAYS_CHANGING | {"update"} if len(verb) >= SHORTEST_IN_ONE
)
"""A word of capitals that begins with one of these changes something: DROPTABLE."""

SHORTEST_THING: Final = 3
ENDINGS: Final = word_set(
    """
    able ables ance ation ations box cumented dat dby dfrom down ees ence ent ers ful ing ings ion
    ions ive ives lation lations led let lets ling ment ments native natives orial ors ted ting tion
    ution utions utive utives utor
    """
)
"""What makes another word of a verb: a DEPLOYMENT, a DROPDOWN or an ALTERNATIVE is no deed."""


ADDING: Final = word_set(
    """
    add append attach book broadcast build clone comment copy create draft duplicate email enqueue
    fork import init initialize insert install invite join launch login mkdir notify order pin post
    publish purchase register reply schedule send setup share sign signup spawn start store submit
    subscribe tag touch tweet upload vote
    """
)
"""Changing verbs after which all is still there that was there before."""
OTHERS: Final = (ALWAYS_CHANGING - ADDING) | word_set("change merge move patch reset set update")
"""Changing verbs after which something is gone or other than before."""


def changing_verb_in(name: str) -> str | None:
    """The word by which the name of a tool says that it changes something, None where none does."""
    words = name_words(name)
    if len(words) == 1 and words[0] in HARMLESS_ALONE:
        return None
    looking = False
    for at, written in enumerate(written_words := split_name(name)):
        word = written.lower()
        if word in ALWAYS_CHANGING:
            return word
        if word in CHANGING_AS_VERBS and not looking and not _is_thing(written_words, at):
            return word
        if written.isupper() and not looking and (verb := _verb_in_one(word)):
            return verb
        looking = word in LOOKING or (looking and word not in AND)
    return None


def _is_thing(written: Sequence[str], at: int) -> bool:
    """Whether a word that may be a deed is a thing by its place in a compound.

    The head of a compound comes last; where anything speaks for a deed, it is one.
    """
    words = [word.lower() for word in written if not word.isdecimal()]
    word, before = written[at].lower(), [one.lower() for one in written[:at]]
    if not (DOING | AND).isdisjoint(words):
        return False
    behind = [one.lower() for one in written[at + 1 :]]
    modifier = before[-1] if before else ""
    if not behind:
        return modifier in ATTRIBUTES or modifier in COMPOUNDS.get(word, ())
    between = behind[:-1]
    is_compound = ((CHANGING_AS_VERBS - RECORDS) | LOOKING).isdisjoint(between)
    return is_compound and any(word in things and behind[-1] in heads for things, heads in HEADS)


def _verb_in_one(word: str) -> str | None:
    """The verb with which a word begins that was written without a gap: the drop of DROPTABLE."""
    for end in range(SHORTEST_IN_ONE, len(word) - SHORTEST_THING + 1):
        if word[:end] in IN_ONE and word[end:] not in ENDINGS:
            return word[:end]
    return None


def is_looking_name(name: str) -> bool:
    """Whether a name begins with a verb that only looks."""
    return not LOOKING.isdisjoint(name_words(name)[:1])


def only_adds(name: str) -> bool:
    """Whether a name says that something is added and nothing else done: not create or replace."""
    words = name_words(name)
    at = next((number for number, word in enumerate(words) if word in AND), len(words))
    return changing_verb_in(name) in ADDING and OTHERS.isdisjoint(words[at:])
