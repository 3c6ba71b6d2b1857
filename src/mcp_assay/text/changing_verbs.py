"""Words in the name of a tool that say it changes something, and those that say it only looks."""

from __future__ import annotations

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

HARMLESS_ALONE: Final = frozenset({"add"})
"""A name of this one word is that of a sum."""

LOOKING: Final = word_set(
    """
    analyze browse calculate can check compare compute count describe diff discover estimate
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


def changing_verb_in(name: str) -> str | None:
    """The word by which the name of a tool says that it changes something, None where none does."""
    words = name_words(name)
    if len(words) == 1 and words[0] in HARMLESS_ALONE:
        return None
    looking = False
    for written in split_name(name):
        word = written.lower()
        if word in ALWAYS_CHANGING or (word in CHANGING_AS_VERBS and not looking):
            return word
        if written.isupper() and not looking and (verb := _verb_in_one(word)):
            return verb
        looking = word in LOOKING or (looking and word not in AND)
    return None


def _verb_in_one(word: str) -> str | None:
    """The verb with which a word begins that was written without a gap: the drop of DROPTABLE."""
    for end in range(SHORTEST_IN_ONE, len(word) - SHORTEST_THING + 1):
        if word[:end] in IN_ONE and word[end:] not in ENDINGS:
            return word[:end]
    return None


def is_looking_name(name: str) -> bool:
    """Whether a name begins with a verb that only looks."""
    return not LOOKING.isdisjoint(name_words(name)[:1])
