"""Which rules the user wants to hear of: ids and families, chosen or left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mcp_assay.spec.catalogue import suggest


def names(text: str, rule: str) -> bool:
    """Whether the text names the rule: by its id, its family or the beginning of its id."""
    family = rule.rpartition("-")[0]
    return text in (rule, family) or ("-" in text and rule.startswith(text))


def require_rules(names_given: Iterable[str], rules: Collection[str]) -> None:
    """Raise ValueError, with a suggestion, for the first name that names none of the rules."""
    for text in names_given:
        if not any(names(text, rule) for rule in rules):
            raise ValueError(unknown_rule(text))


def unknown_rule(text: str) -> str:
    """The sentence about a rule that does not exist."""
    near = suggest(text)
    hint = f"did you mean {' or '.join(near)}?" if near else "mcp-assay rules lists them all."
    return f"there is no rule {text!r}; {hint}"


def chosen(
    rules: Iterable[str], select: Iterable[str], ignore: Iterable[str], always: Iterable[str] = ()
) -> frozenset[str]:
    """The rules that are selected (all, where nothing is) or in `always`, and not ignored."""
    selected, ignored = tuple(select), tuple(ignore)
    kept = set(always)
    return frozenset(
        rule
        for rule in rules
        if (not selected or rule in kept or any(names(text, rule) for text in selected))
        and not any(names(text, rule) for text in ignored)
    )
