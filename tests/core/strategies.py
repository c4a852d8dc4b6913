"""Random small registries and questions whose words overlap, so that every stage has something to do."""

from __future__ import annotations

from hypothesis import strategies as st

from curator_core import Registry, Tool

WORDS = ["hostel", "leave", "fee", "exam", "pay", "room", "card", "list", "get", "apply", "status", "show", "my", "attendance", "grievance"]
word = st.sampled_from(WORDS)
names = st.lists(word, min_size=1, max_size=3).map("_".join)
texts = st.lists(word, max_size=8).map(" ".join)
roles = st.sampled_from([(), ("student",), ("staff",), ("student", "staff")])
properties = st.dictionaries(word, st.builds(lambda text: {"description": text}, texts), max_size=2)
parameters = st.one_of(st.none(), st.builds(lambda some: {"type": "object", "properties": some}, properties))
tools = st.builds(
    Tool,
    names,
    texts,
    extra_context=st.one_of(st.just(""), texts),
    roles=roles,
    group=st.sampled_from(["", "room", "exam_fee"]),
    parameters=parameters,
    examples=st.lists(texts, max_size=2),
)
synonyms = st.dictionaries(word, st.lists(texts, max_size=2), max_size=3)
markers = st.sampled_from(["and also", ", then", "plus", "as well as", "and", "after that", "then also"])
plain_queries = st.lists(
    st.one_of(word, st.sampled_from(["leaves", "fees", "?", "zzz", "get_fee", "Report."])), min_size=1, max_size=5
).map(" ".join)
queries = st.one_of(
    plain_queries,
    st.tuples(plain_queries, markers, plain_queries).map(" ".join),
    st.tuples(plain_queries, markers, plain_queries, markers, plain_queries).map(" ".join),
)


def registries(min_size: int = 1, max_size: int = 14) -> st.SearchStrategy[Registry]:
    """Registries with unique names."""
    unique = st.lists(tools, min_size=min_size, max_size=max_size, unique_by=lambda tool: tool.name)
    return st.builds(lambda some, rules: Registry(name="random", tools=tuple(some), synonyms=rules), unique, synonyms)
