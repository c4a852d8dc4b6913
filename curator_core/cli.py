"""The command line: `tool-curator …`. Exit status 0 fine, 1 a check failed, 2 unusable input."""

from __future__ import annotations

import dataclasses
import gc
import io
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator_core.commands.audit_command import audit_command
from curator_core.commands.clash_command import clashes_command
from curator_core.commands.command_line import AsJson, Folder, Profile, Sets, complain, open_curator, print_json, show, write
from curator_core.commands.eval_command import evaluate_command
from curator_core.commands.export_command import export_command
from curator_core.commands.import_command import import_command
from curator_core.commands.mcp_command import mcp_command
from curator_core.errors import CuratorError, InvalidQuery, RegistryError
from curator_core.text import has_word_character, plural

if TYPE_CHECKING:
    pass

_UsageError: type[Exception] = typer.BadParameter.__bases__[
    0
]  # of what typer raises for a wrong command line this is the base, and it has no name there

_COLLECTED_AFTER = 50_000  # new objects after which Python looks for those that nobody needs; its own number is 700

app = typer.Typer(
    help="See and prove why an LLM agent is shown a tool or not.", no_args_is_help=True, add_completion=False, rich_markup_mode=None
)
model_app = typer.Typer(help="The embedding model.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(model_app, name="model")
history_app = typer.Typer(help="What happened to a registry.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(history_app, name="history")


def main() -> None:
    """Run the command line; what cannot be used is one line on stderr and exit status 2."""
    gc.set_threshold(_COLLECTED_AFTER)  # a tenth of a short command went into looking through what imports have made
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter gets its number
    try:
        raise SystemExit(app(standalone_mode=False))
    except RegistryError as error:
        complain("; also: ".join(map(str, error.problems)))
    except CuratorError as error:
        complain(str(error))
    except _UsageError as error:
        complain(f"{error.format_message()}; `tool-curator --help` says what is possible")  # type: ignore[attr-defined]
    raise SystemExit(2)


@app.command()
def dashboard(
    folder: Annotated[Path | None, typer.Argument(help="A registry folder; none: choose on the page.", show_default=False)] = None,
) -> None:
    """Open the workbench in the browser, on a registry or on the choice of one."""
    arguments = [] if folder is None else [str(folder.resolve())]
    process = subprocess.Popen([sys.executable, "-P", "-m", "dashboard", *arguments])  # -P: not what has that name where somebody works
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())  # who ends the command ends the workbench
    try:
        if folder is not None:
            _refuse_unusable(folder, process)
        raise typer.Exit(process.wait())
    except KeyboardInterrupt:
        process.wait()
        raise typer.Exit(0) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _refuse_unusable(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Say here, rather than on a page, what cannot be opened at all: while the workbench starts, which then ends."""
    from curator_core.files.folder import load_registry

    try:
        load_registry(folder, strict=False)
    except Exception:
        process.kill()
        process.wait()
        raise


@app.command()
def query(
    folder: Folder,
    text: Annotated[str, typer.Argument(help="The question.")],
    role: Annotated[str | None, typer.Option(help="Search only what this role may see.", show_default=False)] = None,
    top_k: Annotated[int | None, typer.Option(help="How many tools; default: the registry's setting.", min=1, show_default=False)] = None,
    profile: Profile = None,
    set_: Sets = None,
    as_json: AsJson = False,
    rows: Annotated[str, typer.Option(help="With --json: which tools each pass lists, listed or all.")] = "listed",
) -> None:
    """Show which tools an agent would get for a question, and why."""
    from curator_core.commands.printing import print_trace

    if not has_word_character(text):
        raise InvalidQuery("empty query: type at least one letter or digit")
    if rows not in ("listed", "all"):
        raise InvalidQuery(f"--rows {rows}: choose listed or all")
    curator = open_curator(folder, profile, set_)
    trace = curator.curate(text, top_k=top_k, role=role)
    if as_json:
        print_json(trace.to_dict("all" if rows == "all" else "listed"))
    else:
        show(print_trace, trace)


app.command(name="eval")(evaluate_command)
app.command(name="import")(import_command)
app.command(name="export")(export_command)
app.command(name="clashes")(clashes_command)
app.command(name="audit")(audit_command)
app.command(name="mcp")(mcp_command)


@app.command()
def check(
    folder: Folder,
    client: Annotated[str, typer.Option(help="Whose limits to check names and descriptions against.")] = "usual",
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with a registry; exit status 1 when a part of it cannot be used.

    Retrieval first, then the limits of agents' clients (usual, openai, anthropic, gemini, claude-code, cursor), then hidden text.
    """
    from curator_core.checks.health import check_retrieval
    from curator_core.checks.tool_checks import check_tools
    from curator_core.commands.printing import print_problems
    from curator_core.encoder import load_encoder
    from curator_core.exchange.import_plan import changed_since_import
    from curator_core.files.config import load_config
    from curator_core.files.folder import load_registry

    registry, config = load_registry(folder, strict=False), load_config(folder)
    encoder = load_encoder(config.model, config.query_prefix)
    problems = [*registry.problems, *changed_since_import(registry), *check_retrieval(registry, encoder, config.settings)]
    problems += (problem for some in check_tools(registry, client).values() for problem in some)
    errors = [problem for problem in problems if problem.level == "error"]
    if as_json:
        warnings = [problem for problem in problems if problem.level != "error"]
        listed = {name: [dataclasses.asdict(problem) for problem in some] for name, some in (("errors", errors), ("warnings", warnings))}
        print_json({"registry": registry.name, "tools": len(registry.tools), **listed})
    else:
        show(print_problems, registry.name, problems)
    if errors:
        raise typer.Exit(1)


@model_app.command("show")
def show_model(
    model: Annotated[str, typer.Argument(help="auto, bundled, a folder or a hub id.")] = "auto", as_json: AsJson = False
) -> None:
    """Say which embedding model is used, where it lies, and how to get the recommended one."""
    from curator_core.commands.printing import print_model
    from curator_core.encoder import model_report

    report = model_report(model)
    if as_json:
        print_json(dataclasses.asdict(report))
    else:
        show(print_model, report)


@model_app.command("pull")
def pull_model() -> None:
    """Download the recommended embedding model; the only command that uses the network."""
    from curator_core.models.model_pull import pull_model as pull

    write(f'The model is in {pull()}. Registries with model = "auto" use it from now on.' + "\n")


@history_app.command("compact")
def compact_history(
    folder: Folder,
    keep: Annotated[int, typer.Option(help="How many of the latest revisions keep their files.", min=1)] = 1000,
    name: Annotated[str | None, typer.Option("--as", help="Who does it; default: this computer's user.", show_default=False)] = None,
) -> None:
    """Let go of the files of old revisions and give the room back; who, when, why and what stays for all."""
    import getpass

    from curator_core.authoring import history
    from curator_core.store import open_store

    store = open_store(folder)
    try:
        gone = history.compact(store, store.person(name or getpass.getuser()), keep)
    finally:
        store.close()
    for notice in store.notices:
        complain(notice)
    said = f"{plural(gone, 'old file content')} {'is' if gone == 1 else 'are'} gone"
    write(f"{said}; the latest {plural(keep, 'revision')} can be brought back whole, older ones field by field.\n")


if __name__ == "__main__":
    main()
