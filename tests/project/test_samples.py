"""The sample registries are what the README and the first questions of a newcomer rely on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from curator_core import Curator, Registry, load_config, load_registry

SAMPLES = Path(__file__).parents[2] / "sample_registries"


@pytest.mark.parametrize("folder", sorted(path.parent for path in SAMPLES.glob("*/tools.json")), ids=lambda path: path.name)
def test_a_sample_loads_without_errors_pins_the_model_and_its_questions_can_be_asked(folder: Path) -> None:
    registry = load_registry(folder)
    assert load_config(folder).model == "bundled"
    for case in registry.test_queries:
        pool = registry.pool(case.role)
        assert set(case.expected or ()) <= set(pool), case.query
        assert set(case.forbidden) <= registry.by_key.keys(), case.query
    assert max(Counter((case.query, case.role) for case in registry.test_queries).values()) == 1


def test_campus_has_191_tools_of_which_a_student_sees_87() -> None:
    registry = load_registry(SAMPLES / "campus")
    assert len(registry.tools) == 191
    assert len(registry.pool(role="student")) == 87
    assert {"student", "faculty", "warden", "accounts", "registrar"} <= set(registry.roles)
    assert {"submit_grievance", "apply_for_hostel_leave"} <= registry.by_key.keys()
    assert sum(bool(tool.extra_context) for tool in registry.tools) >= 70
    assert len(registry.synonyms) >= 70 and len(registry.test_queries) >= 250


def tags(registry: Registry) -> Counter[str]:
    return Counter(tag for case in registry.test_queries for tag in case.tags)


@pytest.mark.parametrize("sample", ["campus", "banking"])
def test_the_questions_are_of_every_kind(sample: str) -> None:
    registry = load_registry(SAMPLES / sample)
    assert min(tags(registry)[tag] for tag in ("exact", "paraphrase", "compound", "name", "vague", "no_tool")) >= 10
    assert sum(case.critical for case in registry.test_queries) >= 10
    assert all((case.expected == ()) == ("no_tool" in case.tags) for case in registry.test_queries)


@pytest.mark.model
def test_the_seeds_questions_find_their_tools() -> None:
    campus, banking = (Curator.from_folder(SAMPLES / name) for name in ("campus", "banking"))
    assert "get_account_summary" in banking.curate("what is my available balance?").tools[:3]
    first = next(campus.curate("hostel leave").rows())
    assert (first.tool, first.forced, first.forced_hits, first.forced_of) == ("apply_for_hostel_leave", True, 2, 3)
    trace = campus.curate("show my attendance and also raise a grievance")
    parts = {trace.pool[pick.position]: pick.parts for pick in trace.picks}
    assert 1 in parts["get_attendance"] and 2 in parts["submit_grievance"]
