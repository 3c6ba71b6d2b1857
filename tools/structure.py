"""`python -m tools.structure`: how the sources are built, in numbers and in the places behind them.

tests/meta/test_structure.py says which of the numbers are promises.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from tools.consoles import ROOT
from tools.loaded_modules import COMMANDS, loaded_modules
from tools.source_tree import Source, graph, sources

PACKAGE: Final = ROOT / "src" / "mcp_assay"
LONGEST_FUNCTION: Final = 50
SMALLEST_MODULE: Final = 60
"""Lines below which the imports of a module are a good part of it."""

PUBLIC_CLASSES: Final[Mapping[str, str]] = {
    "ErrorVerdict": "mcp_assay.responses",
    "Finding": "mcp_assay",
    "Outcome": "mcp_assay.protocol",
    "Report": "mcp_assay",
    "ResponseFormatMiddleware": "mcp_assay.envelope",
    "ResponseMetadata": "mcp_assay.responses",
    "ResponseValidator": "mcp_assay.responses",
    "SchemaOnlyValidator": "mcp_assay.capability",
    "Session": "mcp_assay.protocol",
    "ToolCheck": "mcp_assay.capability",
    "ToolValidationCapability": "mcp_assay.capability",
    "ToolValidator": "mcp_assay.capability",
    "ValidationContext": "mcp_assay.responses",
    "ValidationResult": "mcp_assay.responses",
    "Where": "mcp_assay",
}
"""Classes that users import, and from where: these names are fixed, so they may occur again."""

NOUNS: Final[Mapping[str, str]] = {
    "bookkeeping": "what programs write down for themselves",
    "caching": "a section of the specification",
    "encoding": "what a text is written in",
    "ending": "how a request of ours ended, the word for it in reports",
    "finding": "what a rule found, the word for it on every screen",
    "logging": "a capability of servers",
    "mapping": "a table from one thing to another",
    "ping": "a method of the protocol",
    "sampling": "a capability of clients",
    "string": "a type of JSON",
    "testing": "a trade, as in mutation testing",
    "wording": "how an error is said",
}
"""Words that end in -ing and say what a module holds, not that something happens in it."""

Places: TypeAlias = list[str]


class Package(Struct, frozen=True):
    """The size of one folder at the top, or of all modules that are in none."""

    files: int
    lines: int
    functions: int


class Measures(Struct, frozen=True):
    """What was measured; a list is as long as its measure is high."""

    top_level_entries: list[str]
    packages: dict[str, Package]
    functions_over_50_lines: Places
    modules_under_60_lines: Places
    class_names_used_twice: dict[str, Places]
    gerund_modules: Places
    import_cycles: list[list[str]]
    hidden_imports: Places
    hidden_imports_of_ours: Places
    modules_loaded: dict[str, int]
    """For each command, how many modules of ours."""

    def numbers(self) -> dict[str, int]:
        """Every measure as one number, by its name."""
        sizes = self.packages.values()
        counted = (
            (name.replace("_", " "), len(getattr(self, name)))
            for name in self.__struct_fields__
            if name not in ("packages", "modules_loaded")
        )
        return {
            "files": sum(one.files for one in sizes),
            "lines": sum(one.lines for one in sizes),
            **dict(counted),
            **{f"modules loaded for {name}": count for name, count in self.modules_loaded.items()},
        }


def measure(package: Path, modules_loaded: Mapping[str, int]) -> Measures:
    """Measure the tree below `package`; what its commands load is found out elsewhere."""
    found = sources(package)
    hidden = list(_hidden_imports(found))
    return Measures(
        top_level_entries=_top_level_entries(package),
        packages=_packages(found),
        functions_over_50_lines=list(_long_functions(found)),
        modules_under_60_lines=list(_small_modules(found)),
        class_names_used_twice=_class_names_used_twice(found),
        gerund_modules=list(_gerund_modules(found)),
        import_cycles=list(_cycles(graph(found))),
        hidden_imports=[f"{place} {name}" for place, name in hidden],
        hidden_imports_of_ours=[
            f"{place} {name}" for place, name in hidden if _is_within(name, package.name)
        ],
        modules_loaded=dict(modules_loaded),
    )


def of_commands() -> dict[str, int]:
    """How many modules of ours each command loads."""
    return {name: len(loaded_modules(arguments)) for name, arguments in COMMANDS.items()}


def _top_level_entries(package: Path) -> list[str]:
    """Modules and folders that hold some; a folder that only holds compiled leftovers is none."""
    modules = (path.name for path in package.glob("*.py"))
    folders = (path.name for path in package.iterdir() if any(path.rglob("*.py")))
    return sorted((*modules, *folders))


def _packages(found: Iterable[Source]) -> dict[str, Package]:
    members = defaultdict[str, list[Source]](list)
    for source in found:
        members[source.package or "(modules)"].append(source)
    return {
        name: Package(
            files=len(its),
            lines=sum(source.lines for source in its),
            functions=sum(1 for source in its for _ in source.functions()),
        )
        for name, its in sorted(members.items())
    }


def _long_functions(found: Iterable[Source]) -> Iterator[str]:
    """Functions from `def` to their last line; decorators are data of a rule, not its length."""
    for source in found:
        for function in source.functions():
            lines = (function.end_lineno or function.lineno) - function.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{source.place}:{function.lineno} {function.name} ({lines} lines)"


def _small_modules(found: Iterable[Source]) -> Iterator[str]:
    for source in found:
        if not source.is_package and source.lines < SMALLEST_MODULE:
            yield f"{source.place} ({source.lines} lines)"


def _class_names_used_twice(found: Iterable[Source]) -> dict[str, Places]:
    """A leading underscore makes no other name of it: people read the same word."""
    places = defaultdict[str, Places](list)
    for source in found:
        for one in source.classes():
            places[one.name.lstrip("_")].append(f"{source.place}:{one.lineno}")
    return {
        name: its
        for name, its in sorted(places.items())
        if len(its) > 1 and name not in PUBLIC_CLASSES
    }


def _gerund_modules(found: Iterable[Source]) -> Iterator[str]:
    """Modules and packages whose name ends in a word that says that something happens."""
    for source in found:
        word = source.name.rpartition(".")[2].rpartition("_")[2]
        if word.endswith("ing") and word not in NOUNS:
            yield source.place


def _cycles(imports: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """One cycle after the other, each cut where it closes before the next is looked for."""
    left = {name: set(targets) for name, targets in imports.items()}
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            cycle = error.args[1][::-1]
            left[cycle[0]].discard(cycle[1])
            yield cycle
        else:
            return


def _hidden_imports(found: Iterable[Source]) -> Iterator[tuple[str, str]]:
    for source in found:
        for imported in source.imports():
            if imported.is_hidden:
                yield f"{source.place}:{imported.line}", imported.names[0]


def _is_within(name: str, package: str) -> bool:
    return name.partition(".")[0] == package


def as_text(measures: Measures) -> str:
    """The measures for people: packages, then numbers, then the places that a change is due at."""
    return "\n".join((*_package_lines(measures), "", *_number_lines(measures), *_places(measures)))


def as_json(measures: Measures) -> str:
    """The measures for programs: the numbers, and every place behind them."""
    whole = {"numbers": measures.numbers(), **msgspec.to_builtins(measures)}
    return json.dumps(whole, indent=2)


def _package_lines(measures: Measures) -> Iterator[str]:
    yield f"{'package':<14}{'files':>7}{'lines':>8}{'functions':>11}"
    for name, size in measures.packages.items():
        yield f"{name:<14}{size.files:>7,}{size.lines:>8,}{size.functions:>11,}"


def _number_lines(measures: Measures) -> Iterator[str]:
    return (f"{name:<38}{number:>8,}" for name, number in measures.numbers().items())


def _places(measures: Measures) -> Iterator[str]:
    twice = [f"{name}: {', '.join(its)}" for name, its in measures.class_names_used_twice.items()]
    cycles = [" > ".join(cycle) for cycle in measures.import_cycles]
    for title, places in (
        ("Functions over 50 lines", measures.functions_over_50_lines),
        ("Class names used twice", twice),
        ("Gerund modules", measures.gerund_modules),
        ("Import cycles", cycles),
    ):
        if places:
            yield from ("", title, *(f"  {place}" for place in places))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure our own sources and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.structure", description=__doc__)
    parser.add_argument("--json", action="store_true", help="everything, with all places, as JSON")
    options = parser.parse_args(arguments)
    measures = measure(PACKAGE, of_commands())
    if options.json:
        print(as_json(measures))
    else:
        print(as_text(measures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
