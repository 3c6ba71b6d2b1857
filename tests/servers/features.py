"""Servers with files, tasks or questions: those that do it well, and those that do not."""

from __future__ import annotations

import hashlib
import hmac
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.servers.base import META, UNKNOWN_METHOD, WRONG_PARAMS, Asked, Fault
from tests.servers.planting import Family
from tests.servers.protocol import Shaken
from tests.servers.stateless import Stateless
from tests.servers.things import Object, Prompt, Resource, Tool, answers, found, lookup, text

SERVERS = Family("features")
plant = SERVERS.plant
SHELF = Path(__file__).resolve().parent / "shelf"
HOURS = Resource("library://hours", "hours")
LOGGING: Object = {"logging": {}}
TASKS: Object = {"tasks": {"cancel": {}, "requests": {"tools": {"call": {}}}}}


class Files(Shaken):
    """A server that gives away the files of a folder."""

    resources: Sequence[Resource] | None = (Resource((SHELF / "hours.txt").as_uri(), "hours"),)

    def may_read(self, path: Path) -> bool:
        """Whether a file lies in the folder."""
        return path.resolve().is_relative_to(SHELF) and path.is_file()

    def read_resource(self, asked: Asked) -> Object:
        """The text of a file."""
        uri = str(asked.params.get("uri"))
        path = Path(urlsplit(uri).path)
        try:
            words = path.read_text() if self.may_read(path) else None
        except OSError:
            words = None
        if words is None:
            raise Fault(-32002, "There is no such file", {"uri": uri})
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": words}]}


@plant("files-in-a-folder", "Gives away the files of one folder.", correct=True, exit_code=0)
def files_in_a_folder() -> Files:
    return Files()


@plant("climbs-out", "Follows a URI out of its folder.", "RES-010", exit_code=1)
class ClimbsOut(Files):
    def may_read(self, path: Path) -> bool:
        return str(path).startswith(str(SHELF))


@plant("dies-of-a-read", "Dies when its resource is read.", "RESP-020", exit_code=1)
class DiesOfARead(Shaken):
    resources = (HOURS,)

    def read_resource(self, asked: Asked) -> Object:
        return sys.exit(1) if asked.params.get("uri") == HOURS.uri else super().read_resource(asked)


@plant("sixty-resources", "Has more than are read.", correct=True, exit_code=0, limits=True)
def sixty_resources() -> Shaken:
    return Shaken(resources=tuple(Resource(f"library://shelf/{n}", str(n)) for n in range(60)))


@plant("lists-what-is-gone", "Lists five resources and has none.", "RES-011")
class ListsWhatIsGone(Shaken):
    resources = tuple(Resource(f"library://shelf/{n}", str(n)) for n in range(5))

    def read_resource(self, asked: Asked) -> Object:
        raise Fault(-32002, "There is no such resource", {"uri": asked.params.get("uri")})


@plant("contents-of-another", "Gives contents with another uri.", "RES-011")
class ContentsOfAnother(Shaken):
    resources = (HOURS,)

    def read_resource(self, asked: Asked) -> Object:
        (content,) = super().read_resource(asked)["contents"]
        return {"contents": [{**content, "uri": "library://rules"}]}


@plant("blob-that-is-none", "Gives a blob that is not base64.", "SCHEMA-007", exit_code=1)
class BlobThatIsNone(Shaken):
    resources = (HOURS,)

    def read_resource(self, asked: Asked) -> Object:
        (content,) = super().read_resource(asked)["contents"]
        return {"contents": [{"uri": content["uri"], "blob": "9 to 17"}]}


@plant("prompt-fails", "Lists a prompt that always fails.", "RESP-021")
class PromptFails(Shaken):
    prompts = (Prompt("surprise"),)

    def get_prompt(self, asked: Asked) -> Object:
        super().get_prompt(asked)
        raise Fault(-32603, "Internal error")


@plant("unknown-resource-other-code", "Answers -32603 to it.", "RES-007", exit_code=1)
class UnknownResourceOtherCode(Stateless):
    resources = (HOURS,)

    def read_resource(self, asked: Asked) -> Object:
        if asked.params.get("uri") != HOURS.uri:
            raise Fault(-32603, "Internal error")
        return super().read_resource(asked)


@plant("any-log-level", "Takes any log level.", "LOG-005")
class AnyLogLevel(Shaken):
    more_capabilities = LOGGING

    def methods(self, modern: bool) -> Mapping[str, Callable[[Asked], Object]]:
        return {**super().methods(modern), "logging/setLevel": lambda asked: {}}


def _shelf(name: str, support: str) -> Tool:
    return Tool(name, answers("a shelf"), more={"execution": {"taskSupport": support}})


class Tasks(Shaken):
    """A server whose tasks are done at once."""

    more_capabilities = TASKS
    tools: Sequence[Tool] | None = (_shelf("count_books", "optional"), lookup(found))

    def __init__(self) -> None:
        super().__init__()
        self.done: dict[str, Object] = {}

    def methods(self, modern: bool) -> Mapping[str, Callable[[Asked], Object]]:
        """What can be asked for, tasks included."""
        tasks = {
            "tasks/get": lambda asked: self.state(self.task(asked)),
            "tasks/result": lambda asked: self.outcome(self.task(asked)),
            "tasks/cancel": lambda asked: self.cancel(self.task(asked)),
        }
        return {**super().methods(modern), **tasks}

    def call_tool(self, asked: Asked) -> Object:
        """Call a tool, as a task where one is wanted."""
        support = {tool.name: tool.more.get("execution") for tool in self.tools or ()}
        wanted = (support.get(str(asked.params.get("name"))) or {}).get("taskSupport", "forbidden")
        if "task" not in asked.params:
            if self.insists(wanted):
                raise Fault(UNKNOWN_METHOD, "This tool needs a task")
            return super().call_tool(asked)
        if wanted == "forbidden":
            raise Fault(UNKNOWN_METHOD, "This tool has no tasks")
        id = f"t-{asked.id}"
        self.done[id] = super().call_tool(asked)
        return {"task": {**self.state(id), "status": "working"}}

    def insists(self, support: str) -> bool:
        """Whether a tool cannot be called without a task."""
        return support == "required"

    def task(self, asked: Asked) -> str:
        """The task that a request is about."""
        id = str(asked.params.get("taskId"))
        if id not in self.done:
            raise Fault(WRONG_PARAMS, "There is no such task")
        return id

    def state(self, id: str) -> Object:
        """How a task stands."""
        moment = "2026-01-15T12:30:00Z"
        times = {"createdAt": moment, "lastUpdatedAt": moment, "ttl": 60_000}
        return {"taskId": id, "status": "completed", **times}

    def outcome(self, id: str) -> Object:
        """What came of a task."""
        related = {"io.modelcontextprotocol/related-task": {"taskId": id}}
        return {**self.done[id], "_meta": related}

    def cancel(self, id: str) -> Object:
        """Refuse to cancel what is done."""
        raise Fault(WRONG_PARAMS, "This task is over")


@plant("tasks-done-at-once", "Makes tasks of calls.", correct=True, exit_code=0)
def tasks_done_at_once() -> Tasks:
    return Tasks()


@plant("unknown-task-found", "Finds tasks that never were.", "TASK-005", exit_code=1)
class UnknownTaskFound(Tasks):
    def task(self, asked: Asked) -> str:
        id = str(asked.params.get("taskId"))
        self.done.setdefault(id, text("Done."))
        return id


@plant("cancels-what-is-over", "Cancels tasks that are over.", "TASK-006", exit_code=1)
class CancelsWhatIsOver(Tasks):
    def cancel(self, id: str) -> Object:
        return {**self.state(id), "status": "cancelled"}


class SlowTasks(Tasks):
    """A server whose tasks are done as soon as somebody asks for what came of them."""

    def __init__(self) -> None:
        super().__init__()
        self.status: dict[str, str] = {}

    def state(self, id: str) -> Object:
        return {**super().state(id), "status": self.status.get(id, "working")}

    def outcome(self, id: str) -> Object:
        self.status[id] = "completed"
        return super().outcome(id)

    def cancel(self, id: str) -> Object:
        if id in self.status:
            return super().cancel(id)
        self.status[id] = "cancelled"
        return self.state(id)


@plant("tasks-that-wait", "Cancels tasks that are not over.", correct=True, exit_code=0)
def tasks_that_wait() -> SlowTasks:
    return SlowTasks()


@plant("cancelled-task-works-on", "Cancels no task at work.", "TASK-006", exit_code=1)
class CancelledTaskWorksOn(SlowTasks):
    def cancel(self, id: str) -> Object:
        return super().cancel(id) if id in self.status else self.state(id)


@plant("no-task-needed", "Runs a tool without its required task.", "TASK-008", exit_code=1)
class NoTaskNeeded(Tasks):
    tools = (_shelf("count_books", "required"), lookup(found))

    def insists(self, support: str) -> bool:
        return False


_TABLE = Tool("reserve_table", answers("Any day will do."))


class Questions(Stateless):
    """A server whose tool asks for a day where its client can be asked."""

    tools: Sequence[Tool] | None = (_TABLE,)

    def call_tool(self, asked: Asked) -> Object:
        """Ask for the day first; refuse what is no answer of this client."""
        able = asked.params["_meta"].get(f"{META}clientCapabilities", {})
        if "elicitation" not in able or asked.params.get("name") != "reserve_table":
            return super().call_tool(asked)
        state, responses = asked.params.get("requestState"), asked.params.get("inputResponses")
        if state is not None and not self.is_ours(state):
            raise Fault(WRONG_PARAMS, "This state was altered")
        if state is None or not self.is_enough(responses):
            return self.question()
        if not isinstance(responses, dict) or not isinstance(responses.get("day"), dict):
            raise Fault(WRONG_PARAMS, "This is no answer")
        return text("No table is reserved.")

    def is_enough(self, responses: Any) -> bool:
        """Whether the question was answered, in whatever way."""
        return isinstance(responses, dict) and "day" in responses

    def is_ours(self, state: str) -> bool:
        """Whether we made a state."""
        return hmac.compare_digest(state.encode(), self.state().encode())

    def state(self) -> str:
        """A state with our signature."""
        return hmac.new(b"a key", b"asked for the day", hashlib.sha256).hexdigest()

    def question(self) -> Object:
        """What is to be asked."""
        schema = {"type": "object", "properties": {"day": {"type": "string"}}}
        params = {"mode": "form", "message": "Which day?", "requestedSchema": schema}
        request = {"method": "elicitation/create", "params": params}
        return {
            "resultType": "input_required",
            "requestState": self.state(),
            "inputRequests": {"day": request},
        }


@plant("asks-for-a-day", "Asks for input, and checks it.", correct=True, exit_code=0)
def asks_for_a_day() -> Questions:
    return Questions()


@plant("asks-nobody-else", "Says what it needs of a client.", correct=True, exit_code=0)
class AsksNobodyElse(Questions):
    tools = (_TABLE, lookup(found))

    def call_tool(self, asked: Asked) -> Object:
        able = asked.params["_meta"].get(f"{META}clientCapabilities", {})
        is_unable = asked.params.get("name") == "reserve_table" and "elicitation" not in able
        return self.unable(asked) if is_unable else super().call_tool(asked)

    def unable(self, asked: Asked) -> Object:
        """Refuse a client who cannot be asked."""
        needed: Object = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        raise Fault(-32021, "Somebody must say which day", needed)


@plant("asks-everybody", "Asks who cannot be asked.", "VER-009", "MRTR-004", exit_code=1)
class AsksEverybody(AsksNobodyElse):
    def unable(self, asked: Asked) -> Object:
        return self.question()


@plant("says-not-what-it-needs", "Refuses with another error.", "VER-009", exit_code=1)
class SaysNotWhatItNeeds(AsksNobodyElse):
    def unable(self, asked: Asked) -> Object:
        raise Fault(-32603, "Internal error")


@plant("altered-state-accepted", "Takes a state that was altered.", "MRTR-009")
class AlteredStateAccepted(Questions):
    def is_ours(self, state: str) -> bool:
        return True


@plant("missing-input-accepted", "Goes on without the input.", "MRTR-010")
class MissingInputAccepted(Questions):
    def is_enough(self, responses: Any) -> bool:
        return True

    def call_tool(self, asked: Asked) -> Object:
        params = {"inputResponses": {"day": {"action": "decline"}}, **asked.params}
        return super().call_tool(asked._replace(params=params))
