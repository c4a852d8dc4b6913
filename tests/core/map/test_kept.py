"""Kept maps: after a restart the same map in the same colours at once, and after an edit from outside only the edited tool moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curator_core import Registry, Tool, ToolMap, build_index, kept_map, lay_out, load_map, save_map
from curator_core.map import kept as kept_module
from tests.core.fakes import FakeEncoder
from tests.core.map.test_layout import campus, index_of


def same(one: ToolMap | None, two: ToolMap | None) -> bool:
    assert one and two
    return one.layout.to_dict() == two.layout.to_dict() and one.clusters.clusters == two.clusters.clusters


def file_of(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_a_kept_map_comes_back_to_the_last_bit_with_its_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = index_of(campus(3))
    first = kept_map(index, tmp_path / "cache")
    for name in ("lay_out", "cluster_tools"):
        monkeypatch.setattr(kept_module, name, lambda *_, **__: pytest.fail("made again"))
    again = kept_map(index_of(campus(3)), tmp_path / "cache")
    assert same(again, first)
    assert again.clusters.numbers.tolist() == first.clusters.numbers.tolist()
    assert file_of(tmp_path / "cache").name == f"map-{index.fingerprint[:32]}.json"


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:0],
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"\xff\xfe" + raw,
        lambda _: b"[]",
        lambda raw: raw.replace(b"show_fees", b"show_fee5"),
        lambda raw: raw.replace(b'"clusters": [', b'"clusters": [1'),
    ],
)
def test_a_damaged_map_is_made_anew(tmp_path: Path, damage: Any) -> None:
    index = index_of(campus(3))
    first = kept_map(index, tmp_path)
    file = file_of(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    assert load_map(tmp_path, index) is None
    assert same(kept_map(index, tmp_path), first)
    assert load_map(tmp_path, index) is not None


def signed(body: bytes) -> bytes:
    return kept_module._checksum(body) + b"\n" + body


@pytest.mark.parametrize(
    "foreign",
    [
        lambda _: b"[]",
        lambda _: b"{}",
        lambda _: b"[" * 100_000,
        lambda body: body.replace(b"map 3", b"map 0"),
        lambda body: body.replace(b'"clusters": [', b'"clusters": [0, '),
        lambda body: body.replace(b'"clusters": [', b'"clusters": [9'),
        lambda body: body.replace(b'"clusters": [', b'"clusters": [null, '),
    ],
)
def test_a_whole_file_of_another_kind_is_no_map(tmp_path: Path, foreign: Any) -> None:
    index = index_of(campus(3))
    kept_map(index, tmp_path)
    file = file_of(tmp_path)
    file.write_bytes(signed(foreign(file.read_bytes().partition(b"\n")[2])))
    assert load_map(tmp_path, index) is None


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    made = kept_map(index_of(campus(3)), tmp_path / "file" / "cache")
    assert made.layout.method == "t-SNE"
    assert not save_map(tmp_path / "file" / "cache", made)


def test_the_maps_that_were_looked_at_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_module, "KEPT_FILES", 2)
    (tmp_path / "map-0.json.1.tmp").write_text("left behind by a process that was killed")
    one, two, three = (index_of(campus(per_area)) for per_area in (1, 2, 3))
    for index in (one, two, one, three):
        kept_map(index, tmp_path)
    assert {path.name[4:-5] for path in tmp_path.iterdir()} == {index.fingerprint[:32] for index in (one, three)}


def test_undoing_an_edit_brings_the_kept_map_back_but_never_a_jump(tmp_path: Path) -> None:
    index = index_of(campus())
    registry, first = index.registry, kept_map(index, tmp_path)
    edited = index_of(registry.with_edits([registry.edit("show_fees", "description", "Hostel rooms.")]))
    after = kept_map(edited, tmp_path, first)
    assert same(kept_map(index, tmp_path, after), first)
    save_map(tmp_path, ToolMap(lay_out(edited), after.clusters))  # the same index, drawn without its history: others stand elsewhere
    assert same(kept_map(edited, tmp_path, first), after)


def changed(registry: Registry, *edits: tuple[str, str, Any]) -> Registry:
    return registry.with_edits([registry.edit(*edit) for edit in edits])


def test_after_an_edit_from_outside_only_the_edited_tool_moves_in_a_new_process_too(tmp_path: Path) -> None:
    index = index_of(campus())
    first = kept_map(index, tmp_path)
    outside = index_of(changed(index.registry, ("show_hostel", "description", "pay fees semester due"), ("list_exam", "tool", None)))
    after = kept_map(outside, tmp_path)
    here, there = (dict(zip(one.layout.keys, one.layout.positions.tolist(), strict=True)) for one in (first, after))
    assert {key for key in there if there[key] != here[key]} == {"show_hostel"}
    assert np.flatnonzero(after.layout.placed).tolist() == [outside.positions["show_hostel"]]
    cluster_of = dict(zip(index.keys, first.clusters.numbers.tolist(), strict=True))
    numbers = dict(zip(outside.keys, after.clusters.numbers.tolist(), strict=True))
    assert all(numbers[key] == cluster_of[key] for key in numbers if key != "show_hostel")
    assert numbers["show_hostel"] in {cluster_of[key] for key in cluster_of if key.endswith("_fees")}


def test_the_map_of_another_registry_or_model_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    kept_map(index_of(campus()), tmp_path)
    other_model = build_index(campus(), FakeEncoder(dimension=64, model_id="other"))
    half = index_of(Registry(tools=(*campus(4).tools, *(Tool(f"new_{n}", f"something else {n}") for n in range(10)))))
    for index in (other_model, half):
        assert not kept_map(index, tmp_path).layout.placed.any()


def test_a_map_that_was_patched_much_is_drawn_anew_after_the_next_edit_from_outside(tmp_path: Path) -> None:
    index, registry = index_of(campus()), campus()
    kept_map(index, tmp_path)
    placed = []
    for number, key in enumerate(index.keys[:7]):
        registry = changed(registry, (key, "description", f"pay fees {number}"))
        placed.append(int(kept_map(index_of(registry), tmp_path).layout.placed.sum()))
    assert placed == [1, 2, 3, 4, 5, 0, 1]  # of 24
