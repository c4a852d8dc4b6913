"""Print and check the shape of the code: how long modules and functions are (`make check` runs it)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("curator_core", "dashboard")
MODULE_LINES, SHARE_20, SHARE_40 = 300, 0.85, 0.98


def sources() -> Iterator[Path]:
    return (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function's body, its docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or body[-1].lineno) - body[0].lineno + 1 if body else 0


def function_lengths() -> list[tuple[int, str]]:
    lengths = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lengths.append((body_lines(node), f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"))
    return sorted(lengths, reverse=True)


def main() -> int:
    modules = sorted(((len(path.read_text(encoding="utf-8").splitlines()), path) for path in sources()), reverse=True)
    lengths = function_lengths()
    share_20, share_40 = (sum(length <= limit for length, _ in lengths) / len(lengths) for limit in (20, 40))
    print(f"{len(modules)} modules, the longest {modules[0][0]} lines ({modules[0][1].relative_to(ROOT)})")
    print(f"{len(lengths)} functions: {share_20:.1%} within 20 body lines, {share_40:.1%} within 40; the longest {lengths[0]}")
    too_long = [f"{path.relative_to(ROOT)}: {lines} lines, split it" for lines, path in modules if lines > MODULE_LINES]
    if share_20 < SHARE_20 or share_40 < SHARE_40:
        too_long += [f"{where}: {length} body lines" for length, where in lengths if length > 20]
    print(*too_long, sep="\n", end="\n" if too_long else "")
    return bool(too_long)


if __name__ == "__main__":
    sys.exit(main())
