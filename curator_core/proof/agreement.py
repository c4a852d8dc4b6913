"""How alike two answers are, where nobody has said which tools are right."""

from __future__ import annotations

from collections.abc import Sequence

PERSISTENCE = 0.9  # the first ten tools of an answer carry about 0.86 of the weight


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of tools in both answers among the tools in either; 1 for two empty answers."""
    union = set(first) | set(second)
    return len(set(first) & set(second)) / len(union) if union else 1.0


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], persistence: float = PERSISTENCE) -> float:
    """Return how alike two rankings are, early ranks counting most: 1 for equal ones, 0 for none in common.

    Extrapolated from what is seen (Webber, Moffat & Zobel 2010, equation 32), also where one is longer. Tools must not repeat.
    """
    short, long = sorted((first, second), key=len)
    s, n = len(short), len(long)
    if not s:
        return float(not n)
    overlap = [len(set(short[:depth]) & set(long[:depth])) for depth in range(n + 1)]
    seen = sum(overlap[depth] / depth * persistence**depth for depth in range(1, n + 1))
    seen += sum(overlap[s] * (depth - s) / (s * depth) * persistence**depth for depth in range(s + 1, n + 1))
    beyond = ((overlap[n] - overlap[s]) / n + overlap[s] / s) * persistence**n
    return seen * (1 - persistence) / persistence + beyond
