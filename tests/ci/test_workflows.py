"""Our workflows, forms and hooks run what the project has and ask for what its reports show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

ROOT: Final = Path(__file__).parents[2]
GITHUB: Final = ROOT / ".github"
PYTHONS: Final = ["3.11", "3.12", "3.13", "3.14"]
PINNED: Final = re.compile(r"[\w-]+/[\w/-]+@v\d+")
MAKE: Final = re.compile(r"\bmake ([\w-]+)")


def read(path: Path) -> Any:
    return msgspec.yaml.decode(path.read_bytes())


WORKFLOWS: Final[dict[str, Any]] = {
    path.stem: read(path) for path in sorted((GITHUB / "workflows").glob("*.yml"))
}
JOBS: Final = [
    pytest.param(job, id=f"{name}-{id}")
    for name, workflow in WORKFLOWS.items()
    for id, job in workflow["jobs"].items()
]
FORMS: Final = {
    path.stem: {part["id"]: part for part in read(path)["body"] if "id" in part}
    for path in sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
    if path.stem != "config"
}


def targets() -> set[str]:
    """What `make` can make."""
    text = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([\w-]+):", text, re.MULTILINE))


def commands(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_every_supported_python_is_tested_on_linux_and_macos() -> None:
    jobs = WORKFLOWS["test"]["jobs"]
    assert {name: job["strategy"]["matrix"]["python"] for name, job in jobs.items()} == {
        "linux": PYTHONS,
        "macos": PYTHONS,
    }
    assert f'requires-python = ">={PYTHONS[0]}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert all("make test" in commands(job) for job in jobs.values())


def test_what_is_slow_runs_every_night_and_on_main() -> None:
    triggers = WORKFLOWS["slow"][True]  # as YAML 1.1 reads the word "on"
    assert triggers["push"] == {"branches": ["main"]}
    assert triggers["schedule"]
    assert all("make slow" in commands(job) for job in WORKFLOWS["slow"]["jobs"].values())


@pytest.mark.parametrize("job", JOBS)
def test_a_job_makes_what_the_makefile_knows(job: dict[str, Any]) -> None:
    made = set(MAKE.findall(commands(job)))
    assert made
    assert made <= targets()


@pytest.mark.parametrize("job", JOBS)
def test_debian_packages_are_installed_where_debian_is(job: dict[str, Any]) -> None:
    is_debian = job.get("container", "").endswith("-bookworm")
    assert ("tools/install_debian_packages.sh" in commands(job)) == is_debian


@pytest.mark.parametrize("job", JOBS)
def test_actions_are_pinned_by_their_major_version(job: dict[str, Any]) -> None:
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert used
    assert [name for name in used if not PINNED.fullmatch(name)] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_read_and_nothing_else(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}


def test_the_hook_before_a_commit_is_make_check() -> None:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    (hook,) = repository["hooks"]
    assert (repository["repo"], hook["language"], hook["pass_filenames"]) == (
        "local",
        "system",
        False,
    )
    assert MAKE.findall(hook["entry"]) == ["check"]
    assert "check" in targets()


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("bug", {"version", "command", "report", "expected"}),
        ("false-alarm", {"rule", "message", "why", "version"}),
        ("new-rule", {"fault", "source", "bad", "good"}),
    ],
)
def test_a_form_asks_for_what_is_needed(form: str, asked: set[str]) -> None:
    required = {
        id for id, part in FORMS[form].items() if part.get("validations", {}).get("required", False)
    }
    assert required == asked


def test_a_false_alarm_is_found_again_by_its_fingerprint() -> None:
    example = FORMS["false-alarm"]["fingerprint"]["attributes"]["placeholder"]
    assert re.fullmatch(r"[0-9a-f]{16}", example)


def test_weaknesses_are_reported_in_private_everywhere() -> None:
    (contact,) = read(GITHUB / "ISSUE_TEMPLATE" / "config.yml")["contact_links"]
    assert contact["url"].endswith("/security/advisories/new")
    assert contact["url"] in (ROOT / "SECURITY.md").read_text("utf-8")
