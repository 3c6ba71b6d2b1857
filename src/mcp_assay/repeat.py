"""A fault that was found -> the same run again, as a test: what files of `--report pytest` use.

A test fails while the fault is there, passes when it is mended, and is skipped, with the reason,
where that could not be decided.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

__all__ = ["Again", "Repeat"]

DECIDED: Final = frozenset({"passed", "failed", "warned"})
LONGEST_WAIT: Final = 900
"""Seconds; the run itself ends before by --max-time."""
UNASKED: Final = ("--no-input", "--quiet")
QUICKLY: Final = ("--no-shrink",)


class Repeat:
    """How a run is made again: the command, its options, and the server or the files.

    Secrets come from variables of the environment: `headers` names one for each header, `secrets`
    those that stand as ${NAME} in the words of the server.
    """

    def __init__(
        self,
        command: str,
        *subject: str,
        options: Sequence[str] = (),
        talking: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
        folder: str | Path = ".",
    ) -> None:
        self._command: Final = command
        self._subject: Final = subject
        self._options: Final = tuple(options)
        self._talking: Final = tuple(talking)
        self._headers: Final = dict(headers or {})
        self._secrets: Final = tuple(secrets)
        self._folder: Final = Path(folder)
        self._reports: Final[dict[tuple[str, ...], dict[str, Any]]] = {}

    def call(self, tool: str, arguments: str) -> Again:
        """One call, alone; the arguments are JSON."""
        words = (*QUICKLY, *self._talking, "--only", tool, "--args", arguments)
        return Again(self, self._command, words)

    def calls(self, tool: str) -> Again:
        """All calls of a tool; what they leave open, a run over all tools decides."""
        words = (*QUICKLY, *self._talking, *self._options, "--only", tool)
        return Again(self, self._command, words, self.whole())

    def listed(self) -> Again:
        """What the server lists, without any call."""
        return Again(self, "lint", self._talking)

    def whole(self) -> Again:
        """The whole run."""
        quickly = QUICKLY if self._command == "assess" else ()
        return Again(self, self._command, (*quickly, *self._talking, *self._options))

    def report(self, command: str, words: Sequence[str]) -> dict[str, Any]:
        """The report of a run with these words; the same run is made once only."""
        key = (command, *words)
        if key not in self._reports:
            self._reports[key] = self._run(command, words)
        return self._reports[key]

    def _run(self, command: str, words: Sequence[str]) -> dict[str, Any]:
        with TemporaryDirectory() as private:
            path = Path(private, "report.json")
            unasked = UNASKED if command != "validate" else UNASKED[1:]
            options = [*words, *unasked, "--report", f"json={path}", *self._header_words(private)]
            done = subprocess.run(
                [sys.executable, "-P", "-m", "mcp_assay", command, *options, *self._filled()],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LONGEST_WAIT,
                check=False,
            )
            said = done.stderr.decode(errors="replace").strip()
            if not path.exists():
                raise AssertionError(said or f"mcp-assay ended with {done.returncode}")
            report: dict[str, Any] = msgspec.json.decode(path.read_bytes())
        if report["subject"]["kind"] == "server" and report["revision"] is None:
            raise AssertionError(said)
        return report

    def _header_words(self, private: str) -> Iterator[str]:
        """The headers in files that nobody else can read: other users see what is typed."""
        for number, (name, variable) in enumerate(self._headers.items()):
            path = Path(private, f"header-{number}")
            path.write_text(_variable(variable, f"the header {name}"), "utf-8")
            yield from ("--header", f"{name}: @{path}")

    def _filled(self) -> list[str]:
        words = list(self._subject)
        for name in self._secrets:
            mark, value = f"${{{name}}}", _variable(name, "a part of the server's command")
            words = [word.replace(mark, value) for word in words]
        return words


class Again:
    """A run to be made again, for the sake of one rule."""

    def __init__(
        self, repeat: Repeat, command: str, words: Sequence[str], wider: Again | None = None
    ) -> None:
        self._repeat: Final = repeat
        self._command: Final = command
        self._words: Final = tuple(words)
        self._wider: Final = wider

    def must_keep(self, rule: str, fingerprint: str | None = None) -> None:
        """Fail where the rule is still broken, as told by its fingerprint if that is given."""
        __tracebackhide__ = True
        report = self._repeat.report(self._command, (*self._words, "--select", rule))
        for finding in _findings(report):
            if finding["rule"] == rule and fingerprint in (None, finding["fingerprint"]):
                raise AssertionError(_words(finding))
        check = next((it for it in report["checks"] if it["rule"] == rule), None)
        if check is None or check["outcome"] not in DECIDED:
            self._leave_open(rule, fingerprint, check)

    def _leave_open(self, rule: str, fingerprint: str | None, check: dict[str, Any] | None) -> None:
        __tracebackhide__ = True
        if self._wider is not None:
            self._wider.must_keep(rule, fingerprint)
            return
        import pytest  # noqa: PLC0415  whoever runs a test file has it

        reason = (check or {}).get("reason") or "it cannot be checked here"
        pytest.skip(f"{rule} was not decided: {reason}")


def _findings(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All findings; that a baseline accepts one does not mend it."""
    return [*report["findings"], *(report["baseline"] or {}).get("accepted", ())]


def _words(finding: dict[str, Any]) -> str:
    repeat = (finding["details"] or {}).get("repeat")
    parts = {"at": finding["pointer"], "seen": finding["evidence"], "fix": finding["fix"]}
    lines = [f"  {name:<7}{text}" for name, text in {**parts, "repeat": repeat}.items() if text]
    head = f"{finding['severity']} {finding['rule']} {finding['name']}: {finding['message']}"
    return "\n".join([head, *lines])


def _variable(name: str, what: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise AssertionError(f"set the variable {name} to {what}: the test does not hold it")
    return value
