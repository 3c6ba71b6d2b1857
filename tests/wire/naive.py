"""A reader of JSON that goes character by character: slow, plain, and the judge of the real one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mcp_assay.wire.pointer import Path, Step

ESCAPES: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
DIGITS: Final = "0123456789"
HEX: Final = "0123456789abcdefABCDEF"


class NotJsonError(Exception):
    """The text is not JSON from `position` on."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


@dataclass
class Node:
    """A value in the text: where it begins and, for a container, what is in it in order."""

    position: int
    children: list[tuple[Step, Node]] = field(default_factory=list)

    def names_a_member_twice(self) -> bool:
        names = [step for step, _ in self.children]
        return len(set(names)) < len(names) or any(
            child.names_a_member_twice() for _, child in self.children
        )

    def at(self, path: Path) -> Node | None:
        if not path:
            return self
        found = [child for step, child in self.children if step == path[0]]
        return found[-1].at(path[1:]) if found else None

    def paths(self) -> list[Path]:
        below = [(step, *path) for step, child in self.children for path in child.paths()]
        return [(), *below]


class NaiveReader:
    """Reads one value from the start of a text; NaN and the infinities count as numbers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> Node:
        self.spaces()
        node = Node(self.at)
        if self.sees("["):
            self.array(node)
        elif self.sees("{"):
            self.object(node)
        elif self.sees('"'):
            self.string()
        else:
            self.number_or_word()
        return node

    def array(self, node: Node) -> None:
        self.take("[")
        self.spaces()
        if not self.sees("]"):
            node.children.append((0, self.read()))
            self.spaces()
        while not self.sees("]"):
            self.take(",")
            node.children.append((len(node.children), self.read()))
            self.spaces()
        self.take("]")

    def object(self, node: Node) -> None:
        self.take("{")
        self.spaces()
        if not self.sees("}"):
            self.member(node)
        while not self.sees("}"):
            self.take(",")
            self.spaces()
            self.member(node)
        self.take("}")

    def member(self, node: Node) -> None:
        name = self.string()
        self.spaces()
        self.take(":")
        node.children.append((name, self.read()))
        self.spaces()

    def string(self) -> str:
        content = ""
        self.take('"')
        while not self.sees('"'):
            if self.sees("\\"):
                content += self.escape()
            elif self.at == len(self.text) or self.text[self.at] < " ":
                raise NotJsonError(self.at)
            else:
                content += self.take(self.text[self.at])
        self.take('"')
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def escape(self) -> str:
        self.take("\\")
        if not self.sees("u"):
            return ESCAPES[self.take("".join(ESCAPES))]
        self.take("u")
        return chr(int("".join(self.take(HEX) for _ in range(4)), 16))

    def number_or_word(self) -> None:
        for word in ("NaN", "Infinity", "-Infinity"):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return
        for word in ("true", "false", "null"):
            if self.sees(word[0]):
                for letter in word:
                    self.take(letter)
                return
        self.number()

    def number(self) -> None:
        if self.sees("-"):
            self.take("-")
        if self.take(DIGITS) != "0":
            self.more_digits()
        if self.sees("."):
            self.take(".")
            self.take(DIGITS)
            self.more_digits()
        if self.sees("eE"):
            self.take("eE")
            if self.sees("+-"):
                self.take("+-")
            self.take(DIGITS)
            self.more_digits()
        if self.sees(DIGITS + ".eE"):
            raise NotJsonError(self.at)

    def more_digits(self) -> None:
        while self.sees(DIGITS):
            self.at += 1

    def spaces(self) -> None:
        while self.sees(" \t\n\r"):
            self.at += 1

    def sees(self, characters: str) -> bool:
        return self.at < len(self.text) and self.text[self.at] in characters

    def take(self, characters: str) -> str:
        if not self.sees(characters):
            raise NotJsonError(self.at)
        self.at += 1
        return self.text[self.at - 1]
