"""Our end of one world: what its watcher saw, asked for around each call."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final
from urllib.parse import unquote_plus

from msgspec.structs import replace

from mcp_assay.client.sandbox.authority import authority
from mcp_assay.client.sandbox.site_places import Places, joined, lasting, places_in
from mcp_assay.client.sandbox.specification import SAMPLES
from mcp_assay.client.sandbox.told_effects import effects_of
from mcp_assay.model.effect import NOTHING, Effects, SandboxRow, SecretRead
from mcp_assay.model.report import Limit
from mcp_assay.text.encoded_secrets import holds, holds_as_name

ANSWER_SECONDS: Final = 5.0
"""So long a watcher may take to look; one that takes longer was stopped, or is dead."""
DIFFERENCE_SECONDS: Final = 20.0
MOST_CHANGES: Final = 20_000
"""So many changes are taken for a patch."""
TOLD: Final = "told"
SENT: Final = "sent"
SECRET: Final = "{secret}"
SENT_NAME: Final = "{{secret}}.{}"
"""A host in whose name a secret stood."""
SILENT: Final = "the watcher of the sandbox stopped: what later calls did is not known"
CUTS: Final = {
    "files": (50_000, "further files of the sandbox were not looked at"),
    "folders": (200, "folders beside very deep ones were not looked at"),
    "closed": (1, "folders that the server closed to its own user were not looked into"),
    "bytes": (16 << 20, "files too large to compare were not compared"),
    "changes": (5000, "further changed files were only counted"),
    "diffs": (256 << 10, "further differences of texts were left out"),
    "names": (1000, "further host names were only counted"),
    "questions": (1, "questions for names that could not be read were ignored"),
    "connections": (500, "further connections were only counted"),
    "requests": (100, "further requests to the web site of the sandbox were only counted"),
    "packets": (1, "packets were lost before they could be looked at"),
    "backlog": (1, "more happened than there was time to look at: not all is told with its call"),
    "programs": (500, "further programs were only counted"),
    "unread calls": (1, "programs were started whose command could not be read"),
    "processes": (500, "further processes were not looked at"),
    "secrets": (1, "planted secrets could not be watched all the time"),
    "places": (1, "folders were not watched: they cannot be read from outside"),
    "patch": (1, "the difference could not be written into the folder of --keep-world"),
    "silent": (1, SILENT),
}
"""For each thing that a watcher leaves out: the bound, and what that means."""
BOUNDS: Final = {
    "memory": ("memory_bytes", "the server took more memory and was ended"),
    "scarce": ("memory_bytes", "the machine had hardly any memory left, and the server was ended"),
    "processes": ("processes", "the server started more processes and was ended"),
    "disk": ("disk_bytes", "the disk of the sandbox was full, and writing failed"),
}
"""For each bound of a world: its name among the limits, and what became of the server."""
SHOWN: Final = {"copy": "copied", "prepared": "prepared"}
"""What became of the working folder, by the kind of its place, where it is no overlay."""
UNPLANTED: Final = "no secrets could be planted, so nobody can be seen to read one"
UNSIGNED: Final = "the web site answers without HTTPS: the library cryptography is missing"
BLIND: Final = (
    "bubblewrap shows neither host names nor packets: connections are known by attempts alone",
    "bubblewrap lets nobody see who reads planted secrets",
    "with bubblewrap no web site answers for hosts in arguments, and no policy can be checked",
)


class World:
    """One disposable world, from the start of its server to the end."""

    def __init__(
        self,
        told: dict[str, Any],
        say: Callable[[dict[str, Any]], None],
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self._secrets: Final = secrets or {}
        """What the server must keep to itself, by where it has it."""
        self.told: Final = told
        """What the launcher said when the server had started."""
        self.is_watched = True
        """Whether the watcher still answers."""
        self.has_begun = False
        """Whether a call was made."""
        self.is_asked = False
        """Whether the server was asked anything since it was looked at last."""
        self.changes: Final[list[dict[str, Any]]] = []
        """What was told of the whole difference, for a patch."""
        self.cuts: Final = Counter[str]()
        self.reached: Final[list[Limit]] = []
        """The bounds of the world that the server has come to."""
        self._say: Final = say
        self._numbers: Final = count(1)
        self._waiting: Final[dict[int, asyncio.Future[dict[str, Any]]]] = {}
        self._places: Places = {}
        """What the web site answers for."""
        self._kept_places: Places = {}
        """That of it which later calls may come back to."""
        self._last: dict[str, Any] | None = None
        """What was told at the end of the server, where nobody has taken it yet."""

    @property
    def row(self) -> SandboxRow:
        """What the report says of this world."""
        told, hosts = self.told, [one["host"] for one in self.told.get("allow", ())]
        blind: tuple[str, ...] = BLIND if told.get("backend") == "bwrap" else ()
        if not blind and not told.get("planted", True):
            blind = (UNPLANTED,)
        kinds = {one["path"]: one["kind"] for one in told.get("places", ())}
        is_unsigned = bool(told.get("site")) and authority() is None
        return SandboxRow(
            backend=told.get("backend", "namespaces"),
            network=", ".join(dict.fromkeys(hosts)) or "none",
            work=SHOWN.get(kinds.get(next(iter(self.folders), ""), ""), "overlaid"),
            hidden=list(told.get("hidden", ())),
            hidden_files=[one for one in told.get("hidden", ()) if not os.path.isdir(one)],
            folders=self.folders,
            laid=[SAMPLES],
            limits=[
                *blind,
                *((UNSIGNED,) if is_unsigned else ()),
                *(f"{path} is not visible inside" for path in told.get("left_out", ())),
            ],
        )

    @property
    def folders(self) -> list[str]:
        """The folders that the server works in."""
        return list(self.told.get("folders", ()))

    def note(self, said: dict[str, Any]) -> None:
        """Take what the launcher says after that, line by line."""
        if said.get("event") == "change" and len(self.changes) < MOST_CHANGES:
            self.changes.append(said["change"])
        elif said.get("event") == "effects":
            self._note_effects(said)
        elif said.get("limit") in BOUNDS:
            self._reach(said["limit"])

    def _reach(self, name: str) -> None:
        """Note a bound, which is told when it is reached and again at the end."""
        key, effect = BOUNDS[name]
        value = int(self.told.get("limits", {}).get(key, 0))
        bound = Limit(name=f"sandbox-{key.replace('_', '-')}", value=value, count=1, effect=effect)
        if bound not in self.reached:
            self.reached.append(bound)

    def _note_effects(self, said: dict[str, Any]) -> None:
        effects: dict[str, Any] = said["effects"]
        self.cuts.update(effects.get("cuts", {}))
        if said["number"] is None:
            self.end(effects)
            return
        waiting = self._waiting.pop(said["number"], None)
        if waiting is not None and not waiting.done():
            waiting.set_result(effects)

    def end(self, effects: dict[str, Any] | None = None) -> None:
        """Note that there will be no more answers: the launcher has ended, or is about to."""
        if effects:
            self._last = effects
        self.is_watched = False
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(self._take_last())
        self._waiting.clear()

    def _take_last(self) -> dict[str, Any]:
        last, self._last = self._last, None
        return last or {}

    async def mark(self) -> Effects | None:
        """Have what comes now belong to what is done next; gives what came since the last look."""
        self.has_begun, self.is_asked = True, False
        return await self._asked("mark", "", ANSWER_SECONDS)

    async def effects(self, known: str = "") -> Effects | None:
        """Everything since the mark, once the server is quiet; None where nobody watched."""
        return await self._asked("effects", known, ANSWER_SECONDS)

    async def start_effects(self) -> Effects | None:
        """Everything before the first call, which may now be made."""
        found = await self.effects()
        self.has_begun, self.is_asked = True, False
        return found

    async def serve(self, arguments: Mapping[str, Any]) -> None:
        """Have the web site answer for the hosts that the arguments of the next call name."""
        if not self.told.get("site"):
            return
        named = places_in(arguments)
        places = joined(self._kept_places, named)
        self._kept_places = lasting(places)
        if places == self._places:
            return
        signer = authority() if places else None
        chain = None
        if signer is not None and places.keys() != self._places.keys():
            chain = signer.chain_for(places)
        self._places = places
        await self._answer("serve", ANSWER_SECONDS, places=places, chain=chain)

    async def difference(self) -> None:
        """Have the whole difference told."""
        await self._asked("difference", "", DIFFERENCE_SECONDS)

    async def _asked(self, order: str, known: str, seconds: float) -> Effects | None:
        told = await self._answer(order, seconds)
        if told is None:
            return None
        own = [*self.folders, SAMPLES, *filter(None, [self.told.get("home")])]
        if not told:
            return NOTHING
        rows, sent = self._without_secrets(told.get("requests", ()), known)
        return self._with_sent(effects_of({**told, "requests": rows}, known, own), sent)

    def _without_secrets(
        self, requests: Iterable[dict[str, Any]], known: str
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The requests without the planted secrets in them, and whose secrets those are.

        What the call was given it may send on; a key of the server's own belongs to its requests.
        """
        rows, sent = [], dict[str, None]()
        planted = {place: it for place, it in self._secrets.items() if not place.startswith("$")}
        for one in requests:
            text = "\n".join((one["url"], unquote_plus(one["url"]), one["values"], one["body"]))
            text = f"{text}\n{unquote_plus(one['body'])}"
            held = [at for at, its in planted.items() if its not in known and holds(text, its)]
            sent.update(dict.fromkeys(held))
            site = "/".join(one["url"].split("/", 3)[:3])
            rows.append({**one, "url": f"{site}/{SECRET}", "body": SECRET} if held else one)
        return rows, list(sent)

    def told_in(self, texts: Sequence[str], sent: str) -> list[SecretRead]:
        """The secrets that texts of the server tell; one that it was sent it may send back."""
        return [
            SecretRead(path=place, how=TOLD)
            for place, secret in self._secrets.items()
            if secret not in sent and any(holds(text, secret) for text in texts)
        ]

    def _with_sent(self, found: Effects, earlier: Sequence[str] = ()) -> Effects:
        """The effects with the secrets that names of hosts hold; those names differ in each run."""
        sent, names = dict.fromkeys(earlier), list[str]()
        for name in found.names:
            held = [one for one, its in self._secrets.items() if holds_as_name(name, its)]
            sent.update(dict.fromkeys(held))
            names.append(SENT_NAME.format(name.partition(".")[2]) if held else name)
        if not sent:
            return found
        more = [SecretRead(path=place, how=SENT) for place in sent]
        hosts = [
            replace(one, host=SENT_NAME.format(one.host.partition(".")[2]))
            if one.host and one.host in set(found.names) - set(names)
            else one
            for one in found.connections
        ]
        return replace(
            found,
            names=list(dict.fromkeys(names)),
            connections=hosts,
            secrets=[*found.secrets, *more],
        )

    async def _answer(self, order: str, seconds: float, **more: Any) -> dict[str, Any] | None:
        if not self.is_watched:
            return self._take_last() if self._last else None
        number = next(self._numbers)
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            self._say({"do": order, "number": number, **more})
            async with asyncio.timeout(seconds):
                answer: dict[str, Any] = await waiting
                return answer
        except OSError:  # also where it took too long
            self.cuts["silent"] += 1
            self.end()
            return None


def limits_of(cuts: Counter[str]) -> list[Limit]:
    """Every limit of watchers that cut something."""
    return [
        Limit(name=f"sandbox-{name.replace(' ', '-')}", value=value, count=number, effect=text)
        for name, number in sorted(cuts.items())
        for value, text in [CUTS.get(name, (1, f"{name} were left out"))]
    ]
