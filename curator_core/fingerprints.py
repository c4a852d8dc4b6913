"""Fingerprints of an index: SHA-256 over everything that can change a ranking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from curator_core.encoder import Encoder, fingerprint_of, query_prefix_of
from curator_core.registry import Registry, Tool
from curator_core.synonyms import IndexedText

RECIPE_VERSION = "2"  # changes when the same registry and model would be ranked differently by a new version of this package


def fingerprint(digests: Iterable[bytes], encoder: Encoder | None) -> str:
    """Return the SHA-256 over everything that can change a ranking: keys, indexed texts, roles, model, query prefix, recipe version."""
    model = None if encoder is None else (fingerprint_of(encoder), query_prefix_of(encoder))
    return hashlib.sha256(json.dumps([RECIPE_VERSION, model]).encode() + b"".join(digests)).hexdigest()


def digests_of(
    registry: Registry,
    texts: Sequence[IndexedText],
    before: tuple[Registry, Sequence[IndexedText], Mapping[str, int], Sequence[bytes]] | None,
) -> tuple[bytes, ...]:
    """Return the SHA-256 of each tool: its key, indexed text and roles.

    before: an earlier index's registry, texts, positions and digests: where it has the same, the digest is not made again.
    """
    digests = []
    for text, tool in zip(texts, registry.by_key.values(), strict=True):
        known = _known(text, tool, *before) if before else None
        digests.append(known or _digest(text, tool.roles))
    return tuple(digests)


def _known(
    text: IndexedText, tool: Tool, registry: Registry, texts: Sequence[IndexedText], positions: Mapping[str, int], digests: Sequence[bytes]
) -> bytes | None:
    place = positions.get(text.key, -1)
    same = place >= 0 and texts[place] is text and registry.by_key[text.key].roles == tool.roles
    return digests[place] if same else None


def _digest(text: IndexedText, roles: Sequence[str]) -> bytes:
    segments = [(segment.kind, segment.text) for segment in (*text.segments, *text.further)]
    return hashlib.sha256(json.dumps((text.key, segments, text.joined, sorted(roles))).encode()).digest()
