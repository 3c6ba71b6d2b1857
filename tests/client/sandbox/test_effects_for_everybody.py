"""Root and an ordinary user see the same effects of a program in a world."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client.sandbox.yards import Who, everybody, yard

PROGRAM = """
import os, socket, subprocess
home = os.environ["HOME"]
with open("made.txt", "w") as file:
    file.write("made\\n")
os.remove("kept.txt")
with open(f"{home}/kept.txt", "a") as file:
    file.write("more")
os.rename("folder", "moved")
subprocess.run(["true", "word"])
open(f"{home}/.ssh/id_rsa").read()
with socket.socket() as link:
    link.connect_ex(("away.example.org", 443))
"""


@pytest.mark.parametrize("who", everybody())
def test_all_sources_tell(who: Who) -> None:
    with yard(who) as place:
        script = place.add("program.py", PROGRAM)
        ended = place.run(place.python, script)
        work, home = place.work, place.home
    assert ended.code == 0, ended.output
    told: dict[str, Any] = ended.event("effects")["effects"]
    assert [(one["what"], one["path"]) for one in told["files"]] == [
        ("changed", f"{home}/kept.txt"),
        ("deleted", f"{work}/folder"),
        ("deleted", f"{work}/folder/file.txt"),
        ("deleted", f"{work}/kept.txt"),
        ("created", f"{work}/made.txt"),
        ("created", f"{work}/moved"),
        ("created", f"{work}/moved/file.txt"),
    ]
    assert told["programs"] == [["true", "word"]]
    assert told["secrets"] == [[f"{home}/.ssh/id_rsa", "read"]]
    assert told["names"] == ["away.example.org"]
    assert [(one[0], one[2], one[3]) for one in told["connections"]] == [
        ("away.example.org", 443, "tcp")
    ]
    assert told["cuts"] == {}
