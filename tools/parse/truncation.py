"""Whether a source stops in the middle: its last tokens are missing and nothing follows."""

from __future__ import annotations

from typing import Any

from pyslang import parsing, syntax

__all__ = ["is_truncated"]

_KIND = syntax.SyntaxKind
_OPENERS = (
    _KIND.ModuleDeclaration,
    _KIND.InterfaceDeclaration,
    _KIND.ProgramDeclaration,
    _KIND.PackageDeclaration,
)


def is_truncated(tree: syntax.SyntaxTree) -> bool:
    """Whether the last module of the tree has no end, and the file has no text after it."""
    root: Any = tree.root
    members = root.members if root.kind == _KIND.CompilationUnit else [root]
    last = members[-1] if len(members) else None
    if last is None or last.kind not in _OPENERS:
        return False
    return bool(last.endmodule.isMissing)


def is_unterminated_comment(token: parsing.Token) -> bool:
    """Whether a token's trivia holds a block comment that never ends."""
    return any(
        t.kind == parsing.TriviaKind.BlockComment and not t.getRawText().endswith("*/")
        for t in token.trivia
    )
