"""What `check` and `mutate` judge a design by: a spec, or checks named one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rtl_agent.tools.diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckSource, Dut

__all__ = ["dut_of", "read_subject", "require_checks", "require_module", "subject_options"]

F = TypeVar("F", bound=Callable[..., Any])

_KINDS = ("test", "testbench", "reference", "vectors")


def subject_options(function: F) -> F:
    """`--spec`, or the checks themselves."""
    kind = click.Path(path_type=Path)
    options = [
        click.option("--spec", "spec_path", type=kind, help="The spec, with its checks."),
        click.option("--test", multiple=True, type=kind, help="A cocotb test (.py)."),
        click.option("--testbench", multiple=True, type=kind, help="A self-checking bench (.v)."),
        click.option(
            "--reference",
            multiple=True,
            type=kind,
            help="A golden design (.v), or a Python model (.py), compared on random stimulus.",
        ),
        click.option("--vectors", multiple=True, type=kind, help="A table of vectors (.csv)."),
        click.option("--top", metavar="NAME", help="The module to judge, if there are several."),
        click.option(
            "--sandbox",
            type=click.Choice(["auto", "require", "off"]),
            default="auto",
            show_default=True,
            help="Use a sandbox where it works, insist on one, or use none.",
        ),
    ]
    if "mutate" not in function.__name__:
        options.pop()  # `check` has it as a setting
    for option in reversed(options):
        function = option(function)
    return function


def read_subject(files: Sequence[Path], params: dict[str, Any]) -> Spec:
    """The spec of `--spec`, or one made from the RTL itself and the checks that were named.

    Raises:
        click.UsageError: both were given, or the module to judge is not clear.
        UsageError: a file stands where it cannot be meant.
        SpecError, SourceUnreadable: something cannot be read.
    """
    from .roles import require_check, require_rtl

    named = [(kind, path) for kind in _KINDS for path in params[kind]]
    for path in files:
        require_rtl(path, params["spec_path"])
    for kind, path in named:
        require_check(kind, path)
    if params["spec_path"] is not None:
        if named:
            raise click.UsageError(
                f"--spec and --{named[0][0]} exclude each other: a spec names its own checks"
            )
        return _of_module(_from_file(params["spec_path"]), params["top"])
    return _from_design(files, named, params["top"])


def require_checks(spec: Spec, sandbox: str) -> tuple[Check, ...]:
    """The spec's checks, ready to run; at least one.

    Raises:
        SpecError: there is none, or one can never run.
        ToolMissing, MissingError: Icarus, or the sandbox that is asked for, is not here.
    """
    from rtl_agent.agent.errors import SpecError
    from rtl_agent.agent.graph.options import SandboxPolicy
    from rtl_agent.agent.graph.toolbox_real import RealToolbox
    from rtl_agent.tools.errors import CheckUnusable

    if not spec.checks:
        raise SpecError(
            f"{spec.path or spec.name}: no check, so no fault could be noticed",
            remedy="name checks in the spec, or one with --test, --testbench, --reference or "
            "--vectors",
        )
    try:
        return RealToolbox(SandboxPolicy(sandbox)).prepare(spec)
    except CheckUnusable as error:
        raise SpecError(error.message, remedy=error.remedy) from error


def require_module(files: Sequence[Path], spec: Spec) -> None:
    """See that the files define the spec's module, so that there is something to work on.

    Raises:
        SpecError: They define other modules, or none.
    """
    from rtl_agent.agent.errors import SpecError
    from rtl_agent.tools.parse import parse_files

    wanted = spec.interface.module
    model = parse_files([*spec.context, *files], language=spec.language)
    if model.module(wanted) is not None:
        return
    known = ", ".join(m.name for m in model.modules) or "none"
    raise SpecError(
        f"{', '.join(map(str, files))}: no module {wanted}, which {spec.path or spec.name} asks "
        f"for; modules there: {known}",
        remedy=f"name the file that defines {wanted}, or correct `module:` in the spec",
    )


def dut_of(files: Sequence[Path], spec: Spec) -> Dut:
    """The design as the tools take it."""
    from rtl_agent.tools.checks.types import Dut

    paths = tuple(path.absolute() for path in (*spec.context, *files))
    return Dut(paths, spec.interface, spec.language)


def _from_file(path: Path) -> Spec:
    from .specs import find_specs, read_all

    paths = find_specs([str(path)])
    if len(paths) > 1:
        raise click.UsageError("one design is judged by one spec: name one spec file")
    return read_all(paths)[0]


def _of_module(spec: Spec, top: str | None) -> Spec:
    """The spec, if it is of the module that --top names."""
    module = spec.interface.module
    if top is not None and top != module:
        raise click.UsageError(
            f"--top {top} and the spec exclude each other: {spec.path or spec.name} is of "
            f"module {module}"
        )
    return spec


def _from_design(files: Sequence[Path], named: Sequence[tuple[str, Path]], top: str | None) -> Spec:
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.clocking import infer_clocking
    from rtl_agent.tools.parse import parse_files

    model = parse_files(files)
    sources = tuple(_check_source(kind, path) for kind, path in named)
    module = _module(model, top, [s.text for s in sources if s.kind == "testbench"])
    interface = module.interface
    return Spec(
        name=module.name,
        path=None,
        text="",
        interface=interface,
        language=model.language,
        checks=sources,
        clocking=infer_clocking(interface),
    )


def _module(model: Any, top: str | None, benches: Sequence[str]) -> Any:
    """The module to judge: the one named, the only top, or the only top that a bench uses."""
    if top is not None:
        found = model.module(top)
        if found is None:
            known = ", ".join(m.name for m in model.modules) or "none"
            raise click.UsageError(f"no module {top} in the files; modules there: {known}")
        return found
    tops = [m for m in model.tops if m.kind == "module"]
    if len(tops) > 1:
        used = _instantiated(benches)
        tops = [m for m in tops if m.name in used] or tops
    if len(tops) == 1:
        return tops[0]
    if not tops:
        raise click.UsageError(_no_top(model))
    if len({m.name for m in tops}) == 1:
        raise click.UsageError(f"module {tops[0].name} is defined {len(tops)} times; leave one")
    names = ", ".join(m.name for m in tops)
    raise click.UsageError(f"several modules could be meant: {names}; name one with --top")


def _no_top(model: Any) -> str:
    """Why there is no module to judge."""
    modules = [m.name for m in model.modules if m.kind == "module"]
    if modules:
        return (
            f"no module stands at the top: {', '.join(modules[:8])} are instantiated within each "
            "other; name one with --top"
        )
    files = ", ".join(str(path) for path in model.order)
    errors = [d for d in model.diagnostics if d.severity is Severity.ERROR]
    if not errors:
        return f"no module in {files}"
    first = errors[0]
    return f"no module in {files}; the first error: {first.file}:{first.line}: {first.message}"


def _instantiated(benches: Sequence[str]) -> set[str]:
    from rtl_agent.tools.parse import parse_text

    return {
        instance.module
        for text in benches
        for module in parse_text(text).modules
        for instance in module.instances
    }


def _check_source(option: str, path: Path) -> CheckSource:
    from rtl_agent.tools.checks.types import CheckKind, CheckSource
    from rtl_agent.tools.parse import read_source

    kinds = {
        "test": CheckKind.COCOTB,
        "testbench": CheckKind.TESTBENCH,
        "vectors": CheckKind.VECTORS,
        "reference": CheckKind.REFERENCE_MODEL if path.suffix == ".py" else CheckKind.REFERENCE_RTL,
    }
    text = read_source(path)
    return CheckSource(kinds[option], path.stem, text, f"{path}:1", path.absolute())
