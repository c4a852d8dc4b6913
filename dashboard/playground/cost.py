"""What an answer costs an agent on each turn. Pure: no Streamlit."""

from __future__ import annotations

import json
from weakref import WeakKeyDictionary

from curator_core import Cost, ToolIndex, Trace, declaration, declaration_cost
from dashboard.tables import plural

_KEPT = 50_000
_tools: dict[tuple[str, str], Cost] = {}  # by model and declaration: an edit counts one tool anew
_pools: WeakKeyDictionary[ToolIndex, dict[str | None, Cost]] = WeakKeyDictionary()


def answer_cost(index: ToolIndex, trace: Trace) -> Cost:
    """Return what the declarations of an answer's tools cost."""
    return declaration_cost(index.registry, trace.tools, index.encoder)


def pool_cost(index: ToolIndex, trace: Trace) -> Cost:
    """Return what the declarations of all tools that were searched would cost; counted once for each index and role."""
    kept = _pools.setdefault(index, {})
    if trace.role not in kept:
        each = [tool_cost(index, key) for key in trace.pool]
        tokens = None if any(one.tokens is None for one in each) else sum(one.tokens or 0 for one in each)
        kept[trace.role] = Cost(len(each), sum(one.characters for one in each), tokens)
    return kept[trace.role]


def tool_cost(index: ToolIndex, key: str) -> Cost:
    """Return what one tool's declaration costs; kept by what it says."""
    name = (index.encoder.model_id if index.encoder else "", json.dumps(declaration(index.registry.tool(key)), ensure_ascii=False))
    if name not in _tools:
        if len(_tools) >= _KEPT:
            _tools.clear()
        _tools[name] = declaration_cost(index.registry, (key,), index.encoder)
    return _tools[name]


def cost_line(answer: Cost, pool: Cost | None) -> str:
    """Say what an answer costs, and which share of all tools' cost that is, once that is counted."""
    if pool is None:
        return f"Costs the agent {_size(answer)} a turn."
    size, whole = _size(answer), _size(pool)
    return f"Costs the agent {size} a turn, {answer.share_of(pool):.0%} of the {whole} of all {plural(pool.tools, 'tool')}."


def _size(cost: Cost) -> str:
    return f"{cost.characters:,} characters" if cost.tokens is None else f"{cost.tokens:,} tokens"
