"""Which public functions of the engine write to a registry's files or store: read from the source, so that a new one is not forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import curator_core

HOME = Path(curator_core.__file__).parent
Function = tuple[str, str]  # module, name
SINKS = {("journal", "replace_files")}  # the one way into the files; into the store it is `store.writing()`


def writing_functions() -> set[str]:
    """Return "module.name" of every public function that can write, itself or by what it calls."""
    calls = {name: called for module in sorted(HOME.rglob("*.py")) for name, called in _functions(module)}
    writing = {name for name, called in calls.items() if called & {("", ".writing"), *SINKS}} | SINKS
    while more := {name for name, called in calls.items() if called & writing} - writing:
        writing |= more
    return {f"{module}.{name}" for module, name in writing if not name.startswith("_")}


def _functions(path: Path) -> Iterator[tuple[Function, set[Function]]]:
    """Yield each function of a module, methods too, with what it calls or hands on."""
    module, tree = path.stem, ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name: ((node.module or "").rpartition(".")[2], alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield (module, node.name), {_named(one, module, imported) for one in ast.walk(node)} - {(module, node.name), ("", "")}


def _named(node: ast.AST, module: str, imported: dict[str, Function]) -> Function:
    if isinstance(node, ast.Name):
        return imported.get(node.id, (module, node.id))
    if isinstance(node, ast.Attribute) and node.attr == "writing":
        return "", ".writing"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
        return imported[node.value.id][1], node.attr
    return "", ""
