"""Designs that drive their own inputs, and with them the nets of the testbench."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyslang import analysis, ast

from .finding import finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostic import Diagnostic
    from .finding import Context

__all__ = ["drive_findings"]

_PLAIN_NETS = frozenset({"wire", "tri", "uwire"})


def drive_findings(context: Context) -> Iterator[Diagnostic]:
    """Findings for inputs of any module that have a driver inside it, or a net type that drives.

    A strong driver on an input changes the net in the testbench, where the reference may
    read it too.
    """
    manager = analysis.AnalysisManager()
    for compilation in context.unit.compilations:
        compilation.getAllDiagnostics()  # elaborates; the analysis needs it
        manager.analyze(compilation)
        for instance in compilation.getRoot().topInstances:
            if instance.definition.definitionKind == ast.DefinitionKind.Module:
                yield from _ports(context, manager, instance.body)


def _ports(
    context: Context, manager: analysis.AnalysisManager, body: ast.InstanceBodySymbol
) -> Iterator[Diagnostic]:
    for port in body.portList:
        symbol = getattr(port, "internalSymbol", None)
        if symbol is None or not port.name:
            continue
        net = getattr(symbol, "netType", None)
        if net is not None and net.name not in _PLAIN_NETS:
            yield finding(
                context.unit.place(port.location),
                "port-net-type",
                f"port `{port.name}` is a `{net.name}` net, which acts on the net outside",
                "declare the port as a wire",
            )
        if port.direction != ast.ArgumentDirection.In:
            continue
        for driver in manager.getDrivers(symbol):
            if driver.isInputPort:
                continue
            yield finding(
                context.unit.place(driver.sourceRange.start),
                "drives-input",
                f"input `{port.name}` of `{body.definition.name}` is driven inside the design",
                "an input is only read; use another signal for the value",
            )
            break
