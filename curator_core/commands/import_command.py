"""`tool-curator import`: tools from anywhere into a registry folder, with a preview, in one step that the history keeps."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator_core.commands.command_line import AsJson, complain, print_json, write
from curator_core.errors import RegistryError
from curator_core.text import plural, visible

if TYPE_CHECKING:
    from curator_core.exchange.import_plan import ImportPlan
    from curator_core.exchange.importing import Imported

_STATES = {
    "new": "new",
    "changed": "changed in the source",
    "both": "changed in the source and here, kept as here (--theirs takes the source's)",
    "gone": "no longer in the source, taken out (--keep-gone leaves them)",
}
_SHOWN = 20
_WARNINGS = 10


def import_command(
    to: Annotated[Path, typer.Option(help="The registry folder; made when there is none.", show_default=False)],
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="SOURCE...", help="Files, folders, or - for the standard input.", show_default=False)
    ] = None,
    stdio: Annotated[str, typer.Option(metavar="COMMAND", help="Start this MCP server and ask it.", show_default=False)] = "",
    http: Annotated[str, typer.Option(metavar="URL", help="Ask this MCP server over streamable HTTP.", show_default=False)] = "",
    header: Annotated[list[str] | None, typer.Option(help="With --http: NAME: VALUE; repeatable.", show_default=False)] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that a live server has to answer.", min=0.1)] = 30.0,
    group: Annotated[str, typer.Option(help="The server of tools that name none.", show_default=False)] = "",
    origin: Annotated[str, typer.Option(help="What the source is called; default: the file's name.", show_default=False)] = "",
    theirs: Annotated[bool, typer.Option("--theirs", help="Of texts changed on both sides take the source's.")] = False,
    keep_gone: Annotated[bool, typer.Option("--keep-gone", help="Leave tools that the source no longer has.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    check: Annotated[bool, typer.Option("--check", help="As --dry-run; exit status 1 when anything would change.")] = False,
    reason: Annotated[str, typer.Option(help="Why, for the history.", show_default=False)] = "",
    name: Annotated[str | None, typer.Option("--as", help="Who does it; default: this computer's user.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Import tools and synonyms from files of any usual format; what a registry adds to them survives."""
    from curator_core.checks.lint import TOOLS
    from curator_core.exchange.import_plan import plan_import
    from curator_core.exchange.importing import called
    from curator_core.files.folder import load_registry
    from curator_core.registry import Registry

    live = _live(sources, stdio, http, header, timeout)
    imported = called(live or _read(sources or []), group, origin)
    if not imported.registry.tools and not imported.registry.synonyms:
        raise RegistryError(imported.problems)
    fresh = not (to / TOOLS).exists()
    registry = Registry(imported.registry.name) if fresh else load_registry(to, strict=False)
    plan = plan_import(registry, imported, theirs=theirs, keep_gone=keep_gone)
    written = bool(plan.edits or fresh) and not (dry_run or check)
    if written:
        _carry_out(to, fresh, imported, plan, reason or f"imported {', '.join(sources or [stdio or http])}", name or getpass.getuser())
    if as_json:
        print_json(_record(imported, plan, written))
    else:
        _print(imported, plan, written, to)
    if check and (plan.edits or fresh):
        raise typer.Exit(1)


def _live(sources: list[str] | None, stdio: str, http: str, header: list[str] | None, timeout: float) -> Imported | None:
    """Return what a live server has, None where files are given. Its tools are of the server by its own name."""
    if sum(map(bool, (sources, stdio, http))) != 1:
        raise typer.BadParameter("give files or folders, or --stdio COMMAND, or --http URL")
    if sources:
        return None
    from curator_core.exchange.importing import called, read_source
    from curator_core.exchange.live_mcp import tools_of_command, tools_of_url

    pairs = (text.partition(":") for text in header or ())
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    found = tools_of_command(stdio, timeout) if stdio else tools_of_url(http, timeout, headers)
    for line in found.said.strip().splitlines()[-_SHOWN:]:
        complain(f"the server wrote: {line}")
    return called(read_source({"tools": list(found.tools)}, stdio or http), found.server)


def _read(sources: Sequence[str]) -> Imported:
    from curator_core.exchange.importing import read_source

    if "-" in sources:
        if len(sources) > 1:
            raise typer.BadParameter("- is the standard input, and stands alone; put it into a file to import it with others")
        return read_source(sys.stdin.buffer.read(), "standard input")
    return read_source(Path(sources[0]) if len(sources) == 1 else [Path(source) for source in sources])


def _carry_out(to: Path, fresh: bool, imported: Imported, plan: ImportPlan, reason: str, name: str) -> None:
    from curator_core.authoring.people import person_of, require
    from curator_core.authoring.publishing import publish
    from curator_core.exchange.import_plan import new_registry
    from curator_core.files.config import load_config
    from curator_core.files.folder import save_registry
    from curator_core.store import open_store

    if fresh:
        require(person_of(name, load_config(to).people), "author", "make a registry")
        registry = new_registry(imported)
        save_registry(registry if registry.name else replace(registry, name=to.resolve().name), to)
        return
    store = open_store(to)
    try:
        publish(store, store.person(name), reason, plan.edits)
    finally:
        store.close()
    for notice in store.notices:
        complain(notice)


def _record(imported: Imported, plan: ImportPlan, written: bool) -> dict[str, Any]:
    rows = [{"tool": row.key, "state": row.state, "fields": list(row.fields), "where": row.where} for row in plan.rows]
    problems = [{"level": one.level, "where": one.where, "found": one.found, "fix": one.fix} for one in imported.problems]
    counts = {state: len(plan.keys(state)) for state in ("new", "changed", "same", "both", "gone")}
    head = {"shape": imported.shape, "tools": len(imported.registry.tools), "complete": imported.complete, "written": written}
    return {
        **head,
        **counts,
        "rows": rows,
        "remark": plan.remark,
        "collisions": {name: list(keys) for name, keys in plan.collisions.items()},
        "problems": problems,
    }


def _print(imported: Imported, plan: ImportPlan, written: bool, to: Path) -> None:
    registry = imported.registry
    found = (("tool", len(registry.tools)), ("synonym", len(registry.synonyms)))
    lines = [f"{imported.shape}: {', '.join(plural(number, what) for what, number in found if number)}"]
    for state, title in _STATES.items():
        rows = [row for row in plan.rows if row.state == state]
        if rows:
            names = [f"{row.key} ({', '.join(row.fields)})" if row.fields else row.key for row in rows[:_SHOWN]]
            lines.append(f"{len(rows)} {title}: {', '.join(names)}{', …' if len(rows) > _SHOWN else ''}")
    lines += [f"{len(plan.keys('same'))} the same"] if plan.keys("same") else []
    for name, keys in list(plan.collisions.items())[:_SHOWN]:
        lines.append(f"{len(keys)} tools are called {name}; all are kept, as {', '.join(keys)}")
    lines += [f"{plan.remark} (--origin NAME)"] if plan.remark else []
    lines.append(f"written to {to}" if written else "nothing to do" if not plan.edits and to.exists() else "nothing was written")
    write("".join(f"{visible(line)}\n" for line in lines))
    warnings = [problem for problem in imported.problems if problem.level != "error"]
    for problem in imported.problems:
        if problem.level == "error":
            complain(f"not used: {problem}")
    for problem in warnings[:_WARNINGS]:
        complain(str(problem))
    if len(warnings) > _WARNINGS:
        complain(f"and {plural(len(warnings) - _WARNINGS, 'more warning')}; --json lists all")
