"""The map: the same data, the same map; an edit moves nothing but what was edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import (
    Layout,
    Registry,
    Tool,
    ToolIndex,
    build_index,
    lay_out,
    place_query,
    sketch,
)
from curator_core.errors import CuratorError, ModelUnavailable
from tests.core.fakes import FakeEncoder
from tests.core.strategies import registries
from tests.laws import examples

AREAS = {"hostel": "room warden mess block", "fees": "pay receipt semester due", "exam": "hall ticket marks paper"}
DEEDS = ["show", "list", "apply", "cancel", "approve", "update", "extend", "report"]


def campus(per_area: int = 8) -> Registry:
    tools = [Tool(f"{deed}_{area}", f"{deed} {area} {words}") for area, words in AREAS.items() for deed in DEEDS[:per_area]]
    return Registry(name="campus", tools=tuple(tools))


def index_of(registry: Registry) -> ToolIndex:
    return build_index(registry, FakeEncoder(dimension=64))


def test_like_tools_stand_together() -> None:
    index = index_of(campus())
    layout = lay_out(index)
    assert layout.method == "t-SNE"
    areas = np.array([key.split("_")[1] for key in index.keys])
    centres = {area: layout.positions[areas == area].mean(axis=0) for area in AREAS}
    nearest = [min(centres, key=lambda area, spot=spot: float(np.linalg.norm(spot - centres[area]))) for spot in layout.positions]
    assert nearest == areas.tolist()
    assert layout.neighbours_kept is not None
    assert layout.neighbours_kept > 0.6


def test_the_map_is_framed_and_fits_the_keys() -> None:
    index = index_of(campus())
    layout = lay_out(index)
    assert layout.keys == index.keys
    assert layout.positions.shape == (24, 2)
    assert np.abs(layout.positions).max() == 1.0
    assert not layout.placed.any()


SCRIPT = "from tests.core.map.test_layout import *; print(json.dumps(lay_out(index_of(campus())).to_dict()))"


@pytest.mark.process
def test_another_process_draws_the_same_map() -> None:
    here = lay_out(index_of(campus())).to_dict()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "3", "PYTHONPATH": "."},
    )
    assert json.loads(done.stdout) == here


@pytest.mark.parametrize("per_area", [3, 8])
def test_the_order_of_the_file_changes_nothing(per_area: int) -> None:
    tools = campus(per_area).tools
    one, two = (lay_out(index_of(Registry(name="campus", tools=order))) for order in (tools, tools[::-1]))
    assert one.to_dict() == two.to_dict()


@pytest.mark.parametrize(
    ("count", "method"), [(0, "empty"), (1, "point"), (2, "line"), (3, "circle"), (5, "circle"), (6, "t-SNE"), (12, "t-SNE")]
)
def test_few_tools_have_a_plain_map(count: int, method: str) -> None:
    layout = lay_out(index_of(Registry(tools=campus().tools[:count])))
    assert layout.method == method
    assert layout.positions.shape == (count, 2)
    assert len(set(map(tuple, layout.positions.tolist()))) == count
    assert (layout.neighbours_kept is None) == (count <= 11)


def test_copies_stand_on_one_spot_and_no_others_do() -> None:
    copies = tuple(Tool("getFee", "Show the fee.", group=f"server{number}") for number in range(20))
    index = index_of(Registry(tools=(*copies, *campus().tools)))
    spots = list(map(tuple, lay_out(index).positions.tolist()))
    assert len({spot for key, spot in zip(index.keys, spots, strict=True) if key.startswith("getFee")}) == 1
    assert len(set(spots)) == 1 + len(campus().tools)
    alone = lay_out(index_of(Registry(tools=copies)))
    assert (alone.method, len(np.unique(alone.positions, axis=0))) == ("point", 1)


def test_a_changed_tool_goes_to_its_new_neighbours_and_no_other_moves() -> None:
    before = index_of(campus())
    layout = lay_out(before)
    edit = before.registry.edit("show_hostel", "description", "show fees pay receipt semester due")
    after = index_of(before.registry.with_edits([edit]))
    moved = lay_out(after, layout)
    spots = dict(zip(after.keys, moved.positions, strict=True))
    to = {area: float(np.linalg.norm(spots["show_hostel"] - spots[f"list_{area}"])) for area in AREAS}
    assert min(to, key=lambda area: to[area]) == "fees"
    assert [key for key, placed in zip(after.keys, moved.placed, strict=True) if placed] == ["show_hostel"]
    others = [position for position, key in enumerate(after.keys) if key != "show_hostel"]
    assert np.array_equal(moved.positions[others], layout.positions[others])
    assert lay_out(index_of(before.registry), moved).positions[others].tolist() == layout.positions[others].tolist()


@given(registries(min_size=2, max_size=10), st.data())
@examples(12)
def test_an_edit_of_one_tool_moves_no_other(registry: Registry, data: st.DataObject) -> None:
    index = index_of(registry)
    key = data.draw(st.sampled_from(index.keys))
    new = data.draw(st.sampled_from([None, "exam fee", "", "zzz"]))
    edit = registry.edit(key, "tool", None) if new is None else registry.edit(key, "description", new)
    layout, edited = lay_out(index), index_of(registry.with_edits([edit]))
    after = lay_out(edited, layout)
    spots = dict(zip(edited.keys, after.positions.tolist(), strict=True))
    for other, spot in zip(index.keys, layout.positions.tolist(), strict=True):
        assert other == key or spots[other] == spot


def test_a_sketch_is_there_at_once_with_the_same_tools_and_says_what_it_is() -> None:
    index = index_of(campus())
    found = sketch(index)
    assert (found.method, found.keys, found.fingerprint) == ("PCA", index.keys, index.fingerprint)
    assert np.abs(found.positions).max() == 1 and found.neighbours_kept is not None
    assert sketch(index).positions.tolist() == found.positions.tolist()
    assert len(sketch(index_of(campus(0))).keys) == 0


def test_a_map_of_another_model_is_not_built_upon() -> None:
    registry = campus()
    other = lay_out(build_index(registry, FakeEncoder(dimension=64, model_id="other")))
    index = index_of(registry.with_edits([registry.edit("show_fees", "description", "new")]))
    assert lay_out(index, other).to_dict() == lay_out(index).to_dict()


@pytest.mark.parametrize("count", [2, 5, 24])
def test_a_new_text_never_stands_on_the_spot_of_another(count: int) -> None:
    base = Registry(tools=campus().tools[:count])
    layout = lay_out(index_of(base))
    new = index_of(
        Registry(tools=(*base.tools, *(Tool(f"new_{key}", base.tools[0].description + f" {key}") for key in "ab"), Tool("c", "c")))
    )
    after = lay_out(new, layout)
    assert len(set(map(tuple, after.positions.tolist()))) == count + 3


def test_a_map_on_which_most_tools_would_be_new_is_drawn_anew() -> None:
    few, all_of_them = lay_out(index_of(campus(3))), index_of(campus(8))
    assert lay_out(all_of_them, few).to_dict() == lay_out(all_of_them).to_dict()


def test_a_question_stands_among_the_tools_it_means() -> None:
    index = index_of(campus())
    layout = lay_out(index)
    vector = FakeEncoder(dimension=64).encode_query("pay fees semester receipt")
    spot = np.array(place_query(layout, index, vector))
    distances = {key: float(np.linalg.norm(spot - at)) for key, at in zip(index.keys, layout.positions, strict=True)}
    assert min(distances, key=lambda key: distances[key]).endswith("_fees")
    assert place_query(layout, index, vector) == tuple(spot)
    position = index.positions["list_exam"]
    own = index.store.rows([index.texts[position].text()])[0][0] if index.store else None
    assert own is not None
    assert place_query(layout, index, own) == pytest.approx(tuple(layout.positions[position]), abs=1e-5)


def test_a_question_is_not_placed_on_the_map_of_another_index() -> None:
    index, other = index_of(campus()), index_of(campus(4))
    with pytest.raises(CuratorError, match="lay the index out first"):
        place_query(lay_out(other), index, FakeEncoder(dimension=64).encode_query("fees"))


def test_an_index_of_words_only_says_that_it_needs_a_model() -> None:
    with pytest.raises(ModelUnavailable, match="words only"):
        lay_out(build_index(campus(), None))


@pytest.mark.parametrize("change", [{"x": [float("nan")]}, {"x": [0.5, 0.5]}, {"x": [5.0]}, {"x": ["1"]}, {"format": "map 0"}, {"more": 1}])
def test_values_that_are_no_map_are_refused(change: dict[str, Any]) -> None:
    values = lay_out(index_of(campus(1))).to_dict()
    assert Layout.from_dict(values).to_dict() == values
    with pytest.raises(ValueError):
        Layout.from_dict({**values, **change})
