"""`tool-curator export`: a registry in a format that others read, on the output or in a file; what it cannot hold goes to stderr."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curator_core.commands.command_line import Folder, complain, write
from curator_core.errors import NotWritable


def export_command(
    folder: Folder,
    format_: Annotated[str, typer.Option("--format", help="mcp, openai, anthropic, gemini, csv, jsonl, solr …; an unknown one lists all.")],
    out: Annotated[Path | None, typer.Option(help="A file to write to; default: the output.", show_default=False)] = None,
    role: Annotated[str | None, typer.Option(help="Only tools that this role may see.", show_default=False)] = None,
) -> None:
    """Write a registry's tools, synonyms or test queries in another format."""
    from curator_core.exchange.exporting import export_registry
    from curator_core.files.folder import load_registry

    registry = load_registry(folder, strict=False)
    keys = None if role is None else [key for key in registry.keys if key in set(registry.pool(role))]
    exported = export_registry(registry, format_, keys)
    if out is None:
        write(exported.text)
    else:
        try:
            out.write_text(exported.text, encoding="utf-8", newline="")
        except OSError as error:
            raise NotWritable(f"{out}: it cannot be written ({error.strerror})") from error
    for what in exported.left_out:
        complain(f"{format_} cannot hold: {what}")
