"""The map: the same data, the same map; an edit moves nothing but what was edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from curator_core import (
    Layout,
    Registry,
    Tool,
    ToolIndex,
    build_index,
    kept_layout,
    lay_out,
    load_layout,
    place_query,
    save_layout,
)
from curator_core import layout as layout_module
from curator_core.errors import CuratorError, ModelUnavailable
from tests.core.fakes import FakeEncoder
from tests.core.strategies import registries

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


SCRIPT = "from tests.core.test_layout import *; print(json.dumps(lay_out(index_of(campus())).to_dict()))"


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


def test_copies_stand_on_one_spot_and_are_counted() -> None:
    copies = tuple(Tool("getFee", "Show the fee.", group=f"server{number}") for number in range(20))
    index = index_of(Registry(tools=(*copies, *campus().tools)))
    piles = dict(zip(index.keys, lay_out(index).piles(), strict=True))
    assert {size for key, size in piles.items() if key.startswith("getFee")} == {20}
    assert {size for key, size in piles.items() if not key.startswith("getFee")} == {1}
    alone = lay_out(index_of(Registry(tools=copies)))
    assert (alone.method, set(alone.piles())) == ("point", {20})


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
@effort(max_examples=25, deadline=None)
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


def test_a_map_of_another_model_is_not_built_upon() -> None:
    registry = campus()
    other = lay_out(build_index(registry, FakeEncoder(dimension=64, model_id="other")))
    index = index_of(registry.with_edits([registry.edit("show_fees", "description", "new")]))
    assert lay_out(index, other).to_dict() == lay_out(index).to_dict()


def test_of_very_many_tools_a_part_is_drawn_and_the_rest_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_module, "MOST", 22)
    monkeypatch.setattr(layout_module, "LANDMARKS", 20)
    layout = lay_out(index_of(campus()))
    assert layout.placed.sum() == 4
    assert layout.neighbours_kept is not None
    assert layout.neighbours_kept > 0.6


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


# -- kept between processes


def test_a_kept_map_comes_back_to_the_last_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = index_of(campus(3))
    first = kept_layout(index, tmp_path / "cache")
    monkeypatch.setattr(layout_module, "lay_out", lambda *_: pytest.fail("drawn again"))
    again = kept_layout(index_of(campus(3)), tmp_path / "cache")
    assert again.to_dict() == first.to_dict()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [f"map-{index.fingerprint[:32]}.json"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:0],
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"\xff\xfe" + raw,
        lambda raw: raw[:0] + b"[]",
        lambda raw: b"[" * 100 * len(raw),
        lambda raw: raw.replace(b'"x": [', b'"x": [NaN, '),
        lambda raw: raw.replace(b'"x": [', b'"x": [0.5, '),
        lambda raw: raw.replace(b'"x": [', b'"x": [5.0, ').replace(b'"y": [', b'"y": ["1", '),
        lambda raw: raw.replace(b"show_fees", b"show_fee5"),
        lambda raw: raw.replace(b"map 1", b"map 0"),
    ],
)
def test_a_damaged_map_is_drawn_anew(tmp_path: Path, damage: object) -> None:
    index = index_of(campus(3))
    first = kept_layout(index, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    assert load_layout(tmp_path, index) is None
    assert kept_layout(index, tmp_path).to_dict() == first.to_dict()
    assert load_layout(tmp_path, index) is not None


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    layout = kept_layout(index_of(campus(3)), tmp_path / "file" / "cache")
    assert layout.method == "t-SNE"
    assert not save_layout(tmp_path / "file" / "cache", layout)


def test_only_the_last_maps_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_module, "KEPT_FILES", 2)
    layouts = [kept_layout(index_of(campus(per_area)), tmp_path) for per_area in (1, 2, 3)]
    assert {path.name[4:-5] for path in tmp_path.iterdir()} == {layout.fingerprint[:32] for layout in layouts[1:]}


def test_undoing_an_edit_brings_the_kept_map_back_but_never_a_jump(tmp_path: Path) -> None:
    index = index_of(campus())
    registry, first = index.registry, kept_layout(index, tmp_path)
    edit = registry.edit("show_fees", "description", "Hostel rooms.")
    edited = index_of(registry.with_edits([edit]))
    after = kept_layout(edited, tmp_path, first)
    assert kept_layout(index, tmp_path, after).to_dict() == first.to_dict()
    save_layout(tmp_path, lay_out(edited))  # the same index, drawn without its history: others stand elsewhere
    assert kept_layout(edited, tmp_path, first).to_dict() == after.to_dict()


def test_values_that_are_no_map_are_refused() -> None:
    with pytest.raises(ValueError, match="fingerprint"):
        Layout.from_dict({"format": "tool-curator map 1"})
