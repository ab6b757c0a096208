"""`solve --dry-run`: what would be done, and the prompt a model would see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.backends.base import Prompt
    from rtl_agent.agent.config.schema import Settings
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

__all__ = ["show_plans"]


def _prompt_text(prompt: Prompt) -> str:
    if prompt.raw:
        return prompt.raw
    parts = [f"[{role}]\n{text}" for role, text in prompt.messages]
    return "\n\n".join(
        [*parts, f"[answer begins]\n{prompt.prefill}" if prompt.prefill else ""]
    ).rstrip()


def _ports(interface: Interface) -> list[dict[str, Any]]:
    return [
        {
            "direction": str(p.direction),
            "name": p.name,
            "width": p.width,
            "signed": p.signed,
            "inferred": p.inferred,
        }
        for p in interface.ports
    ]


def _plan(spec: Spec, settings: Settings) -> dict[str, Any]:
    from rtl_agent.agent.backends.factory import make_backend, make_style
    from rtl_agent.agent.config.build import (
        backend_settings,
        make_retriever,
        solve_options,
    )

    options = solve_options(settings)
    backend = make_backend(backend_settings(settings))
    retriever = make_retriever(settings)
    exemplars = retriever.nearest(spec, options.exemplars) if retriever else ()
    prompt = make_style(backend).draft(spec, exemplars)
    required = options.require or ("verified" if spec.checks else "compiles")
    return {
        "spec": str(spec.path or spec.name),
        "module": spec.interface.module,
        "language": spec.language,
        "ports": _ports(spec.interface),
        "parameters": {p.name: p.default for p in spec.interface.parameters},
        "clock": spec.clocking.clock,
        "reset": spec.clocking.reset,
        "reset_active_low": spec.clocking.reset_active_low,
        "checks": [{"kind": str(c.kind), "name": c.name, "origin": c.origin} for c in spec.checks],
        "notes": list(spec.notes),
        "required": str(required),
        "backend": settings.backend,
        "model": backend.name,
        "attempts": options.attempts,
        "candidates": options.candidates,
        "timeout_s": options.timeout_s,
        "exemplars": [{"name": e.name, "origin": e.origin} for e in exemplars],
        "prompt": _prompt_text(prompt),
    }


def _text(plan: dict[str, Any]) -> str:
    lines = [f"{plan['spec']}: module {plan['module']} ({plan['language']})"]
    for port in plan["ports"]:
        width = port["width"] if isinstance(port["width"], str) else f"{port['width']} bit"
        mark = "  (read from prose)" if port["inferred"] else ""
        lines.append(f"  {port['direction']:<6} {port['name']:<16} {width}{mark}")
    lines += [f"  parameter {name} = {value}" for name, value in plan["parameters"].items()]
    if plan["clock"]:
        reset = f", reset {plan['reset']}" if plan["reset"] else ""
        lines.append(f"  clock {plan['clock']}{reset}")
    lines += [f"  check: {c['kind']} {c['name']}" for c in plan["checks"]] or ["  no check"]
    lines += [f"  note: {note}" for note in plan["notes"]]
    lines.append(
        f"  plan: up to {plan['attempts']} attempts of {plan['candidates']} candidates with "
        f"{plan['model']}, {plan['timeout_s']:.0f} s, until {plan['required']}"
    )
    lines += [f"  shown to the model: {e['name']} ({e['origin']})" for e in plan["exemplars"]]
    return "\n".join([*lines, "", "prompt:", plan["prompt"]])


def show_plans(specs: Sequence[Spec], settings: Settings, *, as_json: bool) -> int:
    """Print the plan of every spec; nothing is loaded, asked or written."""
    plans = [_plan(spec, settings) for spec in specs]
    if as_json:
        click.echo(json.dumps({"schema_version": 1, "plans": plans}, indent=2))
    else:
        click.echo("\n\n".join(_text(plan) for plan in plans))
    return 0
