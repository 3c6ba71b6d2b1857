"""Servers that announce that they check calls before they are made: one that does, and others."""

from __future__ import annotations

from collections.abc import Sequence

from tests.servers.planting import Family
from tests.servers.protocol import Shaken
from tests.servers.things import Object, Tool, accepts, found, lookup, structured, text

SERVERS = Family("validation")
plant = SERVERS.plant
QUESTION = accepts(
    tool={"type": "string"},
    arguments={"type": "object"},
    calls={"type": "array", "items": {"type": "object"}},
)
ADD = Tool("add_book", lambda arguments: text("Added."), accepts(), annotations=None)
ALLOWED = ("--allow=add_book",)


def verdict(*errors: str) -> Object:
    """What is said about a call."""
    return {"valid": not errors, "errors": list(errors), "warnings": [], "suggestions": []}


class Validating(Shaken):
    """A server that says of a call whether it would be valid."""

    added = 0

    def __init__(self) -> None:
        super().__init__(*self.offered())

    def own_tools(self) -> Sequence[Tool]:
        """The tools that calls are made of."""
        return (lookup(found), ADD)

    def offered(self) -> Sequence[Tool]:
        """Those, and the one that validates."""
        return (*self.own_tools(), Tool("validate", self.validated, QUESTION))

    def announced(self) -> Object:
        """What is said about the validation."""
        return {"supported": True, "batchValidation": True, "maxBatchSize": 5}

    def capabilities(self) -> Object:
        """What is declared, with the announcement."""
        return {**super().capabilities(), "experimental": {"toolValidation": self.announced()}}

    def validated(self, asked: Object) -> Object:
        """The verdict on one call, or on several."""
        if "calls" in asked:
            return structured({"results": [self.checked(one) for one in asked["calls"]]})
        return structured(self.checked(asked))

    def checked(self, call: Object) -> Object:
        """Whether the tool would take the arguments."""
        if call.get("tool") != "find_book":
            return verdict()
        arguments = call.get("arguments")
        title = arguments.get("title") if isinstance(arguments, dict) else None
        return verdict() if isinstance(title, str) and title else verdict("There is no title.")


@plant("validates-calls", "Checks calls before they are made.", correct=True, exit_code=0)
class ValidatesCalls(Validating):
    pass


@plant("validation-missing", "Announces a validation that it does not list.", "TVAL-001")
class ValidationMissing(Validating):
    def offered(self) -> Sequence[Tool]:
        return self.own_tools()


@plant("validation-without-verdict", "Says yes in place of true.", "TVAL-002", exit_code=1)
class ValidationWithoutVerdict(Validating):
    def checked(self, call: Object) -> Object:
        return {**verdict(), "valid": "yes"}


@plant("validation-says-yes", "Calls everything valid.", "TVAL-003")
class ValidationSaysYes(Validating):
    def checked(self, call: Object) -> Object:
        return verdict()


@plant("validation-changes-its-mind", "Says yes and no in turn.", "TVAL-004")
class ValidationChangesItsMind(Validating):
    turn = 0

    def checked(self, call: Object) -> Object:
        self.turn += 1
        return verdict() if self.turn % 2 else verdict("Not this time.")


@plant("validation-refuses-all", "Calls everything invalid.", "TVAL-005")
class ValidationRefusesAll(Validating):
    def checked(self, call: Object) -> Object:
        return verdict("No call is good enough.")


@plant("batches-in-vain", "Announces batches and answers for one call.", "TVAL-006", exit_code=1)
class BatchesInVain(Validating):
    def validated(self, asked: Object) -> Object:
        return structured(self.checked(asked))


@plant(
    "validation-acts",
    "Makes the calls that it validates.",
    "TVAL-007",
    options=ALLOWED,
    exit_code=1,
)
class ValidationActs(Validating):
    def own_tools(self) -> Sequence[Tool]:
        return (Tool("list_books", lambda _: text(f"{self.added} books"), accepts()), ADD)

    def checked(self, call: Object) -> Object:
        self.added += call.get("tool") == "add_book"
        return verdict("It takes no arguments.") if call.get("arguments") else verdict()


@plant("validation-odd", "Announces a size of batches, and no batches.", "TVAL-008")
class ValidationOdd(Validating):
    def announced(self) -> Object:
        return {"supported": True, "maxBatchSize": 5}


@plant("batches-in-disorder", "Answers a batch from its end.", "TVAL-006", exit_code=1)
class BatchesInDisorder(Validating):
    def announced(self) -> Object:
        return {"supported": True, "batchValidation": True, "maxBatchSize": 4}

    def validated(self, asked: Object) -> Object:
        turned = {"calls": asked["calls"][::-1]} if "calls" in asked else {}
        return super().validated({**asked, **turned})


@plant("verdicts-end-untold", "Ends verdicts with changes of which it does not tell.", "TVAL-008")
class VerdictsEndUntold(Validating):
    def announced(self) -> Object:
        caching = {"enabled": True, "ttl": 60, "invalidateOn": ["tool_update"]}
        return {"supported": True, "caching": caching}
