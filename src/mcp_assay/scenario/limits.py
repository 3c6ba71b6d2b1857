"""How much is done to make arguments for one tool; beyond it stands a sentence in the plan."""

from __future__ import annotations

from typing import Final

MAX_STEPS: Final = 20_000
"""So many schemas are unfolded for one plan."""

MAX_VALUES: Final = 2_000
"""So many values are made for one set of arguments."""

MAX_UNFOLDED: Final = 32
"""So many schemas may lead to one another at one and the same place."""

MAX_DEPTH: Final = 24
"""Levels of a made value."""

DEPTH_OF_OPTIONS: Final = 4
"""Below so many levels only what is required is made."""

MAX_TEXT: Final = 16_384
"""Characters of a made text: no longer than what patterns are matched with in this process."""

MAX_ITEMS: Final = 256
MAX_MEMBERS: Final = 256
MAX_ATTEMPTS: Final = 24
"""So often are arguments made anew before it is said that none fit."""

MAX_RANDOM_ATTEMPTS: Final = 4
"""The same for random arguments, of which there are others."""

MAX_BRANCHES_TRIED: Final = 4
"""So often are other branches chosen where those before cannot be made."""

MAX_REPEATS: Final = 12
"""So often is an item made anew that stood in the array before."""

MAX_UNDECIDED: Final = 3
"""After so many checks that came to no end, no more are made for the tool."""

MAX_ALTERNATIVES: Final = 8
"""So many branches of a schema are looked at where one must be found that suits."""

MAX_PLACES: Final = 64
"""So many places of the arguments are varied, one at a time."""

MAX_MATCHING: Final = 4_096
"""Characters of a text that is made for a pattern."""

MAX_GROUPS: Final = 64
"""So deep may the groups of a pattern lie in each other."""

MAX_LEFT_OUT: Final = 1_000
"""So many scenarios beyond the budget are counted."""

LONG_TEXT: Final = 4_096
"""Characters of a text that is long, where no limit is named."""

MANY_ITEMS: Final = 50
RANDOM_MISSES: Final = 20
"""After so many random arguments in a row that were tried before, no more are made."""

USUAL_MISSES: Final = 8
"""The same for usual arguments, of which there are few."""

MAX_USUAL: Final = 16
"""So many usual arguments are tried before rare and wrong ones, as long as none succeed."""

USUAL_SHARE: Final = 6
"""So many of them for each round of those."""

MAX_REAL: Final = 4
"""So many further values that really exist are tried for what a tool requires: records differ."""

FEW_EDGES: Final = 2
"""So many rare values are tried where the server has said which alone it takes."""

RANDOM_FAULT_MISSES: Final = 6
"""The same for random faults: each time, all that can be wrong with some arguments is tried."""

MAX_MINED: Final = 512
MAX_MINED_PER_NAME: Final = 8
MAX_MINED_TEXT: Final = 256
"""Characters of a mined value."""

MAX_READ_TEXT: Final = 262_144
"""Characters of an answer that are read in search of values."""

MAX_REFUSAL: Final = 4_096
"""Characters of a refusal that are read in search of allowed values."""

MAX_LISTED: Final = 64
"""So many allowed values are taken from one refusal."""

MAX_SHRINKS: Final = 60
"""So many smaller calls are proposed for one that fails."""

MAX_SHRINK_CANDIDATES: Final = 5_000
"""So many smaller calls are looked at to find those that are worth proposing."""
