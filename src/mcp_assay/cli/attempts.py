"""One run of an assessment, and the next one where the user wants the server in a world."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from mcp_assay.assess.assessment import (
    Assessment,
    AssessOptions,
    MakeJudge,
    NoSuchTool,
    NotReached,
)
from mcp_assay.assess.permissions import Ask, remembered
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import CommandError, Unanswered, UsageError
from mcp_assay.cli.questions import WorldWanted
from mcp_assay.cli.ticker import Ticker
from mcp_assay.cli.worlds import sandboxed
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.target import Target
from mcp_assay.model.call import ToolRun
from mcp_assay.model.event import Event, Listener, PermittedEvent
from mcp_assay.model.finding import Finding


class HeldEvents:
    """Holds events back until the question about tools is answered: the run may begin anew."""

    def __init__(self, listener: Listener) -> None:
        self._listener: Final = listener
        self._held: list[Callable[[], None]] | None = []
        """What was not passed on yet; None from the moment on from which nothing is held."""

    def emit(self, event: Event) -> None:
        """Hear of any event but a finding; the first about a permission comes after the answer."""
        if isinstance(event, PermittedEvent):
            self.release()
        self._pass_on(lambda: self._listener.emit(event))

    def find(self, finding: Finding) -> None:
        """Hear of a finding."""
        self._pass_on(lambda: self._listener.find(finding))

    def release(self) -> None:
        """Pass on what was held back, and from now on everything at once."""
        held, self._held = self._held or [], None
        for pass_on in held:
            pass_on()

    def _pass_on(self, pass_on: Callable[[], None]) -> None:
        if self._held is None:
            pass_on()
        else:
            self._held.append(pass_on)


class Attempt:
    """One run; whoever runs it asks afterwards what is wanted next."""

    def __init__(
        self,
        target: Target,
        options: AssessOptions,
        judge_for: Callable[[Target], MakeJudge],
        ask: Ask | None,
        events: Listener | None,
        *,
        free_runs: Iterable[ToolRun] = (),
    ) -> None:
        self.interruption: Final = Interruption()
        self.is_wanted = True
        """Whether it is still to be run."""
        self.target: Final = target
        self._options: Final = options
        self._judge_for: Final = judge_for
        self._ask: Final = ask
        self._events: Final = events
        self._held: Final = HeldEvents(events) if events else None
        self._inside: WorldWanted | None = None
        self.run: Final = Assessment(
            target, options, judge_for(target), self._held, free_runs=free_runs
        )

    def tell_at_once(self) -> None:
        """Hold events back no longer: nobody is asked any more, so no run follows this one."""
        if self._held:
            self._held.release()

    def work(self, *, quiet: bool) -> Coroutine[Any, Any, None]:
        """What is to be done, with progress on a terminal."""
        ticker, ask = Ticker(self.run, quiet=quiet), self._ask
        asked = self.interruption.asking(ticker.aside(ask)) if ask else None
        return ticker.while_running(self.run.run(asked))

    @contextmanager
    def noted(self) -> Iterator[None]:
        """While inside, what ends the run is noted, or said where the user can change it."""
        try:
            yield
        except WorldWanted as wanted:
            self._inside = wanted
        except NoSandbox as refusal:
            raise CommandError(f"{refusal}.") from None
        except NotReached as refusal:
            from mcp_assay.cli.unreachable import words_about

            self.run.note_unreached(words_about(refusal, self.target), refusal.kind)
        except NoSuchTool as refusal:
            raise UsageError(f"--only: {refusal}") from None
        except (CommandError, Unanswered):
            raise
        except Exception as fault:  # noqa: BLE001  what was found before is reported first
            self.run.note_fault("the run", fault)

    def under(self, target: Target, options: AssessOptions) -> Attempt:
        """Another one under the least policy, in which nobody is asked and nobody hears of it."""
        free_runs = self.run.state.all_runs()
        return Attempt(target, options, self._judge_for, None, None, free_runs=free_runs)

    def settled(self) -> Attempt:
        """This attempt, done; or another one, in a world, where that is what the user wants."""
        self.is_wanted = False
        if self._inside is None:
            self.tell_at_once()
            return self
        inside = sandboxed(self.target, SandboxOptions())
        ask = remembered(self._inside.consent, self._inside.closed)
        return Attempt(inside, self._options, self._judge_for, ask, self._events)
