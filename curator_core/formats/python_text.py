"""Lists and dicts as Python and JavaScript programs write them, with single quotes, True and None: read as data, nothing is run."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from curator_core.files.json_source import MAX_DEPTH, Duplicate, JsonFault, depth_exceeds

MAX_CHARACTERS = 5_000_000
_LIKE = re.compile(r"[\[{,:(]\s*'|[\[,:]\s*(?:True|False|None)\b")
_ASSIGNED = re.compile(r"\s*(?:export\s+)?(?:(?:const|let|var)\s+)?[A-Za-z_]\w{0,100}\s*=\s*(?=[\[{])")
_WORDS = {"true": True, "false": False, "null": None}
_FIX = "give it as JSON: print(json.dumps(…)) in Python, JSON.stringify(…) in JavaScript"


def looks_like_python(text: str) -> bool:
    """Say whether a text that is no JSON has what only Python's data has: texts in single quotes, True, False or None."""
    return len(text) <= MAX_CHARACTERS and _LIKE.search(text) is not None


def unassigned(text: str) -> str:
    """Return a text without the name that its value is given to (`tools = […]`); places in it stay the same."""
    if (found := _ASSIGNED.match(text)) is None:
        return text
    before = re.sub(r"\S", " ", found.group())
    return before + text[found.end() :].rstrip().removesuffix(";")


def parse_python(text: str) -> tuple[Any, tuple[Duplicate, ...]]:
    """Return the value of a Python literal and the keys that stand twice in a dict. Raises JsonFault with the line."""
    begin = text.lstrip()
    above = text.count("\n", 0, len(text) - len(begin))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes such as "\d", which stay as they are
            tree = ast.parse(begin.rstrip(), mode="eval").body
    except SyntaxError as error:
        place = f"line {(error.lineno or 1) + above}, column {error.offset or 1}"
        raise JsonFault(f"{place}: neither JSON nor Python's data ({error.msg})", _FIX) from None
    except (ValueError, MemoryError, RecursionError):
        raise JsonFault("neither JSON nor Python's data", _FIX) from None
    twice: list[Duplicate] = []
    value = _value(tree, above, 0, twice)
    if depth_exceeds(value, MAX_DEPTH):
        raise JsonFault(f"brackets are nested more than {MAX_DEPTH} deep", "make the document flatter")
    return value, tuple(twice)


def _value(node: ast.expr, above: int, depth: int, twice: list[Duplicate]) -> Any:
    if isinstance(node, ast.Dict) and depth <= MAX_DEPTH:
        return _dict(node, above, depth, twice)
    if isinstance(node, (ast.List, ast.Tuple)) and depth <= MAX_DEPTH:
        return [_value(one, above, depth + 1, twice) for one in node.elts]
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (str, bool, int))):
        return node.value
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and abs(node.value) != float("inf"):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        number = _value(node.operand, above, depth, twice)
        if isinstance(number, (int, float)):
            return -number
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    raise JsonFault(f"line {node.lineno + above}: found a part of a program ({type(node).__name__}), not data", _FIX)


def _dict(node: ast.Dict, above: int, depth: int, twice: list[Duplicate]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise JsonFault(f"line {value.lineno + above}: a key that is no text", "write a text as the key")
        if key.value in read:
            twice.append(Duplicate(key.value, key.lineno + above))
        read[key.value] = _value(value, above, depth + 1, twice)
    return read
