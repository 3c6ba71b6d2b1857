"""`python -m bench`: build the corpus, run the race, print the ratios."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

import orjson

from bench.agreement import agreement
from bench.answers import answers
from bench.archive import archive
from bench.assess_memory import assess_memory
from bench.bulk import STREAMED, traces
from bench.calls import calls
from bench.corpus import MESSAGES, SEED, Corpus, Line, build, write
from bench.errors import errors
from bench.first_paint import html
from bench.fleet import fleet
from bench.history import history
from bench.instructions import instructions
from bench.limits import MAX_TIME, LimitsOptions, limits
from bench.memory import memory
from bench.mutation.score import SAMPLE, Sampling, mutation_score
from bench.plugin import plugin
from bench.proxy import proxy
from bench.published.effects import published_effects
from bench.published.likely import likely
from bench.published.policies import published_policies
from bench.published.runs import PublishedOptions, published_servers
from bench.published.servers import Half
from bench.race import race
from bench.sandbox import sandbox
from bench.simulation.section import simulation
from bench.slow_failures import slow_failures
from bench.startup import startup
from bench.ui import ui
from bench.ui_trace import ui_trace
from bench.writers import writers

CACHE: Final = Path(__file__).parent / ".cache"
Section: TypeAlias = Callable[[], tuple[str, dict[str, Any]]]
PACKAGES: Final = ("orjson", "jsonschema-rs", "msgspec", "mcp")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the sections asked for and print each as it is ready."""
    options = _parser().parse_args(arguments)
    figures: dict[str, Any] = {"machine": _machine()}
    print(" · ".join(figures["machine"].values()))
    asked_for = [one for one in _sections(options) if getattr(options, one[0])]
    if options.speed or not asked_for:
        figures["speed"] = _speed(options)
    for name, title, section in asked_for:
        figures[name] = _show(title, section())
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def _sections(options: argparse.Namespace) -> Iterator[tuple[str, str, Section]]:
    """The sections besides the race: their options, their titles, and what measures them."""
    yield "calls", "Calls of a tool", calls
    yield "slow_failures", "Servers whose tools fail slowly", slow_failures
    yield "errors", "Error responses", lambda: errors(options.rounds)
    yield "answers", "Answers without isError", answers
    yield "history", "The history of 1,000 servers", lambda: history(CACHE / "history")
    yield "ui", "The pages over it", lambda: ui(CACHE / "ui")
    yield "ui_trace", "A trace of a gigabyte in the pages", lambda: ui_trace(CACHE)
    yield "html", "The HTML report of a very large run, in a browser", lambda: html(CACHE)
    yield "sandbox", "Servers in disposable worlds", lambda: sandbox(CACHE, names(options))
    yield "startup", "Start-up", lambda: startup(CACHE)
    yield "instructions", "Instructions as times orjson.loads", instructions
    yield "plugin", "The pytest plugin", lambda: plugin(CACHE / "plugin")
    yield "proxy", "Round trips to a server on the official SDK", proxy
    asked = PublishedOptions(
        names=names(options), half=options.half, jobs=options.jobs, stored=options.stored
    )
    yield "published", "Published servers and their labels", lambda: published_servers(asked)
    yield "effects", "What tools of published servers do", lambda: published_effects(asked)
    yield (
        "policies",
        "The least that published servers need",
        lambda: published_policies(asked),
    )
    yield "likely", "Tools without hints, decided by their definitions", likely
    messages = options.messages or STREAMED
    yield "traces", "Traces", lambda: traces(CACHE, messages, options.rounds)
    yield "archive", "Archives", lambda: archive(CACHE, options.megabytes)
    yield "fleet", "A fleet on two workers", lambda: fleet(options.sample, options.seed)
    yield "simulation", "Fleets and archives, simulated", lambda: simulation(CACHE / "simulation")
    yield "memory", "Memory over 1 GB", memory
    yield "memory_of_assess", "Memory of an assessment", assess_memory
    chosen = LimitsOptions(
        names(options),
        options.sample,
        options.seed,
        options.max_time,
        options.at_once,
    )
    yield "limits", f"Limits, with --max-time {options.max_time:g}", lambda: limits(chosen)
    yield "writers", "Writing a report of 10,000 findings", lambda: writers(options.rounds)
    sampling = Sampling(
        options.sample or SAMPLE, options.seed, options.within, options.list_survivors
    )
    yield "mutants", "Mutants", lambda: mutation_score(CACHE / "mutants", sampling)


def names(options: argparse.Namespace) -> tuple[str, ...]:
    """The servers that were named."""
    return tuple(filter(None, options.servers.split(",")))


def _speed(options: argparse.Namespace) -> dict[str, Any]:
    lines = build(options.messages or MESSAGES, options.seed)
    corpus = Corpus(lines, options.seed, write(lines, CACHE / "corpus.jsonl"))
    described = _describe(lines)
    print("\nCorpus: " + ", ".join(f"{value} {name}" for name, value in described.items()))
    title = f"CPU time as times orjson.loads, median of {options.rounds} rounds"
    return {
        "corpus": {**described, "seed": options.seed},
        "agreement": _show("Faults found, everything on", agreement(lines)),
        "race": _show(title, race(corpus, options.rounds)),
    }


def _show(title: str, section: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    text, figures = section
    print(f"\n{title}\n\n{text}", flush=True)
    return figures


def _describe(lines: Sequence[Line]) -> dict[str, int | float]:
    size = sum(len(line.raw) for line in lines)
    canonical = sum(len(line.raw) for line in lines if _is_canonical(line.raw))
    return {
        "messages": len(lines),
        "MB": round(size / 1e6, 1),
        "broken": sum(line.fault is not None for line in lines),
        "% of the bytes as orjson would write them": round(100 * canonical / size),
    }


def _is_canonical(raw: bytes) -> bool:
    try:
        return orjson.dumps(orjson.loads(raw)) == raw
    except ValueError:
        return False


def _machine() -> dict[str, str]:
    return {
        "python": f"Python {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        **{name: f"{name} {_version(name)}" for name in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure mcp-assay against parsing alone."
    )
    parser.add_argument("--speed", action="store_true", help="the race (default)")
    parser.add_argument("--calls", action="store_true", help="what calling tools costs")
    parser.add_argument(
        "--slow-failures", action="store_true", help="what servers cost whose tools fail slowly"
    )
    parser.add_argument("--errors", action="store_true", help="how errors are told apart")
    parser.add_argument("--answers", action="store_true", help="how answers are read")
    parser.add_argument(
        "--history", action="store_true", help="what questions to a large history take"
    )
    parser.add_argument("--ui", action="store_true", help="what pages over a large history cost")
    parser.add_argument(
        "--ui-trace", action="store_true", help="what pages of a trace of a gigabyte take"
    )
    parser.add_argument("--html", action="store_true", help="how soon a large page is there")
    parser.add_argument(
        "--sandbox", action="store_true", help="what a disposable world costs, and what it hides"
    )
    parser.add_argument(
        "--startup", action="store_true", help="how long the command takes to start"
    )
    parser.add_argument(
        "--instructions", action="store_true", help="the race by instructions, with valgrind"
    )
    parser.add_argument("--memory", action="store_true", help="peak memory over a stream of 1 GB")
    parser.add_argument(
        "--memory-of-assess", action="store_true", help="peak memory against hostile servers"
    )
    parser.add_argument("--plugin", action="store_true", help="what the pytest plugin costs")
    parser.add_argument("--proxy", action="store_true", help="what the stdio proxy costs")
    parser.add_argument(
        "--published", action="store_true", help="published servers against labels made by hand"
    )
    parser.add_argument(
        "--effects", action="store_true", help="what rules about effects say of published servers"
    )
    parser.add_argument(
        "--policies", action="store_true", help="the least that ten published servers need"
    )
    parser.add_argument(
        "--likely", action="store_true", help="which tools --calls likely calls, by definitions"
    )
    parser.add_argument(
        "--half", choices=get_args(Half), help="only this half of them; else all but unseen"
    )
    parser.add_argument("--jobs", type=int, default=1, help="so many of them at a time")
    parser.add_argument(
        "--stored", action="store_true", help="only compare their latest reports with checked.csv"
    )
    parser.add_argument("--traces", action="store_true", help="sessions, processes and memory")
    parser.add_argument("--archive", action="store_true", help="archives, here and on Dask")
    parser.add_argument("--megabytes", type=int, metavar="N", help="size of the archive")
    parser.add_argument("--fleet", action="store_true", help="many servers, beside single runs")
    parser.add_argument(
        "--simulation", action="store_true", help="fleets and archives on up to 1,000 workers"
    )
    parser.add_argument("--writers", action="store_true", help="what each form of report costs")
    parser.add_argument("--mutants", action="store_true", help="how many faults the tests notice")
    parser.add_argument(
        "--limits", action="store_true", help="how well limits of time and memory are kept"
    )
    parser.add_argument(
        "--servers", default="", metavar="NAME,NAME", help="assess only these servers"
    )
    parser.add_argument(
        "--max-time", type=float, default=MAX_TIME, metavar="S", help="the limit that is kept"
    )
    parser.add_argument("--at-once", type=int, default=1, help="so many servers at a time")
    parser.add_argument("--sample", type=int, help="how many mutants, or servers, are tried")
    parser.add_argument("--within", default="", metavar="PART", help="mutate only these paths")
    parser.add_argument(
        "--list-survivors", action="store_true", help="name every mutant that nothing notices"
    )
    parser.add_argument("--messages", type=int, help="size of the corpus, or of the traces")
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the corpus, or of the sample"
    )
    parser.add_argument("--rounds", type=int, default=5, help="passes per contestant")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write all figures to a file")
    return parser


if __name__ == "__main__":
    main()
