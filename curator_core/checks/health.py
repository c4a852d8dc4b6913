"""What retrieval cannot use of a registry: names the name rule never reaches, synonyms that never fire, text that the model cuts off;
and texts that repeat a test query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from curator_core.anchor import anchor_tokens
from curator_core.checks.synonym_checks import check_synonyms
from curator_core.encoder import Encoder, visible_characters
from curator_core.errors import Problem
from curator_core.queries.leakage import NearCopy, near_copies
from curator_core.registry import Registry
from curator_core.settings import Settings
from curator_core.synonyms import IndexedText, indexed_texts
from curator_core.text import plural


def check_retrieval(registry: Registry, encoder: Encoder | None, settings: Settings | None = None) -> tuple[Problem, ...]:
    """Return the warnings about a registry's retrieval, in order of keys. Nothing is embedded; encoder None leaves the cut texts out."""
    texts, settings = indexed_texts(registry), settings or Settings()
    cut = cut_texts(texts, encoder) if encoder else ()
    return (*unreached_names(registry, settings), *_synonyms(registry), *cut, *map(_leak, near_copies(registry)))


def unseen_text(text: IndexedText, encoder: Encoder) -> Mapping[str, str]:
    """Return, per segment kind, the end of a tool's text that the model does not read; empty when it reads all."""
    seen, start, unseen = visible_characters(encoder, text.text()), 0, {}
    for segment in text.segments:
        end = start + len(segment.text)
        if end > seen:
            unseen[segment.kind] = segment.text[max(seen - start, 0) :]
        start = end + 1
    return unseen


def unreached_names(registry: Registry, settings: Settings) -> Iterator[Problem]:
    """Give a warning for each tool whose name has no word that the name rule counts, in order of keys."""
    for key, tool in registry.by_key.items() if not settings.soft_anchor else ():
        if not anchor_tokens(tool.name, settings.anchor_min_length):
            found = f'no word of the name has {settings.anchor_min_length} letters or more between "_"'
            yield Problem(
                f'tools.json, "{key}"', found, "the name rule never puts it first; give it a longer name if that matters", "warning", key
            )


def _synonyms(registry: Registry) -> Iterator[Problem]:
    for remark in check_synonyms(registry):
        yield Problem(f'domain_synonyms.json, "{remark.term}"', remark.kind, remark.sentence, "warning")


def _leak(copy: NearCopy) -> Problem:
    where = "extra_context.json" if copy.field == "extra_context" else "tools.json"
    which = "a held-out test query" if copy.held_out else f"the test query “{copy.case.query}”"
    fix = "it passes whatever the text is worth; say it in other words, or move the query elsewhere"
    found = f"{copy.field.replace('_', ' ')} repeats {which} nearly word for word"
    return Problem(f'{where}, "{copy.tool}"', found, fix, "warning", copy.tool)


def cut_texts(texts: tuple[IndexedText, ...], encoder: Encoder) -> Iterator[Problem]:
    """Give a warning for each tool whose text is longer than the model reads, in order of keys."""
    for text in texts:
        unseen = unseen_text(text, encoder)
        if unseen:
            kinds = ", ".join(kind.replace("_", " ") for kind in unseen)
            words = sum(len(part.split()) for part in unseen.values())
            past = f"{plural(words, 'word')} {'is' if words == 1 else 'are'} past"
            found = f"{past} the {encoder.max_tokens} tokens that {encoder.model_id} reads ({kinds})"
            yield Problem(
                f'tools.json, "{text.key}"', found, "meaning match does not see them; shorten the description", "warning", text.key
            )
