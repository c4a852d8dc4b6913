"""What the commands of the command line share: how a registry is opened, and how output and complaints are written."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from curator_core.errors import NotWritable, SettingsError
from curator_core.text import plural, visible

if TYPE_CHECKING:
    from curator_core.curator import Curator

Folder = Annotated[Path, typer.Argument(help="A registry folder: tools.json and its companions.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Profile = Annotated[str | None, typer.Option(help="Settings profile; default: the registry's own.", show_default=False)]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one setting or stage; repeatable.", show_default=False)
]


def open_curator(folder: Path, profile: str | None, sets: list[str] | None) -> Curator:
    """Open a registry with its own settings, changed by --profile and --set; say on stderr what of it cannot be used."""
    from curator_core.curator import Curator
    from curator_core.settings import profile as named_profile

    curator = Curator.from_folder(folder, progress=Reading().told)
    base = curator.settings if profile is None or profile == curator.settings.profile else named_profile(profile)
    curator.settings = base.with_values(dict(_pair(text) for text in sets or ()))
    for notice in curator.index.build.notices:
        complain(notice)
    unusable = sum(problem.level == "error" for problem in curator.index.registry.problems)
    if unusable:
        complain(f"{plural(unusable, 'part')} of {folder} cannot be used; `tool-curator check {folder}` says which and why")
    return curator


class Reading:
    """Says on stderr how far reading a registry's texts is: in one line of a terminal, elsewhere every few seconds."""

    _EVERY = 10.0

    def __init__(self) -> None:
        from curator_core.pace import Pace

        self._pace, self._terminal, self._said = Pace(), sys.stderr.isatty(), time.monotonic()

    def told(self, done: int, total: int) -> None:
        """Say that so many texts are read."""
        line = f"tool-curator: reading tools, {self._pace.said(done, total)}"
        if self._terminal:
            print(f"\r\033[K{line}", end="\n" if done >= total else "", file=sys.stderr, flush=True)
        elif time.monotonic() - self._said >= self._EVERY:
            self._said = time.monotonic()
            print(line, file=sys.stderr, flush=True)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"--set {text}: write NAME=VALUE, such as top_k=10 or split=off")
    return name.strip(), value.strip()


def print_json(value: object) -> None:
    """Write a value as JSON, with other letters than ASCII where the output can take them."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a terminal or a lone surrogate that cannot be written as it is
        text = json.dumps(value, indent=2, allow_nan=False)
    write(text + "\n")


def show(printed: Callable[..., None], *arguments: object) -> None:
    """Write tables as wide as the terminal; 140 columns where the output goes to a file or another program."""
    terminal = sys.stdout.isatty()
    text = io.StringIO()
    console = Console(file=text, highlight=False, force_terminal=terminal, width=None if terminal else 140)
    printed(console, *arguments)
    write(text.getvalue())


def write(text: str) -> None:
    """Write to the output; raise NotWritable where it cannot be written."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise NotWritable(f"the output cannot be written: {error.strerror}") from error


def complain(text: str) -> None:
    """Write one line to stderr."""
    print(f"tool-curator: {' '.join(visible(text).split())}", file=sys.stderr)
