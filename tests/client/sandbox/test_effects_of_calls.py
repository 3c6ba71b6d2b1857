"""What tools do to the machine is seen at the call that does it, and honest twins show nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.effect import NOTHING, Effects
from tests.client.connected import run
from tests.client.sandbox.planted_server import PAIRS, TRICKY
from tests.client.sandbox.worlds import (
    called,
    effects_of_each,
    furnish,
    in_world,
    planted,
)


def files(effects: Effects) -> list[tuple[str, str]]:
    return [(one.what, one.path) for one in effects.files]


def below(work: Path, *changes: tuple[str, str]) -> Callable[[Effects], Any]:
    """Whether these and no other files of the working folder are changed, and nothing else is."""
    expected = [(what, f"{work}/{name}") for what, name in changes]

    def is_so(effects: Effects) -> bool:
        others = effects.programs or effects.names or effects.connections or effects.secrets
        return files(effects) == expected and not others and not effects.processes

    return is_so


def only(**lists: list[Any]) -> Callable[[Effects], Any]:
    """Whether this and nothing else was done."""

    def is_so(effects: Effects) -> bool:
        shown = {
            "names": effects.names,
            "programs": [one.argv for one in effects.programs],
            "connections": [
                (one.host, one.address, one.port, one.protocol) for one in effects.connections
            ],
            "secrets": [(one.path, one.how) for one in effects.secrets],
            "processes": [one.argv for one in effects.processes],
            "files": [(one.what, one.path) for one in effects.files],
        }
        return {name: rows for name, rows in shown.items() if rows} == lists

    return is_so


def expected_effects(work: Path) -> dict[str, Callable[[Effects], Any]]:
    home, sleep = work.parent / "home", ["sleep", "1000"]
    stolen = ("stolen.example.org", 8443, "tcp")
    return {
        "write_new": below(work, ("created", "new.txt")),
        "overwrite": below(work, ("changed", "notes.txt")),
        "empty": below(work, ("changed", "table.csv")),
        "delete": below(work, ("deleted", "table.csv")),
        "delete_tree": below(work, ("deleted", "old"), ("deleted", "old/inside.txt")),
        "make_executable": below(work, ("permissions", "notes.txt")),
        "relink": below(work, ("changed", "link")),
        "write_by_memory": below(work, ("changed", "notes.txt")),
        "write_home": only(files=[("changed", f"{home}/.bashrc")]),
        "tricky_name": below(work, ("created", TRICKY)),
        "run_program": only(programs=[["git", "--version"]]),
        "run_shell": only(programs=[["/bin/sh", "-c", "true; echo $((1 + 1))"]]),
        "ask_name": only(names=["telemetry.example.com"]),
        "connect": lambda it: (
            it.names == ["stolen.example.org"]
            and [(one.host, one.port, one.protocol) for one in it.connections] == [stolen]
            and it.connections[0].address.startswith("11.")
            and not it.files
        ),
        "connect_6": only(connections=[(None, "2001:4860::1", 443, "tcp")]),
        "send_datagram": only(connections=[(None, "203.0.113.9", 514, "udp")]),
        "steal": only(secrets=[(f"{home}/.ssh/id_rsa", "read")]),
        "leave_process": only(programs=[sleep], processes=[sleep]),
        "leave_temporary": only(files=[("created", "/tmp/{random}.part")]),
    }


def test_every_bad_behaviour_is_seen_and_every_honest_twin_shows_nothing(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> dict[str, Effects]:
        async with in_world(planted(work)) as connection:
            honest = await effects_of_each(connection, [f"honest_{name}" for name in PAIRS])
            bad = await effects_of_each(connection, list(PAIRS))
            return {**honest, **bad}

    found = run(talk())
    expected = expected_effects(work)
    assert {
        name: it for name, it in found.items() if name.startswith("honest") and it != NOTHING
    } == {}
    assert set(expected) == set(PAIRS)
    assert [found[name] for name, is_so in expected.items() if not is_so(found[name])] == []


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Effects]]:
    """What several tools did, one after the other."""
    work = furnish(tmp_path_factory.mktemp("several"))
    tools = ["overwrite", "write_new", "make_executable", "relink", "special_files"]

    async def talk() -> dict[str, Effects]:
        async with in_world(planted(work)) as connection:
            return await effects_of_each(connection, [*tools, "flood", "nest"])

    return work, run(talk())


def test_a_difference_of_texts_is_shown(done: tuple[Path, dict[str, Effects]]) -> None:
    change = done[1]["overwrite"].files[0]
    assert change.diff == "@@ -1,3 +1,4 @@\n first\n second\n third\n+a line of the tool\n"
    assert done[1]["write_new"].files[0].diff == "@@ -0,0 +1,2 @@\n+one\n+two\n"


def test_permissions_are_told_before_and_after(done: tuple[Path, dict[str, Effects]]) -> None:
    change = done[1]["make_executable"].files[0]
    assert change.before is not None
    assert change.after is not None
    assert (change.before.mode, change.after.mode) == ("0644", "0755")


def test_a_link_tells_where_it_leads(done: tuple[Path, dict[str, Effects]]) -> None:
    change = done[1]["relink"].files[0]
    assert change.before is not None
    assert change.after is not None
    assert (change.before.target, change.after.target) == ("notes.txt", "/etc/passwd")


def test_pipes_and_sockets_are_named_and_never_opened(
    done: tuple[Path, dict[str, Effects]],
) -> None:
    kinds = {one.after.kind for one in done[1]["special_files"].files if one.after}
    assert kinds == {"pipe", "socket"}


def test_a_flood_of_files_is_counted(done: tuple[Path, dict[str, Effects]]) -> None:
    flood = done[1]["flood"]
    assert len(flood.files) + flood.left_out["files"] == 400


def test_three_thousand_nested_folders_are_counted(done: tuple[Path, dict[str, Effects]]) -> None:
    nested = done[1]["nest"]
    assert len(nested.files) + nested.left_out["files"] == 3000
    assert nested.files[0].path == f"{done[0]}/n"


def test_what_comes_after_the_answer_is_late(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> Effects:
        async with in_world(planted(work)) as connection:
            await called(connection, "late_write", 1)
            assert connection.effects.calls[1].files == []
            await asyncio.sleep(0.8)  # the tool writes 0.4 seconds after its answer
            await called(connection, "honest_write_new", 2)
            assert connection.effects.calls[2] == NOTHING
            return connection.effects.calls[1]

    found = run(talk())
    assert found.late
    assert [(one.path, one.late) for one in found.files] == [(f"{work}/late.txt", True)]


def test_what_comes_after_the_last_call_is_waited_for(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> Effects:
        async with in_world(planted(work)) as connection:
            await called(connection, "late_write", 1)
            await asyncio.sleep(0.3)
        return connection.effects.calls[1]

    assert [one.path for one in run(talk()).files] == [f"{work}/late.txt"]


def test_what_a_server_does_at_its_start_belongs_to_no_call(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> tuple[Effects | None, Effects]:
        async with in_world(planted(work, "caching")) as connection:
            await called(connection, "honest_write_new", 1)
            row = connection.effects.row
            assert row is not None
            return row.at_start, connection.effects.calls[1]

    start, call = run(talk())
    assert call == NOTHING
    assert start is not None
    assert [one.argv for one in start.programs] == [["true"]]
    kept = {one.path: one.bookkeeping for one in start.files}
    assert kept[f"{work}/started.txt"] is False
    assert kept[f"{work.parent}/home/.cache/planted/index"] is True


def test_a_ticking_log_is_bookkeeping_and_nothing_else(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> list[Effects]:
        async with in_world(planted(work, "ticking")) as connection:
            for number in range(5):
                await called(connection, "honest_overwrite", number)
            return list(connection.effects.calls.values())

    for effects in run(talk()):
        assert {one.path for one in effects.files} <= {f"{work.parent}/home/.planted.log"}
        assert effects.kept_files == []
        assert not effects.programs
        assert not effects.connections


def test_what_a_dying_server_did_last_is_told(tmp_path: Path) -> None:
    work = furnish(tmp_path)

    async def talk() -> tuple[str, Effects]:
        async with in_world(planted(work)) as connection:
            answer = await called(connection, "die", 1)
            return answer.ending, connection.effects.calls[1]

    ending, effects = run(talk())
    assert ending == "died"
    assert files(effects) == [("created", f"{work}/last-words.txt")]


def test_names_that_differ_from_run_to_run_are_the_same_in_both(tmp_path: Path) -> None:
    tools = ["numbered", "leave_temporary", "run_program", "connect"]

    async def talk(work: Path) -> dict[str, Effects]:
        async with in_world(planted(work)) as connection:
            return await effects_of_each(connection, tools)

    work = furnish(tmp_path)
    first, second = run(talk(work)), run(talk(work))
    assert first == second
    assert files(first["numbered"])[0][1] == f"{work}/run-2-{{number}}.log"


def test_what_readers_do_for_themselves_is_nothing_or_bookkeeping(tmp_path: Path) -> None:
    work = furnish(tmp_path)
    with closing(sqlite3.connect(work / "data.db")) as database:
        database.execute("create table notes (text)")
        database.commit()
    (work / "lazy_module.py").write_text("VALUE = 1\n")
    (work / "repository").mkdir()
    (work / "repository" / "file.txt").write_text("text\n")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(work / "repository"), *words], check=True)

    async def talk() -> dict[str, Effects]:
        async with in_world(planted(work)) as connection:
            tools = ["read_table", "status_of_repository", "import_lazily", "make_room"]
            return await effects_of_each(connection, tools)

    found = run(talk())
    assert found["read_table"] == NOTHING
    assert [one.path for one in found["import_lazily"].files], "something was compiled"
    assert len(found["make_room"].files) == 3
    assert [one.path for effects in found.values() for one in effects.kept_files] == []
    assert [one.argv[0] for one in found["status_of_repository"].programs] == ["git"]


def test_the_working_folder_and_home_outside_stay_as_they_were(tmp_path: Path) -> None:
    work = furnish(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    async def talk() -> None:
        async with in_world(planted(work)) as connection:
            await effects_of_each(connection, ["overwrite", "delete", "delete_tree", "write_home"])

    run(talk())
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
