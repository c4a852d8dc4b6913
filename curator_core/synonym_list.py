"""A pasted list of synonyms: lines or a JSON object, read as terms with phrases, and what it adds to the synonyms that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from curator_core.errors import Problem
from curator_core.files.json_source import JsonFault, broken, kind_of, parse, quoted
from curator_core.text import fold

_ARROW, _COMMA = re.compile("=>|→"), re.compile("[,\t]")
_HALF = "holds half a letter (a lone surrogate)"
_LINE = "write the term, then “:”, “=>” or a tab, then what users say for it, with commas between"


@dataclass(frozen=True, slots=True)
class SynonymList:
    """What was understood of a list. synonyms: term → phrases, in the order of the list. problems: what is not used, and where."""

    synonyms: Mapping[str, tuple[str, ...]]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedTerm:
    """What a list does to one term.

    term: as the registry writes it, else as the list does. kind: new = the registry does not have it; extended = it gets phrases;
    same = it has them all. added: the phrases that it gets. phrases: all that it has then, the old ones first.
    """

    term: str
    kind: Literal["new", "extended", "same"]
    added: tuple[str, ...]
    phrases: tuple[str, ...]


def read_synonym_list(text: str) -> SynonymList:
    """Read lines `term: phrase, phrase`, with `=>`, `→` or a tab in place of the colon, or a JSON object of terms with lists of phrases.

    Blank lines and those that begin with # are left out. A term that stands on several lines gets the phrases of all; terms and phrases
    that differ in case and blanks only are one. A phrase that says the term itself adds nothing and is left out.
    """
    rules: dict[str, tuple[str, list[str]]] = {}
    problems: list[Problem] = []
    for found in _json(text) if text.lstrip().startswith("{") else _lines(text):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        place, term, phrases = found
        _, known = rules.setdefault(_same(term), (term, []))
        new = _without_repeats(phrases, {_same(term)})
        known += new
        if not new:
            problems.append(Problem(place, f"{quoted(term)} has no phrase that says something else", "write what users say for it"))
    synonyms = {term: tuple(_without_repeats(phrases, set())) for term, phrases in rules.values() if phrases}
    return SynonymList(synonyms, tuple(problems))


def compare_synonym_list(listed: SynonymList, synonyms: Mapping[str, Sequence[str]]) -> tuple[ListedTerm, ...]:
    """Return what a list does to each of its terms, in its order. Nothing that is there is taken away."""
    known = {_same(term): term for term in synonyms}
    return tuple(_compared(known.get(_same(term)), term, phrases, synonyms) for term, phrases in listed.synonyms.items())


def _compared(there: str | None, term: str, phrases: Sequence[str], synonyms: Mapping[str, Sequence[str]]) -> ListedTerm:
    if there is None:
        return ListedTerm(term, "new", tuple(phrases), tuple(phrases))
    old = tuple(synonyms[there])
    added = tuple(_without_repeats(phrases, {_same(phrase) for phrase in old}))
    return ListedTerm(there, "extended" if added else "same", added, (*old, *added))


_Rule = tuple[str, str, Sequence[str]]  # where it stands, the term, its phrases


def _lines(text: str) -> Iterator[_Rule | Problem]:
    for number, written in enumerate(text.split("\n"), 1):
        place, line = f"line {number}", written.strip()
        if not line or line.startswith("#"):
            continue
        term, said = _parted(line)
        if broken(line):
            yield Problem(place, _HALF, "write the whole letter")
        elif said is None or not term:
            yield Problem(place, f"found {quoted(line)}", _LINE)
        elif "," in term:
            yield Problem(place, f"{quoted(term)} comes before the sign, which are several terms", "write each term on a line of its own")
        else:
            yield place, term, [phrase.strip() for phrase in _COMMA.split(said)]


def _parted(line: str) -> tuple[str, str | None]:
    """Return the term and the rest of a line, None for a line without a sign: an arrow goes before a tab, and that before a colon."""
    arrow = _ARROW.search(line)
    sign = arrow.group() if arrow else next((sign for sign in ("\t", ":") if sign in line), None)
    if sign is None:
        return line, None
    term, _, said = line.partition(sign)
    return term.strip(), said


def _json(text: str) -> Iterator[_Rule | Problem]:
    try:
        value, twice = parse(text)
    except JsonFault as fault:
        yield Problem("JSON", fault.found, fault.fix)
        return
    for duplicate in twice:
        yield Problem(f"line {duplicate.line}", f"{quoted(duplicate.key)} stands twice", "only the last one is used", "warning")
    for term, phrases in value.items():
        listed = [phrases] if isinstance(phrases, str) else phrases
        if broken(term) or broken(listed):
            yield Problem(quoted(term), _HALF, "write the whole letter")
        elif not term.strip():
            yield Problem(quoted(term), "the term is empty", "write the word that the tools use")
        elif not isinstance(listed, list) or not all(isinstance(phrase, str) for phrase in listed):
            yield Problem(quoted(term), f"found {kind_of(phrases)}", 'write a list of phrases, such as ["what users say"]')
        else:
            yield quoted(term), term.strip(), [phrase.strip() for phrase in listed]


def _same(text: str) -> str:
    """Return what is equal for terms or phrases that differ in case and blanks only."""
    return " ".join(fold(text).split())


def _without_repeats(phrases: Iterable[str], known: set[str]) -> list[str]:
    """Return the phrases that say something and that are not known, none twice."""
    kept: dict[str, str] = {}
    for phrase in phrases:
        kept.setdefault(_same(phrase), phrase)
    return [phrase for same, phrase in kept.items() if same and same not in known]
