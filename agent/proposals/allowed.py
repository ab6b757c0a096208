"""What a proposed reference may use of Python: builtins, and of which modules which names."""

from __future__ import annotations

import builtins
import itertools
import math
import operator

__all__ = ["ALLOWED_MODULES", "BUILTINS", "MEMBERS"]

# Not here: doors to names given as text (`getattr`, `eval`, `type`), to files, and to what
# differs from run to run (`hash`, `id`).
_FUNCTIONS = """
    abs all any bin bool bytearray bytes callable chr classmethod dict divmod enumerate filter
    float format frozenset hasattr hex int isinstance issubclass iter len list map max min next
    object oct ord pow property range repr reversed round set slice sorted staticmethod str sum
    super tuple zip NotImplemented Ellipsis
""".split()
_EXCEPTIONS = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, Exception)
}
BUILTINS = frozenset(_FUNCTIONS) | _EXCEPTIONS

# `attrgetter` and `methodcaller` fetch attributes by names that are text.
_OF_OPERATOR = frozenset(operator.__all__) - {"attrgetter", "methodcaller"}

MEMBERS: dict[str, frozenset[str]] = {
    # No class written in Python (`Counter`): its methods can be replaced for all who use it.
    "collections": frozenset("OrderedDict defaultdict deque namedtuple".split()),
    "copy": frozenset({"copy", "deepcopy"}),
    "dataclasses": frozenset("asdict astuple dataclass field replace".split()),
    "enum": frozenset("Enum Flag IntEnum IntFlag StrEnum auto unique".split()),
    "functools": frozenset(
        "cache cached_property cmp_to_key lru_cache partial reduce total_ordering".split()
    ),
    "itertools": frozenset(n for n in vars(itertools) if not n.startswith("_")),
    "math": frozenset(n for n in vars(math) if not n.startswith("_")),
    "operator": _OF_OPERATOR,
    "typing": frozenset(
        """Any ClassVar DefaultDict Deque Dict Final FrozenSet List Literal NamedTuple Optional
        OrderedDict Set Tuple TypeAlias Union cast""".split()
    ),
}  # fmt: skip
ALLOWED_MODULES = frozenset(MEMBERS) | {"__future__"}
