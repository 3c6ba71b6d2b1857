"""What can be put into a disposable world, and how that is typed."""

from __future__ import annotations

import pytest

from mcp_assay.client.sandbox.admission import (
    NotForWorld,
    container_program,
    is_disposable,
    options_shown,
    put_into_world,
    typed_words,
)
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Endpoint, Within

SERVER = Command(command=("python", "server.py"))


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("docker run -i --rm mcp/fetch", "docker"),
        ("/usr/bin/podman run x", "podman"),
        ("sudo -n docker run x", "docker"),
        ("env TOKEN=1 docker run x", "docker"),
        ("timeout 30s docker run x", "docker"),
        ("nerdctl run x", "nerdctl"),
        ("python docker.py", None),
        ("python -m server docker", None),
        ("npx -y @scope/docker-mcp", None),
        ("", None),
    ],
)
def test_commands_that_lead_into_a_container_are_known(command: str, program: str | None) -> None:
    assert container_program(command.split()) == program


@pytest.mark.parametrize(
    ("script", "program"),
    [("exec docker run -i x", "docker"), ("python x.py", None), ("'", None)],
)
def test_scripts_of_shells_are_read(script: str, program: str | None) -> None:
    assert container_program(("sh", "-c", script)) == program
    assert container_program(("bash", "-lc", script)) == program
    assert container_program(("sh", script)) is None


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (Endpoint(url="http://localhost:1/mcp"), "URL"),
        (Within(server=object(), name="x:y"), "object"),
        (Command(command=("docker", "run", "x")), "docker would run the server in a container"),
    ],
    ids=["url", "object", "container"],
)
def test_what_cannot_be_put_into_a_world_is_refused_with_what_to_do(
    target: Command, words: str
) -> None:
    with pytest.raises(NotForWorld) as refused:
        put_into_world(target, SandboxOptions())
    assert words in str(refused.value)
    assert "or run it without a sandbox" in str(refused.value)


def test_only_a_world_without_network_is_disposable() -> None:
    assert not is_disposable(SERVER)
    assert not is_disposable(Endpoint(url="http://localhost/"))
    assert is_disposable(put_into_world(SERVER, SandboxOptions()))
    assert not is_disposable(put_into_world(SERVER, SandboxOptions(allow=("example.com",))))


def test_a_world_is_shown_as_it_is_typed() -> None:
    options = SandboxOptions(backend="sudo", allow=("a.example:443", "b.example"), show=("~/.aws",))
    target = put_into_world(SERVER, options)
    assert typed_words(target) == [
        "--sandbox=sudo",
        *("--sandbox-allow", "a.example:443", "--sandbox-allow", "b.example"),
        *("--sandbox-show", "~/.aws"),
    ]
    assert options_shown(target)["sandbox"] == "sudo"
    own = put_into_world(SERVER, SandboxOptions(prepare_from="/srv/shop"))
    assert typed_words(own) == ["--sandbox", "--world", "/srv/shop"]
    assert options_shown(own)["world"] == "/srv/shop"
    assert typed_words(put_into_world(SERVER, SandboxOptions())) == ["--sandbox"]
    assert (typed_words(SERVER), options_shown(SERVER)) == ([], {})
