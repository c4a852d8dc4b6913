"""What an answer costs an agent on each turn. Pure: no Streamlit."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from curator_core import Cost, ToolIndex, Trace, declaration_cost

_pools: WeakKeyDictionary[ToolIndex, dict[str | None, Cost]] = WeakKeyDictionary()


def answer_cost(index: ToolIndex, trace: Trace) -> Cost:
    """Return what the declarations of an answer's tools cost."""
    return declaration_cost(index.registry, trace.tools, index.encoder)


def pool_cost(index: ToolIndex, trace: Trace) -> Cost:
    """Return what the declarations of all tools that were searched would cost; counted once for each index and role."""
    kept = _pools.setdefault(index, {})
    if trace.role not in kept:
        kept[trace.role] = declaration_cost(index.registry, trace.pool, index.encoder)
    return kept[trace.role]


def cost_line(answer: Cost, pool: Cost) -> str:
    """Say what an answer costs, and which share of all tools' cost that is."""
    size, whole = _size(answer), _size(pool)
    return f"Costs the agent {size} a turn, {answer.share_of(pool):.0%} of the {whole} of all {pool.tools:,} tools."


def _size(cost: Cost) -> str:
    return f"{cost.characters:,} characters" if cost.tokens is None else f"{cost.tokens:,} tokens"
