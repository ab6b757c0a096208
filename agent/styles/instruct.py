"""Chat prompts for any instruction-tuned model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.agent.backends.base import Prompt
from rtl_agent.agent.proposals.guard import ALLOWED_MODULES
from rtl_agent.prompts.render import render
from rtl_agent.tools.interface import Direction, Interface
from rtl_agent.tools.parse import written_name

from .extract import design_text, split_units, strip_fences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.library.types import Exemplar
    from rtl_agent.agent.spec.model import Spec

__all__ = ["InstructStyle", "forced_header", "header_text"]

_TAIL_LINES = 8  # of a cut-off answer, shown when asking for the rest
# Lines of a source from which a repair may be answered by search-and-replace blocks, and from
# which it has to be: a short one is written again as quickly as it is changed.
_MAY_LINES, _BLOCK_LINES = 20, 120


def header_text(interface: Interface, language: str) -> str:
    """The module's header with all its ports; empty when none are known.

    In SystemVerilog outputs are `logic`; in Verilog their kind (`wire` or `reg`) is left open.
    """
    if not interface.ports:
        return ""
    logic = language.startswith("system")
    rows = [_declaration(port, logic=logic) for port in interface.ports]
    return f"module {_name_and_parameters(interface)} (\n" + ",\n".join(rows) + "\n);\n"


def forced_header(interface: Interface, language: str) -> str:
    """The part of the header that an answer can be made to begin with.

    In SystemVerilog that is all of it, up to the line end after `);`. In Verilog the model has to
    choose `output reg` or `output wire`, so the text ends after the keyword `output` of the first
    output: a place where every tokenizer has a boundary, because a space follows.
    """
    if not interface.ports:
        return ""
    if language.startswith("system"):
        return header_text(interface, language)
    rows: list[str] = []
    for port in interface.ports:
        if port.direction is Direction.OUTPUT:
            return _opening(interface) + "".join(f"{row},\n" for row in rows) + "    output"
        rows.append(_declaration(port, logic=False))
    return header_text(interface, language)


def _opening(interface: Interface) -> str:
    return f"module {_name_and_parameters(interface)} (\n"


def _name_and_parameters(interface: Interface) -> str:
    name = written_name(interface.module)
    if not interface.parameters:
        return name
    inner = ",\n".join(f"    parameter {p.name} = {p.default}" for p in interface.parameters)
    return f"{name} #(\n{inner}\n)"


def _declaration(port: Any, *, logic: bool) -> str:
    kind = "" if not logic or port.direction is Direction.INOUT else "logic"
    signed = "signed" if port.signed else ""
    words = (str(port.direction), kind, signed, port.range, written_name(port.name))
    return "    " + " ".join(word for word in words if word)


class InstructStyle:
    """Prompts as chat messages; implements `PromptStyle`.

    `prefill` says whether the backend can begin the answer for the model: then names and ports
    of the header are written by us and cannot be wrong.
    """

    reads_diagnosis = True

    def __init__(self, *, prefill: bool = False) -> None:
        self._prefill = prefill

    def draft(self, spec: Spec, exemplars: Sequence[Exemplar]) -> Prompt:
        """Ask for a first draft."""
        text = render(
            "draft.j2",
            **_common(spec),
            exemplars=[{"name": e.name, "spec": e.spec, "rtl": e.rtl} for e in exemplars],
            others=[also.module for also in spec.also],
            choose_kind=not spec.language.startswith("system"),
        )
        return self._prompt("draft", spec, text, tuple(e.rtl for e in exemplars))

    def repair(
        self,
        spec: Spec,
        source: str,
        evidence: str,
        exemplars: Sequence[Exemplar],  # noqa: ARG002 - the source itself is the example here
        *,
        compiled: bool,
    ) -> Prompt:
        """Ask for a corrected version of `source`."""
        purpose, template = (
            ("repair-mismatch", "repair_mismatch.j2")
            if compiled
            else ("repair-compile", "repair_compile.j2")
        )
        lines = 0 if self._prefill else source.count("\n")
        blocks = "only" if lines >= _BLOCK_LINES else "too" if lines >= _MAY_LINES else ""
        text = render(template, **_common(spec), source=source, evidence=evidence, blocks=blocks)
        return self._prompt(purpose, spec, text, (source,), blocks=bool(blocks))

    def propose(self, spec: Spec, fault: str = "") -> Prompt | None:
        """Ask for a reference model in Python; no design is shown."""
        clocking = spec.clocking
        hidden = {clocking.clock, clocking.reset}
        text = render(
            "propose.j2",
            module=spec.interface.module,
            spec=spec.text,
            inputs=[p for p in spec.interface.inputs() if p.name not in hidden],
            outputs=spec.interface.outputs(),
            parameters=spec.interface.parameters,
            clock=clocking.clock or "",
            reset=clocking.reset or "",
            reset_active_low=clocking.reset_active_low,
            modules=", ".join(sorted(ALLOWED_MODULES)),
            fault=fault,
        )
        return Prompt(
            "propose",
            messages=(("system", render("propose_system.j2")), ("user", text)),
            prefill="```python\n" if self._prefill else "",
        )

    def resume(self, prompt: Prompt, partial: str) -> Prompt:
        """Ask for the rest of an answer that was cut off after `partial`."""
        if not partial:  # it was stopped before the first word
            return prompt
        said = prompt.prefill + partial
        hints = (*prompt.hints, said)
        if self._prefill:
            return Prompt("continue", messages=prompt.messages, prefill=said, hints=hints)
        tail = "\n".join(said.splitlines()[-_TAIL_LINES:])
        fence = "python" if prompt.purpose == "propose" else "verilog"
        again = render("continue.j2", tail=tail, fence=fence)
        messages = (*prompt.messages, ("assistant", said), ("user", again))
        return Prompt("continue", messages=messages, hints=hints)

    def source(self, spec: Spec, prompt: Prompt, answer: str) -> str:
        """The RTL source in `answer`; empty when there is no module in it."""
        ports = frozenset(p.name for p in spec.interface.ports)
        module = spec.interface.module
        whole = prompt.prefill + answer
        if prompt.prefill and any(u.name == module for u in split_units(strip_fences(answer))):
            whole = answer  # a model that began again all the same
        also = frozenset(interface.module for interface in spec.also)
        return design_text(whole, module, ports, also)

    def _prompt(
        self, purpose: str, spec: Spec, text: str, hints: tuple[str, ...], *, blocks: bool = False
    ) -> Prompt:
        fence = _common(spec)["fence"]
        system = render("system.j2", language_name=_language_name(spec.language), blocks=blocks)
        forced = forced_header(spec.interface, spec.language) if self._prefill else ""
        return Prompt(
            purpose,
            messages=(("system", system), ("user", text)),
            prefill=f"```{fence}\n{forced}" if self._prefill else "",
            hints=hints,
        )


def _common(spec: Spec) -> dict[str, Any]:
    header = spec.header or header_text(spec.interface, spec.language)
    return {
        "module": spec.interface.module,
        "spec": spec.text,
        "header": "" if header.strip() in spec.text else header,
        "fence": "systemverilog" if spec.language.startswith("system") else "verilog",
    }


def _language_name(language: str) -> str:
    name, _, year = language.partition("-")
    return f"{'SystemVerilog' if name.startswith('system') else 'Verilog'}-{year}".rstrip("-")
