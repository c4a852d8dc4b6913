"""The state of a registry: its figures, and what looks wrong, ordered by harm. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from curator_core import (
    NearCopy,
    Pair,
    Problem,
    Registry,
    Settings,
    SynonymRemark,
    ToolIndex,
    check_synonyms,
    closest_pairs,
    identical_tools,
    is_held_out,
    unreached_names,
)
from dashboard.derived import leaks, tool_remarks
from dashboard.tables import SEGMENT_WORDS, decimals, plural, visible

CLOSE_PAIRS = 5
Level = Literal["broken", "harm", "hint"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a registry, with what it counts and what that means."""

    name: str
    value: str
    help: str


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to look at. tools: keys, each a link; term: a synonym term, a link too; said: plain text that may quote the registry."""

    tools: tuple[str, ...] = ()
    term: str = ""
    said: str = ""


_Found = tuple[tuple[Item, ...], tuple[Problem, ...], tuple[tuple[str, ...], ...], tuple[Pair, ...]]
_kept: WeakKeyDictionary[ToolIndex, dict[Settings, _Found]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of trouble. title, harm: fixed texts, what it is and what it does; items: where; only: the Tools page's filter for it."""

    kind: str
    level: Level
    title: str
    harm: str
    items: tuple[Item, ...]
    only: str = ""


def figures(registry: Registry) -> tuple[Figure, ...]:
    """Return what a registry has: tools, extra context, synonyms, test queries, roles."""
    taught = sum(bool(tool.extra_context.strip()) for tool in registry.tools)
    held = sum(map(is_held_out, registry.test_queries))
    phrases = sum(len(phrases) for phrases in registry.synonyms.values())
    return (
        Figure("Tools", f"{len(registry.tools):,}", "Tools in this registry, with your edits."),
        Figure("With extra context", f"{taught:,}", "Tools to which an author has added words that users say."),
        Figure("Synonym terms", f"{len(registry.synonyms):,}", f"Terms with {plural(phrases, 'phrase')} that users say for them."),
        Figure("Test queries", f"{len(registry.test_queries):,}", f"Questions with the tools that should come; {held:,} held out."),
        Figure("Roles", f"{len(registry.roles):,}", "Roles that some tool names. Tools without roles are for everyone."),
    )


def findings(registry: Registry, index: ToolIndex, settings: Settings) -> tuple[Finding, ...]:
    """Return what looks wrong, worst first; kinds without a case are left out.

    index: of the same tools and synonyms; one of words only has no cut texts and no closest pairs. What depends on it is kept with it.
    """
    kept = _kept.setdefault(index, {})
    if settings not in kept:
        kept[settings] = _retrieval(index, settings)
    cut, names, identical, pairs = kept[settings]
    texts = tool_remarks(registry)
    remarks, files = check_synonyms(registry, index.texts), registry.problems
    empty = tuple(Item((key,)) for key, tool in registry.by_key.items() if not tool.description.strip())
    others = [problem for problem in files if problem.level != "error" and not (problem.tool in _keys(empty) and _EMPTY in problem.found)]
    found = {
        "files": tuple(map(_file_item, (problem for problem in files if problem.level == "error"))),
        "no description": empty,
        "identical": tuple(Item(keys) for keys in identical),
        "cut text": cut,
        "hidden": tuple(map(_file_item, texts["hidden"])),
        "leaks": tuple(map(_leak_item, leaks(registry))),
        "conflicting synonyms": tuple(_remarked(remarks, "conflict", "doubled")),
        "openings": tuple(map(_file_item, texts["opening"])),
        "dead synonyms": tuple(_remarked(remarks, "dead", "empty", "unreachable")),
        "close pairs": tuple(map(_pair_item, pairs)),
        "file warnings": tuple(map(_file_item, others)),
        "name rule": tuple(Item((problem.tool or "",)) for problem in names),
        "limits": tuple(map(_file_item, texts["limits"])),
        "broad synonyms": tuple(_remarked(remarks, "broad", "loop")),
    }
    return tuple(Finding(kind, *_TEXTS[kind], items, _ONLY.get(kind, "")) for kind, items in found.items() if items)


def pair_text(pair: Pair) -> str:
    """Say how alike two tools are (cosine), and which words they share."""
    shared = f"; both say {', '.join(map(visible, pair.shared_words[:4]))}" if pair.shared_words else ""
    return f"similarity {decimals(pair.similarity, 2)}{shared}"


def _retrieval(index: ToolIndex, settings: Settings) -> _Found:
    cut = tuple(_cut_item(index, key) for key in index.cut_off())
    pairs = closest_pairs(index, CLOSE_PAIRS, settings=settings, one_per_pile=True) if index.encoder else ()
    return cut, tuple(unreached_names(index.registry, settings)), identical_tools(index, settings), pairs


def _keys(items: Sequence[Item]) -> frozenset[str]:
    return frozenset(key for item in items for key in item.tools)


def _file_item(problem: Problem) -> Item:
    tools = (problem.tool,) if problem.tool else ()
    return Item(tools, said=visible(f"{problem.where}: {problem.found}. {problem.fix[:1].upper()}{problem.fix[1:]}."))


def _cut_item(index: ToolIndex, key: str) -> Item:
    unseen = index.unseen(key)
    words = sum(len(text.split()) for text in unseen.values())
    return Item((key,), said=f"{plural(words, 'word')} unread, in: {', '.join(SEGMENT_WORDS[kind] for kind in unseen)}")


def _leak_item(copy: NearCopy) -> Item:
    which = "a held-out test query" if copy.held_out else f"“{visible(copy.case.query)}”"
    return Item((copy.tool,), said=f"{copy.field.replace('_', ' ')} repeats {which}")


def _pair_item(pair: Pair) -> Item:
    return Item((pair.a, pair.b), said=pair_text(pair))


def _remarked(remarks: Sequence[SynonymRemark], *kinds: str) -> Iterator[Item]:
    return (Item(term=remark.term, said=visible(remark.sentence)) for remark in remarks if remark.kind in kinds)


_EMPTY = "no description"
_ONLY = {"no description": "no description", "cut text": "too long for the model"}
_TEXTS: dict[str, tuple[Level, str, str]] = {
    "files": ("broken", "Unusable parts of the files", "They were left out when the registry was loaded."),
    "no description": ("broken", "No description", "Only the name can be found. One sentence in the users' words is enough."),
    "identical": ("broken", "The same text", "No question can tell these tools apart. Say in each what only it does."),
    "cut text": (
        "harm",
        "Text that the model cuts off",
        "Meaning match never sees the end. Put first what users ask for, and shorten the rest.",
    ),
    "leaks": (
        "harm",
        "Texts that repeat a test query",
        "Such a query passes whatever the text is worth, so it measures nothing. Say it in other words.",
    ),
    "hidden": (
        "harm",
        "Hidden text, or words to the model",
        "Characters that do not show part words and change the order of letters; words to the model steer an agent.",
    ),
    "openings": ("hint", "Openings that many tools share", "The same first words tell none of them apart. Begin with what only it does."),
    "limits": ("hint", "More than usual clients take", "Agents' clients refuse or cut such names and descriptions."),
    "conflicting synonyms": ("harm", "Synonyms that pull both ways", "One phrase stands for several terms. Keep it where users mean it."),
    "dead synonyms": ("harm", "Synonyms that do nothing", "They reach no tool, or no question can match them."),
    "close pairs": ("hint", "The closest pairs", "Agents mix up tools that read alike. See that each says what sets it apart."),
    "file warnings": ("hint", "Remarks about the files", "They load, but likely not as they were meant."),
    "name rule": (
        "hint",
        "Names that the name rule never reaches",
        "No word of the name is long enough to count, so saying it does not help.",
    ),
    "broad synonyms": ("hint", "Synonyms that reach very many tools, or other terms", "What most tools get tells none of them apart."),
}
