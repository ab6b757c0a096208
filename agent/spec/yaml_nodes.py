"""YAML nodes with their lines: what a mapping without line numbers could not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml
from rtl_agent.agent.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NodeReader"]


class NodeReader:
    """Composes YAML and reads nodes; every refusal names file and line."""

    def __init__(self, name: str, keys: tuple[str, ...]) -> None:
        self.name = name
        self.keys = keys

    def fail(self, line: int, message: str, remedy: str) -> SpecError:
        """The error to raise for something on `line`."""
        return SpecError(f"{self.name}:{line}: {message}", remedy=remedy)

    def line(self, node: yaml.Node) -> int:
        """The line of `node` in the file."""
        return int(node.start_mark.line) + 2  # marks count from 0, below the opening `---`

    def compose(self, text: str) -> yaml.MappingNode | None:
        """The mapping in `text`; None when it is empty."""
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = int(mark.line) + 2 if mark else 2
            raise self.fail(
                line,
                f"the front matter is not valid YAML: {error.problem or error}",
                "Correct it; values with `:` or `#` in them need quotes.",
            ) from error
        except yaml.YAMLError as error:
            raise self.fail(
                2, f"the front matter is not valid YAML: {error}", "Correct it."
            ) from error
        if node is None:
            return None
        if not isinstance(node, yaml.MappingNode):
            raise self.fail(
                self.line(node),
                "the front matter must be `key: value` lines",
                f"Known keys: {', '.join(self.keys)}.",
            )
        return node

    def pairs(self, node: yaml.MappingNode, what: str) -> Iterator[tuple[str, yaml.Node, int]]:
        """Keys with their nodes and lines; refuses keys that are repeated or no words."""
        seen: set[str] = set()
        for key, value in node.value:
            text = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            line = self.line(key)
            if not text:
                raise self.fail(line, f"a key of {what} must be a plain word", "Correct the key.")
            if text in seen:
                raise self.fail(line, f"{text!r} is given twice in {what}", "Keep one of the two.")
            seen.add(text)
            yield text, value, line

    def text(self, node: yaml.Node, key: str) -> str:
        """The text of a scalar node."""
        if not isinstance(node, yaml.ScalarNode) or not str(node.value).strip():
            raise self.fail(
                self.line(node), f"{key!r} must be one word or line of text", "Give a value."
            )
        return str(node.value).strip()

    def flag(self, node: yaml.Node, key: str) -> bool:
        """A scalar node as true or false."""
        word = self.text(node, key).lower()
        if word not in ("true", "false", "yes", "no"):
            raise self.fail(
                self.line(node), f"{key!r} must be true or false, not {word!r}", "Correct it."
            )
        return word in ("true", "yes")
