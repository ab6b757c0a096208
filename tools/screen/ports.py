"""The top module against the interface it must have, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostic import Severity
from ..parse.place import Place
from .finding import finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostic import Diagnostic
    from ..interface import Interface, Port
    from ..parse.model import ModuleInfo, SourceModel

__all__ = ["interface_findings"]


def interface_findings(model: SourceModel, wanted: Interface) -> Iterator[Diagnostic]:
    """Findings for a missing top module and for every port that differs."""
    top = model.module(wanted.module)
    if top is None:
        yield _wrong_top(model, wanted)
        return
    if not wanted.ports:
        return
    resolved = resolve(wanted)
    mine = top.interface
    for port in resolved.ports:
        actual = mine.port(port.name)
        if actual is None:
            near = _near(port.name, [p.name for p in mine.ports])
            yield _at(
                top,
                "port-missing",
                f"`{top.name}` has no port `{port.name}`" + (f"; it has `{near}`" if near else ""),
                f"declare `{_declaration(port)}`",
            )
        else:
            yield from _compare(top, port, actual)
    for port in mine.ports:
        if resolved.port(port.name) is None:
            yield _at(
                top,
                "port-invented",
                f"`{top.name}` has a port `{port.name}` that the specification does not have",
                "remove the port; make it an internal signal if it is needed",
            )
    yield from _parameters(top, wanted)


def _compare(top: ModuleInfo, wanted: Port, actual: Port) -> Iterator[Diagnostic]:
    severity = Severity.WARNING if wanted.inferred else Severity.ERROR
    if actual.direction is not wanted.direction:
        yield _at(
            top,
            "port-direction",
            f"port `{wanted.name}` is an {actual.direction}, but must be an {wanted.direction}",
            f"declare `{_declaration(wanted)}`",
            severity=severity,
        )
    if isinstance(wanted.width, int) and actual.width != wanted.width:
        yield _at(
            top,
            "port-width-wrong",
            f"port `{wanted.name}` has {actual.width} bits, but must have {wanted.width}",
            f"declare `{_declaration(wanted)}`",
            severity=severity,
        )


def _parameters(top: ModuleInfo, wanted: Interface) -> Iterator[Diagnostic]:
    mine = {p.name: p.default for p in top.interface.parameters}
    for parameter in wanted.parameters:
        if parameter.name not in mine:
            yield _at(
                top,
                "parameter-missing",
                f"`{top.name}` has no parameter `{parameter.name}`",
                f"declare `parameter {parameter.name} = {parameter.default}`",
            )
        elif parameter.default and _squeeze(mine[parameter.name]) != _squeeze(parameter.default):
            yield _at(
                top,
                "parameter-default",
                f"parameter `{parameter.name}` is {mine[parameter.name]} by default, "
                f"not {parameter.default}",
                f"declare `parameter {parameter.name} = {parameter.default}`",
                severity=Severity.WARNING,
            )


def resolve(wanted: Interface) -> Interface:
    """The wanted interface with widths in bits for its default parameter values.

    A width that cannot be told stays as written, and is then not compared.
    """
    if all(isinstance(port.width, int) for port in wanted.ports):
        return wanted
    from ..parse import parse_text, written_name

    parameters = ", ".join(f"parameter {p.name} = {p.default}" for p in wanted.parameters)
    ports = ", ".join(f"{p.direction} {p.range} {written_name(p.name)}" for p in wanted.ports)
    header = f"module header #({parameters}) ({ports}); endmodule\n"
    stub = parse_text(header if parameters else header.replace("#()", ""), name="header.v")
    known = stub.module("header")
    if not stub.ok or known is None:
        return wanted
    widths = {port.name: port.width for port in known.interface.ports}
    from dataclasses import replace

    return replace(
        wanted,
        ports=tuple(replace(p, width=widths.get(p.name, p.width)) for p in wanted.ports),
    )


def _wrong_top(model: SourceModel, wanted: Interface) -> Diagnostic:
    names = [m.name for m in model.modules]
    file = str(model.order[0]) if model.order else ""
    first = model.modules[0] if model.modules else None
    if first is None:
        message = f"there is no module; `{wanted.module}` is wanted"
        return finding(Place(file, 1), "no-module", message, f"write `module {wanted.module}`")
    found = ", ".join(f"`{name}`" for name in names[:5])
    return finding(
        Place(first.file, first.line),
        "wrong-top",
        f"the top module must be called `{wanted.module}`; found {found}",
        f"name it `{wanted.module}`",
    )


def _declaration(port: Port) -> str:
    return " ".join(part for part in (str(port.direction), port.range, port.name) if part)


def _near(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    lowered = {n.lower(): n for n in names}
    match = get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.7)
    return lowered[match[0]] if match else ""


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()


def _at(
    top: ModuleInfo, code: str, message: str, hint: str, *, severity: Severity = Severity.ERROR
) -> Diagnostic:
    place = Place(top.file, top.line)
    return finding(place, code, message, hint, severity=severity)
