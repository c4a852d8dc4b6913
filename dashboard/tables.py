"""What pages show, as tables and short texts made from core records. Pure: no Streamlit."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pandas as pd

from curator_core import Problem

_KEPT = "\n\t"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def visible(text: str) -> str:
    """Return the text with control, zero-width, bidi and other unseen characters written out, such as ‹U+200B›; line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"‹U+{ord(letter):04X}›" if letter not in _KEPT and unicodedata.category(letter) in _HIDDEN else letter for letter in text
    )


def problems_table(problems: Sequence[Problem]) -> pd.DataFrame:
    """Return what is wrong with a registry: errors first."""
    ordered = sorted(problems, key=lambda problem: problem.level)
    rows = [(problem.level, visible(problem.where), visible(problem.found), visible(problem.fix)) for problem in ordered]
    return pd.DataFrame(rows, columns=["level", "where", "found", "what to do"])


def short_model(model_id: str) -> str:
    """Return a model's name without its maker or folder."""
    return visible(model_id.rstrip("/").rsplit("/", 1)[-1])
