"""Synonyms as Solr and Elasticsearch write them: "a, b => c" adds a and b to what is said for c, "a, b, c" each to the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator_core.errors import Problem
from curator_core.files.json_source import broken
from curator_core.text import fold

_ARROW = re.compile(r"(?<!\\)(?:\\\\)*=>")
_COMMA = re.compile(r"((?:[^,\\]|\\.)*)(?:,|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"[\\,#]|=>")
LONGEST = 5_000  # characters of a rule
_HEAD = 200_000  # characters by which a text is judged
Rules = dict[str, tuple[str, ...]]


def looks_like_synonyms(text: str) -> bool:
    """Say whether the lines of a text are comments and rules, but for a few; lines of equally many words alone are rather a table."""
    lines = [line for line in text[:_HEAD].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if any(len(line) > LONGEST for line in lines):
        return False
    arrows = [bool(_ARROW.search(line)) for line in lines]
    counts = [len(_words(line)) for line in lines]
    rules = [count for arrow, count in zip(arrows, counts, strict=True) if arrow or count > 1]
    bad = len(lines) - len(rules)
    if any(arrows):
        return bad < len(rules)
    return bad <= len(lines) // 10 and len(set(rules)) > 1


def read_synonyms(name: str, lines: Iterable[tuple[str, str]]) -> tuple[Rules, tuple[Problem, ...]]:
    """Return the rules of lines, each with its place, as term -> what users say; the direction of => is kept."""
    rules: dict[str, dict[str, str]] = {}
    problems: list[Problem] = []
    for place, line in ((place, line.strip()) for place, line in lines):
        if not line or line.startswith("#"):
            continue
        if len(line) > LONGEST:
            problems.append(
                Problem(f"{name}, {place}", f"a rule of {len(line):,} characters", f"up to {LONGEST:,} are read; write several")
            )
            continue
        sides = _split(line)
        left, right = _words(sides[0]), _words(sides[-1])
        if broken(line):
            problems.append(Problem(f"{name}, {place}", "holds half a letter (a lone surrogate such as \\ud800)", "write the whole letter"))
            continue
        if len(sides) > 2 or not left or not right or (len(sides) == 1 and len(left) < 2):
            problems.append(Problem(f"{name}, {place}", f"found “{line[:60]}”", "a rule is: a, b => c, or: a, b, c"))
            continue
        for term in right:
            said = rules.setdefault(term, {})
            for phrase in left:
                if fold(phrase) != fold(term):
                    said.setdefault(fold(phrase), phrase)
    return {term: tuple(said.values()) for term, said in rules.items() if said}, tuple(problems)


def write_lines(synonyms: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a rule for each phrase, which keeps itself: tablet => tablet, ipad."""
    for term, phrases in synonyms.items():
        for phrase in phrases:
            if fold(phrase) != fold(term) and phrase.strip():
                yield f"{_escaped(phrase)} => {_escaped(phrase)}, {_escaped(term)}"


def unheld(synonyms: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return what `write_lines` leaves out: terms without phrases, and phrases that say only their term."""
    return tuple(term for term, phrases in synonyms.items() if not any(fold(one) != fold(term) and one.strip() for one in phrases))


def _split(line: str) -> list[str]:
    sides, start = [], 0
    for arrow in _ARROW.finditer(line):
        sides.append(line[start : arrow.end() - 2])
        start = arrow.end()
    return [*sides, line[start:]]


def _words(side: str) -> list[str]:
    found = (_ESCAPE.sub(r"\1", match[1]).strip() for match in _COMMA.finditer(side))
    return [word for word in found if word]


def _escaped(word: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match.group(), " ".join(word.split()))
