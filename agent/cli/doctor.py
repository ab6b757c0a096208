"""`rtl-agent doctor`: what is here, what is missing, and what that costs."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from rtl_agent.agent.errors import ExitCode

if TYPE_CHECKING:
    from rtl_agent.tools.toolchain.tool import ToolStatus

from .teach import with_examples

__all__ = ["doctor_command"]

_HELP = with_examples(
    """Show every tool with its version, the sandbox, and the model, and how to get what is
    missing.

    Exit code 3 when something is missing without which no design can be verified.""",
    "rtl-agent doctor",
    "rtl-agent doctor --json",
)


@click.command("doctor", short_help="Show which tools and models are here.", help=_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor_command(*, as_json: bool) -> int:
    """Report on this machine."""
    from rtl_agent.tools.toolchain import status_of_all

    statuses = status_of_all()
    sandbox, model = _sandbox(), _model()
    missing = [s for s in statuses if s.required and not s.ok]
    ok = not missing and bool(model["ready"])
    if as_json:
        report = {
            "schema_version": 1,
            "ok": ok,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "tools": [asdict(s) for s in statuses],
            "sandbox": sandbox,
            "model": model,
        }
        click.echo(json.dumps(report, indent=2))
    else:
        _print(statuses, sandbox, model, ok=ok)
    return int(ExitCode.REACHED if ok else ExitCode.MISSING)


def _sandbox() -> dict[str, Any]:
    from rtl_agent.tools.sandbox import best_sandbox

    best = best_sandbox()
    return {"name": best.name, "isolates": best.isolates}


def _model() -> dict[str, Any]:
    from .catalog import embedded_entry

    entry = embedded_entry()
    return {
        "name": entry.name,
        "ready": entry.ready,
        "detail": entry.detail,
        "remedy": entry.remedy,
    }


def _print(
    statuses: tuple[ToolStatus, ...], sandbox: dict[str, Any], model: dict[str, Any], *, ok: bool
) -> None:
    click.echo(f"python {platform.python_version()} ({sys.executable})")
    for status in statuses:
        _print_tool(status)
    isolated = (
        "simulations are enclosed"
        if sandbox["isolates"]
        else (
            "NOT enclosed: resource limits alone; model-written Python is not run unless "
            "you ask for it"
        )
    )
    _print_row("ok" if sandbox["isolates"] else "--", "sandbox", sandbox["name"], isolated)
    _print_row("ok" if model["ready"] else "!!", "model", model["name"], model["detail"])
    if not model["ready"]:
        click.echo(f"       -> {model['remedy']}")
    click.echo("everything that is required is here" if ok else "something required is missing")


def _print_tool(status: ToolStatus) -> None:
    mark = "ok" if status.ok else "!!" if status.required else "--"
    _print_row(mark, status.name, status.version, status.purpose)
    if status.ok:
        return
    found = f"{status.version} is too old, {status.minimum} is needed; " if status.version else ""
    click.echo(f"       {found}without it: {status.absence}")
    click.echo(f"       -> {status.install}")


def _print_row(mark: str, name: str, version: str, text: str) -> None:
    click.echo(f"{mark:<3} {name:<10} {version:<18} {text}")
