"""The three steps that show a newcomer the main job, on a question of the registry that is open. Pure: no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from curator_core import Registry
from dashboard.tables import example_questions

SAMPLE = "campus"


@dataclass(frozen=True, slots=True)
class Tour:
    """What the steps are about. tool: the key that should answer the question; word: what to teach it, "" where nothing special."""

    question: str
    tool: str
    word: str = ""


_CAMPUS = Tour("can I stay out past curfew", "request_outpass", "curfew")


def tour_of(registry: Registry) -> Tour | None:
    """Return a tour of the registry: on campus a question whose word no tool knows, elsewhere its first test query; None without one."""
    if registry.name == SAMPLE and _CAMPUS.tool in registry.by_key:
        return _CAMPUS
    for query in example_questions(registry.test_queries, len(registry.test_queries)):
        expected = next(case.expected or () for case in registry.test_queries if case.query == query)
        if known := [key for key in expected if key in registry.by_key]:
            return Tour(query, known[0])
    return None
