"""The command line: `tool-curator …`. Exit status 0 fine, 1 a check failed, 2 unusable input."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from curator_core.errors import CuratorError, InvalidQuery, NotWritable, RegistryError, SettingsError
from curator_core.text import has_word_character, visible

if TYPE_CHECKING:
    from curator_core.curator import Curator

_UsageError: type[Exception] = typer.BadParameter.__bases__[
    0
]  # of what typer raises for a wrong command line this is the base, and it has no name there

app = typer.Typer(
    help="See and prove why an LLM agent is shown a tool or not.", no_args_is_help=True, add_completion=False, rich_markup_mode=None
)
model_app = typer.Typer(help="The embedding model.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(model_app, name="model")
history_app = typer.Typer(help="What happened to a registry.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(history_app, name="history")

Folder = Annotated[Path, typer.Argument(help="A registry folder: tools.json and its companions.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Profile = Annotated[str | None, typer.Option(help="Settings profile; default: the registry's own.", show_default=False)]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one setting or stage; repeatable.", show_default=False)
]


def main() -> None:
    """Run the command line; what cannot be used is one line on stderr and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter gets its number
    try:
        raise SystemExit(app(standalone_mode=False))
    except RegistryError as error:
        _complain("; also: ".join(map(str, error.problems)))
    except CuratorError as error:
        _complain(str(error))
    except _UsageError as error:
        _complain(f"{error.format_message()}; `tool-curator --help` says what is possible")  # type: ignore[attr-defined]
    raise SystemExit(2)


@app.command()
def dashboard(
    folder: Annotated[Path | None, typer.Argument(help="A registry folder; none: choose on the page.", show_default=False)] = None,
) -> None:
    """Open the workbench in the browser, on a registry or on the choice of one."""
    if folder is not None:
        from curator_core.folder import load_registry

        load_registry(folder, strict=False)  # what cannot be opened at all is said here rather than on a page
    arguments = [] if folder is None else [str(folder.resolve())]
    process = subprocess.Popen([sys.executable, "-m", "dashboard", *arguments])
    try:
        raise typer.Exit(process.wait())
    except KeyboardInterrupt:
        process.wait()
        raise typer.Exit(0) from None


@app.command()
def query(
    folder: Folder,
    text: Annotated[str, typer.Argument(help="The question.")],
    role: Annotated[str | None, typer.Option(help="Search only what this role may see.", show_default=False)] = None,
    top_k: Annotated[int | None, typer.Option(help="How many tools; default: the registry's own setting.", show_default=False)] = None,
    profile: Profile = None,
    set_: Sets = None,
    as_json: AsJson = False,
    rows: Annotated[str, typer.Option(help="With --json: which tools each pass lists, listed or all.")] = "listed",
) -> None:
    """Show which tools an agent would get for a question, and why."""
    from curator_core.printing import print_trace

    if not has_word_character(text):
        raise InvalidQuery("empty query: type at least one letter or digit")
    if rows not in ("listed", "all"):
        raise InvalidQuery(f"--rows {rows}: choose listed or all")
    curator = _curator(folder, profile, set_)
    trace = curator.curate(text, top_k=top_k, role=role)
    if as_json:
        _print_json(trace.to_dict("all" if rows == "all" else "listed"))
    else:
        _show(print_trace, trace)


@app.command(name="eval")
def evaluate_(
    folder: Folder,
    queries: Annotated[
        Path | None, typer.Option(help="A test_queries.jsonl to use instead of the folder's own.", show_default=False)
    ] = None,
    profile: Profile = None,
    set_: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Ask the registry's test questions and measure the answers."""
    from curator_core.evaluation import evaluate
    from curator_core.folder import load_test_queries
    from curator_core.printing import print_evaluation

    curator = _curator(folder, profile, set_)
    registry = curator.index.registry
    cases, problems = load_test_queries(queries) if queries else (registry.test_queries, registry.problems)
    evaluation = evaluate(curator, cases)
    file = queries.name if queries else "test_queries.jsonl"
    unread = [str(problem) for problem in problems if problem.level == "error" and problem.where.startswith(file)]
    if as_json:
        record = evaluation.to_dict()
        _print_json(record | {"invalid": [*record["invalid"], *({"query": None, "reason": reason} for reason in unread)]})
    else:
        _show(print_evaluation, evaluation, unread)


@app.command()
def check(folder: Folder, as_json: AsJson = False) -> None:
    """Say what is wrong with a registry; exit status 1 when a part of it cannot be used."""
    from curator_core.config import load_config
    from curator_core.encoder import load_encoder
    from curator_core.folder import load_registry
    from curator_core.health import check_retrieval
    from curator_core.printing import print_problems

    registry, config = load_registry(folder, strict=False), load_config(folder)
    encoder = load_encoder(config.model, config.query_prefix)
    problems = (*registry.problems, *check_retrieval(registry, encoder, config.settings))
    errors = [problem for problem in problems if problem.level == "error"]
    if as_json:
        warnings = [problem for problem in problems if problem.level != "error"]
        listed = {name: [dataclasses.asdict(problem) for problem in some] for name, some in (("errors", errors), ("warnings", warnings))}
        _print_json({"registry": registry.name, "tools": len(registry.tools), **listed})
    else:
        _show(print_problems, registry.name, problems)
    if errors:
        raise typer.Exit(1)


@model_app.command("show")
def show_model(
    model: Annotated[str, typer.Argument(help="auto, bundled, a folder or a hub id.")] = "auto", as_json: AsJson = False
) -> None:
    """Say which embedding model is used, where it lies, and how to get the recommended one."""
    from curator_core.encoder import model_report
    from curator_core.printing import print_model

    report = model_report(model)
    if as_json:
        _print_json(dataclasses.asdict(report))
    else:
        _show(print_model, report)


@model_app.command("pull")
def pull_model() -> None:
    """Download the recommended embedding model; the only command that uses the network."""
    from curator_core.model_pull import pull_model as pull

    _write(f'The model is in {pull()}. Registries with model = "auto" use it from now on.' + "\n")


@history_app.command("compact")
def compact_history(
    folder: Folder,
    keep: Annotated[int, typer.Option(help="How many of the latest revisions keep their files.", min=1)] = 1000,
    name: Annotated[str | None, typer.Option("--as", help="Who does it; default: this computer's user.", show_default=False)] = None,
) -> None:
    """Let go of the files of old revisions and give the room back; who, when, why and what stays for all."""
    import getpass

    from curator_core import history
    from curator_core.store import open_store

    store = open_store(folder)
    try:
        gone = history.compact(store, store.person(name or getpass.getuser()), keep)
    finally:
        store.close()
    for notice in store.notices:
        _complain(notice)
    _write(f"{gone} old file contents are gone; the latest {keep} revisions can be brought back whole, older ones field by field.\n")


def _curator(folder: Path, profile: str | None, sets: list[str] | None) -> Curator:
    """Open a registry with its own settings, changed by --profile and --set; say on stderr what of it cannot be used."""
    from curator_core.curator import Curator
    from curator_core.settings import profile as named_profile

    curator = Curator.from_folder(folder)
    base = curator.settings if profile is None or profile == curator.settings.profile else named_profile(profile)
    curator.settings = base.with_values(dict(_pair(text) for text in sets or ()))
    for notice in curator.index.build.notices:
        _complain(notice)
    unusable = sum(problem.level == "error" for problem in curator.index.registry.problems)
    if unusable:
        _complain(f"{unusable} parts of {folder} cannot be used; `tool-curator check {folder}` says which and why")
    return curator


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"--set {text}: write NAME=VALUE, such as top_k=10 or split=off")
    return name.strip(), value.strip()


def _print_json(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a terminal or a lone surrogate that cannot be written as it is
        text = json.dumps(value, indent=2, allow_nan=False)
    _write(text + "\n")


def _show(printed: Callable[..., None], *arguments: object) -> None:
    """Write tables as wide as the terminal; 140 columns where the output goes to a file or another program."""
    terminal = sys.stdout.isatty()
    text = io.StringIO()
    console = Console(file=text, highlight=False, force_terminal=terminal, width=None if terminal else 140)
    printed(console, *arguments)
    _write(text.getvalue())


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise NotWritable(f"the output cannot be written: {error.strerror}") from error


def _complain(text: str) -> None:
    print(f"tool-curator: {' '.join(visible(text).split())}", file=sys.stderr)
