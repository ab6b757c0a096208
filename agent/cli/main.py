"""The entry point: finds the command, and turns every error into one message and an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click
from rtl_agent.agent.errors import ExitCode

from .registry import LazyGroup
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["cli", "main", "run"]

_HELP = with_examples(
    """From a written hardware spec to Verilog that was compiled, linted and simulated.

    Exit codes: 0 the required verdict was reached, 1 it was not, 2 wrong usage, spec or
    settings, 3 a required tool or model is missing, 4 a budget ended the run, 130 interrupted.
    Results go to standard output, progress to standard error.""",
    "rtl-agent doctor                     what is installed, what is missing",
    "rtl-agent solve spec.md              a design, verified or honestly not",
    "rtl-agent check spec.md design.v     judge RTL you already have",
    title="Start here:",
)

EX_SOFTWARE = 70  # a bug in this program; never to be taken for a verdict


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
    help=_HELP,
)
@click.version_option(package_name="rtl-agent", prog_name="rtl-agent")
def cli() -> None:
    """Hold the commands; see `registry.py`."""


def _say(message: str, remedy: str = "") -> None:
    click.echo(f"error: {message}", err=True)
    if remedy:
        click.echo(f"  -> {remedy}", err=True)


def _interrupted(error: BaseException) -> int:
    """Say how to go on, where the run can be gone on with."""
    again = getattr(error, "resume_line", "")
    click.echo(f"interrupted; go on with: {again}" if again else "interrupted", err=True)
    return int(ExitCode.INTERRUPTED)


def _known_error(error: Exception) -> int | None:
    """Report an error of ours and give its exit code; None for any other."""
    from rtl_agent.agent.errors import RtlAgentError
    from rtl_agent.decoding import errors as decoding
    from rtl_agent.tools import errors as tools

    if isinstance(error, RtlAgentError):
        code = error.exit_code
    elif isinstance(error, tools.ToolError):
        code = ExitCode.MISSING if isinstance(error, tools.ToolMissing) else ExitCode.USAGE
    elif isinstance(error, decoding.DecodingError):
        usage = (decoding.InputUnreadable, decoding.PromptTooLong, decoding.TrainingError)
        code = ExitCode.USAGE if isinstance(error, usage) else ExitCode.MISSING
    else:
        return None
    _say(error.message, error.remedy)
    return int(code)


def _unknown_error(error: Exception) -> int:
    """Report a bug: where it happened, and how to see all of it."""
    if os.environ.get("RTL_AGENT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    _say(
        f"internal error: {type(error).__name__}: {error}",
        "this is a bug in rtl-agent; set RTL_AGENT_DEBUG=1 to see where, and report it",
    )
    return EX_SOFTWARE


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; prints errors, never raises."""
    output = sys.stdout
    try:
        code = cli.main(
            args=None if args is None else list(args), prog_name="rtl-agent", standalone_mode=False
        )
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        return _interrupted(error.__cause__ or error)  # click wraps what Ctrl-C raised
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and sys.stdout is output:
            raise  # click makes a broken pipe exit code 1, which means something else here
        # The reader of our output went away (`| head`): leave quietly, as other programs do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:  # noqa: BLE001 - the last line of defence, with its own exit code
        known = _known_error(error)
        return known if known is not None else _unknown_error(error)
    return code if isinstance(code, int) else 0


def main() -> None:
    """Console entry point."""
    sys.exit(run())


if __name__ == "__main__":
    main()
