"""`tool-curator clashes`: which tools take each other's questions, worst first."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator_core.commands.command_line import AsJson, Folder, Profile, Sets, complain, open_curator, print_json, show

if TYPE_CHECKING:
    from curator_core.authoring.dismissals import Dismissal, Mark
    from curator_core.collisions.clashes import StageProgress
    from curator_core.curator import Curator


def clashes_command(
    folder: Folder,
    role: Annotated[str | None, typer.Option(help="Look only at what this role may see.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(help="How many clashes to list.", min=0)] = 200,
    profile: Profile = None,
    set_: Sets = None,
    steals: Annotated[bool, typer.Option("--steals", help="List instead who takes whose questions, from the tools' texts alone.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the pairs of tools that take each other's questions, worst first; dismissed ones stand apart with their reasons."""
    if steals:
        _list_steals(open_curator(folder, profile, set_), role, limit, as_json)
        return
    from curator_core.collisions.clashes import find_clashes, put_away
    from curator_core.commands.clash_printing import print_clashes

    curator, away = open_curator(folder, profile, set_), _dismissals(folder)
    with _progress() as progress:
        found = find_clashes(curator, role=role, limit=limit + len(away), progress=progress)
    found = put_away(found, curator.index, away, limit)
    if as_json:
        print_json(found.to_dict())
    else:
        show(print_clashes, found)


def _list_steals(curator: Curator, role: str | None, limit: int, as_json: bool) -> None:
    from curator_core.collisions.steals import list_steals
    from curator_core.collisions.strays import estimate_strays
    from curator_core.commands.clash_printing import print_steals

    with _progress() as progress:
        asked = None if progress is None else partial(progress, "own questions")
        found = list_steals(estimate_strays(curator.index, role, curator.settings, asked), limit)
    if as_json:
        print_json({"steals": [steal.to_dict() for steal in found]})
    else:
        show(print_steals, found)


def _dismissals(folder: Path) -> Mapping[Mark, Dismissal]:
    """Return which pairs are dismissed; none, with a word about it, where the store cannot be read."""
    from curator_core.authoring.dismissals import dismissed_clashes
    from curator_core.errors import StoreError
    from curator_core.store import store_if_any

    try:
        store = store_if_any(folder)
        if store is None:
            return {}
        try:
            return dismissed_clashes(store)
        finally:
            store.close()
    except StoreError as error:
        complain(f"dismissed pairs are listed too: {error}")
        return {}


@contextmanager
def _progress() -> Iterator[StageProgress | None]:
    """Show on a terminal how far each stage is."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        tasks = {name: shown.add_task(name, total=None) for name in ("test queries", "own questions")}
        yield lambda name, done, total: shown.update(tasks[name], completed=done, total=total)
