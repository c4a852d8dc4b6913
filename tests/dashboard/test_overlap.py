"""The Overlap page as its user sees it: pairs, the map and its words, what is near in the original space; few, identical and no tools."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import (
    DrawingProcess,
    Layout,
    ModelUnavailable,
    Registry,
    Settings,
    Tool,
    ToolIndex,
    ToolMap,
    build_index,
    closest_pairs,
    cluster_tools,
    kept_map,
    lay_out,
    neighbours,
)
from curator_core.map.drawing_process import Picture
from curator_core.nearest import Rows
from dashboard import map_part, resources
from dashboard.overlap import drawings as drawings_module
from dashboard.overlap.drawings import Drawing, Drawings
from dashboard.overlap.map_chart import COLOURINGS, WHOLE, Focus, kinds, map_figure, ordered, part_with, spots
from dashboard.overlap.map_labels import cluster_labels
from dashboard.overlap.overlap_tables import pairs_frame, tools_frame, trust
from dashboard.panels import tab
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import TOOLS, edit, settled, write_registry
from tests.dashboard.test_playground import badges

Start = Callable[..., AppTest]
SAME = [{"name": "copy", "description": "Show the plan of lectures."}] * 20
TWENTY = Registry(
    tools=(
        *(Tool(f"fee_{n}", f"Pay fee number {n} of the semester", roles=("student",), group="fees") for n in range(10)),
        *(Tool(f"book_{n}", f"Lend library book number {n}", group="library") for n in range(7)),
        *[Tool("a<b>plan</b>", "Show the plan of lectures", group="<i>plan</i>")] * 3,
    )
)


@pytest.fixture(scope="module")
def twenty() -> tuple[ToolIndex, Layout]:
    index = build_index(TWENTY, FakeEncoder(dimension=64))
    return index, lay_out(index)


@pytest.fixture
def page(app: Start) -> Start:
    def start(view: str = "Map", **address: str) -> AppTest:
        return app(page="overlap", state={"overlap_view": tab(view)}, **address)

    return start


def indexed(at: AppTest) -> AppTest:
    """Wait for the index alone: its map is not drawn yet."""
    assert all(snapshot.wait(30) for snapshot in tuple(resources.workbench()._snapshots.values()))
    return at.run()


def figure(at: AppTest) -> dict[str, Any]:
    chart: dict[str, Any] = json.loads(at.get("plotly_chart")[0].proto.spec)
    return chart


def mapped(at: AppTest) -> set[str]:
    return {key for trace in figure(at)["data"] for key in trace.get("customdata", ())}


def table(at: AppTest, *columns: str) -> Any:
    return next(element.value for element in at.dataframe if set(columns) <= set(element.value))


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.markdown, *at.info))


def every_mark(index: ToolIndex, layout: Layout, colouring: Any) -> tuple[Any, ...]:
    clusters = cluster_tools(index)
    return spots(layout, index.keys, kinds(index.registry, index.keys, colouring, clusters))


def charted(marks: tuple[Any, ...], ring: str | None = None) -> Any:
    return map_figure(marks, {}, ordered([mark.kind for mark in marks]), focus=Focus(ring))


# -- the figure


@pytest.mark.parametrize("colouring", COLOURINGS)
def test_in_every_colouring_each_mark_carries_its_own_tool(twenty: tuple[ToolIndex, Layout], colouring: str) -> None:
    index, layout = twenty
    chart = charted(every_mark(index, layout, colouring))
    places = {
        key: (x, y)
        for trace in chart.data
        for key, x, y in zip(trace.customdata if trace.customdata is not None else (), trace.x, trace.y, strict=False)
    }
    assert set(places) == {*TWENTY.by_key} - {"a<b>plan</b>#2", "a<b>plan</b>#3"}
    assert all(tuple(layout.positions[index.positions[key]]) == place for key, place in places.items())
    assert len({(trace.marker.color, trace.marker.symbol) for trace in chart.data}) == len(chart.data)


def test_identical_tools_are_a_pile_with_a_count(twenty: tuple[ToolIndex, Layout]) -> None:
    pile = next(mark for mark in every_mark(*twenty, "group") if len(mark.keys) > 1)
    assert pile.keys == tuple(f"a<b>plan</b>#{n}" for n in (1, 2, 3))
    chart = charted((pile,))
    assert chart.layout.annotations[0].text == "×3"
    assert chart.data[0].hovertext[0].startswith("3 tools with the same text:<br>")


def test_names_and_groups_are_text_at_the_pointer_and_never_markup(twenty: tuple[ToolIndex, Layout]) -> None:
    chart = charted(every_mark(*twenty, "group"))
    trace, hover = next((trace, text) for trace in chart.data for text in trace.hovertext if "plan" in text)
    assert "a&lt;b&gt;plan&lt;/b&gt;" in hover
    assert trace.meta == "&lt;i&gt;plan&lt;/i&gt;"  # the last line, which is sent once for all marks of a kind
    assert trace.hovertemplate == "%{hovertext}<br>%{meta}<extra></extra>"
    assert "<i>" not in chart.to_json().encode().decode("unicode_escape")


def test_the_same_arguments_make_the_same_figure(twenty: tuple[ToolIndex, Layout]) -> None:
    marks = every_mark(*twenty, "cluster")
    assert charted(marks, "fee_1").to_json() == charted(marks, "fee_1").to_json()


def test_a_kind_keeps_its_colour_when_fewer_tools_are_shown(twenty: tuple[ToolIndex, Layout]) -> None:
    index, layout = twenty
    clusters = cluster_tools(index, count=6)
    kind_of = kinds(index.registry, index.keys, "cluster", clusters)
    order = ordered(kind_of, clusters)
    assert order[:-1] == tuple(cluster.name for cluster in clusters.clusters)
    few = [*clusters.clusters[2].keys, *clusters.clusters[3].keys[:1]]
    whole, part = (map_figure(spots(layout, shown, kind_of), {}, order) for shown in (index.keys, few))
    colours = {trace.name: (trace.marker.color, trace.marker.symbol) for trace in whole.data}
    assert len(part.data) == 2
    assert all(colours[trace.name] == (trace.marker.color, trace.marker.symbol) for trace in part.data)


def test_a_part_of_the_map_moves_only_for_a_place_outside_and_keeps_its_size() -> None:
    part = (0.0, 0.5, -0.25, 0.25)
    assert part_with(part, None) == part_with(part, (0.2, 0.1)) == part
    assert part_with(part, (-0.5, 0.5)) == (-0.75, -0.25, 0.25, 0.75)
    assert part_with(WHOLE, (1.0, -1.0)) == WHOLE


def test_the_ring_gives_way_to_a_mark_that_is_clicked(twenty: tuple[ToolIndex, Layout]) -> None:
    ring = charted(every_mark(*twenty, "cluster"), "fee_1").data[-1]
    assert (ring.hoverinfo, ring.unselected.marker.opacity) == ("skip", 0)


def test_cluster_names_stand_on_the_map_and_cover_none_of_each_other(twenty: tuple[ToolIndex, Layout]) -> None:
    index, layout = twenty
    clusters = cluster_tools(index, count=6)
    labels = cluster_labels(layout, clusters, index.keys)
    assert {label.text for label in labels} <= {cluster.name for cluster in clusters.clusters}
    assert len({(label.x, label.y) for label in labels}) == len(labels) > 1
    assert cluster_labels(layout, clusters, ["fee_1"]) != labels


def test_rare_groups_share_a_colour() -> None:
    registry = Registry(tools=tuple(Tool(f"t{n}", "x", group=f"g{n:02}") for n in range(30)))
    assert set(kinds(registry, registry.keys, "group", None)) == {*(f"g{n:02}" for n in range(12)), "other groups"}


# -- tables and texts


def test_the_tables_show_the_figures_of_the_records(twenty: tuple[ToolIndex, Layout]) -> None:
    index, _ = twenty
    pairs = closest_pairs(index, 5)
    frame = pairs_frame(pairs)
    assert list(zip(frame["tool"], frame["and tool"], strict=True)) == [(pair.a, pair.b) for pair in pairs]
    assert list(frame["percentile"]) == [f"{pair.percentile:.0f}" for pair in pairs]
    clusters, nearest = cluster_tools(index), tuple(neighbours(index, key, 1)[0] for key in index.keys)
    words = tools_frame(TWENTY, index.keys, ["fee_1"], clusters, nearest)
    assert list(words["cluster"]) == [clusters.names()[index.positions["fee_1"]]]
    assert list(words["nearest tool"]) == [neighbours(index, "fee_1", 1)[0].key]


def test_how_far_the_picture_can_be_trusted_is_said_in_words(twenty: tuple[ToolIndex, Layout]) -> None:
    _, layout = twenty
    assert f"{layout.neighbours_kept:.0%} on average" in trust(layout)
    few = lay_out(build_index(Registry(tools=TWENTY.tools[:3]), FakeEncoder(dimension=64)))
    assert "only an arrangement" in trust(few)


# -- the drawing


def test_what_was_not_edited_stays_where_it_is(twenty: tuple[ToolIndex, Layout], tmp_path: Path) -> None:
    drawings = Drawings(tmp_path)
    saved, index = drawings.of(twenty[0]), build_index(TWENTY.with_edits([TWENTY.edit("fee_1", "description", "Lend")]), FakeEncoder(64))
    draft = drawings.of(index, saved)
    assert draft.wait(30)
    assert saved.layout is not None
    assert draft.layout is not None
    same = [position for position, key in enumerate(index.keys) if key != "fee_1"]
    assert (saved.layout.positions[same] == draft.layout.positions[same]).all()
    assert drawings.of(index) is draft


def test_a_new_process_has_the_map_in_its_colours_at_once(twenty: tuple[ToolIndex, Layout], tmp_path: Path) -> None:
    first = Drawings(tmp_path).of(twenty[0])
    assert first.wait(30)
    stages: list[str] = []

    class Noting(Drawing):
        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, value)
            if name == "stage":
                stages.append(str(value))

    again = Noting(twenty[0])
    again.make(tmp_path, threading.Lock())
    assert again.clusters
    assert first.clusters
    assert again.clusters.clusters == first.clusters.clusters
    assert "Naming the clusters" not in stages


def test_a_drawing_that_fails_says_why_and_leaves_nobody_waiting(tmp_path: Path) -> None:
    drawing = Drawing(build_index(TWENTY, None))
    Drawings(tmp_path)
    drawing.make(tmp_path, threading.Lock())
    assert drawing.finished
    assert "indexed by words only" in drawing.error


@pytest.mark.parametrize("kept", [False, True])
def test_a_large_map_is_drawn_by_the_process_that_was_made_ready_which_then_ends(
    kept: bool, twenty: tuple[ToolIndex, Layout], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings_module, "DRAWN_EARLY", 20)
    monkeypatch.setattr(drawings_module, "_LOOK_SECONDS", 0)
    if kept:
        kept_map(twenty[0], tmp_path)
    drawn: list[DrawingProcess] = []

    class Noted(DrawingProcess):
        def draw(self, rows: Rows, progress: Callable[[int, int], None] | None = None) -> Picture | None:
            drawn.append(self)
            return super().draw(rows, progress)

    monkeypatch.setattr(drawings_module, "DrawingProcess", Noted)
    drawings = Drawings(tmp_path)
    drawings.make_ready(19)
    assert drawings._process is None
    drawings.make_ready(20)
    process = drawings._process
    assert process is not None
    drawing = drawings.of(twenty[0])
    assert drawing.wait(60)
    assert drawing.layout is not None
    assert drawing.layout.to_dict() == twenty[1].to_dict()
    assert drawn == ([] if kept else [process])
    assert not process.waits


def test_what_comes_after_a_large_map_waits_until_a_browser_shows_it(
    twenty: tuple[ToolIndex, Layout], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings_module, "DRAWN_EARLY", 20)
    kept_map(twenty[0], tmp_path)
    drawing = Drawings(tmp_path).of(twenty[0])
    assert drawing.wait(30, only_map=True)
    drawing.look()
    assert not drawing.wait(0.1)
    drawing.see()
    assert drawing.wait(30)
    assert len(drawing.nearest) == len(twenty[0].keys)


# -- the page


def test_progress_stands_above_an_empty_map_of_its_size_until_it_is_drawn(page: Start, app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, draw = threading.Event(), drawings_module.kept_map

    def slowly(index: ToolIndex, cache_dir: Path, before: object, progress: Callable[[int, int], None]) -> ToolMap:
        progress(2, 5)
        assert goes_on.wait(20)
        return draw(index, cache_dir)

    monkeypatch.setattr(drawings_module, "kept_map", slowly)
    at = indexed(app(wait=False, page="overlap"))
    assert "Drawing the map: 2 of 5 stand" in badges(at)
    assert not mapped(at)
    size = figure(at)["layout"]["height"]
    assert figure(at)["layout"]["annotations"][0]["text"] == "The map appears here."
    goes_on.set()
    at = settled(at)
    assert mapped(at) == {tool["name"] for tool in TOOLS}
    assert figure(at)["layout"]["height"] == size


def test_the_closest_pairs_of_a_large_registry_come_beside_the_map_once_a_browser_shows_that(
    page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"DRAWN_EARLY": 2, "_LOOK_SECONDS": 0, "_SHOW_SECONDS": 0}.items():
        monkeypatch.setattr(drawings_module, name, value)
    at = page()
    assert mapped(at)
    assert "begin here" not in texts(at)
    monkeypatch.setattr(map_part, "has_marks", lambda _: True)
    assert "begin here" in texts(at.run())


def test_a_sketch_is_there_while_the_map_is_drawn(page: Start, app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings_module, "SKETCHED", 0)
    goes_on, draw = threading.Event(), drawings_module.kept_map

    def slowly(index: ToolIndex, cache_dir: Path, before: object, progress: Callable[[int, int], None]) -> ToolMap:
        progress(0, 5)
        assert goes_on.wait(20)
        return draw(index, cache_dir)

    monkeypatch.setattr(drawings_module, "kept_map", slowly)
    at = indexed(app(wait=False, page="overlap"))
    (drawing,) = resources.workbench().drawings._kept.values()
    while drawing.sketch is None:
        assert not drawing.wait(0.01)
    at.run()
    assert mapped(at) == {tool["name"] for tool in TOOLS}
    assert any("A sketch (PCA) while the map is drawn" in element.value for element in at.markdown)
    goes_on.set()
    at = settled(at)
    assert mapped(at) == {tool["name"] for tool in TOOLS}
    assert not any("A sketch" in element.value for element in at.markdown)


def test_the_map_needs_no_loaded_model_and_a_question_waits_for_it(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    loads, loaded = FakeEncoder.encode_query, threading.Event()

    def after_loading(self: FakeEncoder, query: str) -> Any:
        assert loaded.wait(20)
        return loads(self, query)

    monkeypatch.setattr(FakeEncoder, "encode_query", after_loading)
    app(wait=False, page="overlap", overlap_question="pay tuition fees")
    snapshot = next(iter(resources.workbench()._snapshots.values()))
    while snapshot.read is None:
        snapshot.wait(0.01)
    at = app(wait=False, page="overlap", overlap_question="pay tuition fees")
    assert resources.workbench().drawings.of(snapshot.read).wait(20)
    assert mapped(at.run()) == {tool["name"] for tool in TOOLS}
    assert "then the question takes its place" in texts(at)
    assert "your question" not in {trace.get("name") for trace in figure(at)["data"]}
    loaded.set()
    assert figure(settled(at))["data"][-1]["name"] == "your question"


def test_the_page_shows_the_map_and_the_closest_pairs(page: Start) -> None:
    at = page()
    assert mapped(at) == {tool["name"] for tool in TOOLS}
    index = resources.workbench().open(next(iter(resources.workbench()._snapshots.values())).registry, resources.Model()).index
    first = closest_pairs(index, 1)[0]
    assert tuple(table(at, "and tool")[["tool", "and tool"]].iloc[0]) == (first.a, first.b)
    assert "only an arrangement" in texts(at)


@pytest.mark.parametrize("colouring", COLOURINGS)
def test_the_selector_opens_a_tool_and_its_nearest_ones_in_every_colouring(page: Start, colouring: str) -> None:
    at = page(overlap_colour=colouring)
    assert at.session_state["overlap_colour"] == colouring
    at.selectbox(key="tool").set_value("pay_fees").run()
    assert figure(at)["data"][-1]["hoverinfo"] == "skip"  # the ring
    near = next(element.value for element in at.dataframe if list(element.value) == ["#", "tool", "similarity"])
    assert "pay_fees" not in set(near["tool"])
    assert len(near) == len(TOOLS) - 1


def test_a_question_stands_on_the_map_with_its_nearest_tools_beside(page: Start) -> None:
    at = page(overlap_question="pay tuition fees")
    assert figure(at)["data"][-1]["name"] == "your question"
    near = next(element.value for element in at.dataframe if list(element.value) == ["#", "tool", "similarity"])
    assert near["tool"].iloc[0] == "pay_fees"


def test_clashes_and_times_returned_are_shown_on_the_map_and_in_words_when_asked_for(page: Start) -> None:
    at = page()
    at.checkbox(key="overlap_returned").check()
    at.checkbox(key="overlap_edges").check().run()
    for jobs in (resources.workbench().runs, resources.workbench().clashes):
        for job in jobs.all():
            assert job.wait(30)
        at.run()
    assert not at.exception
    assert any("The larger a mark, the more test queries bring its tool" in element.value for element in at.markdown)
    assert any("returned for" in text for trace in figure(at)["data"] for text in trace.get("hovertext", ()))


def test_an_edit_of_the_draft_is_an_arrow_on_the_map(page: Start) -> None:
    at = page()
    settled(edit(at, "renew_book", "description", "Pay tuition fees online, again."))
    assert [note["arrowhead"] for note in figure(at)["layout"]["annotations"] if note.get("showarrow")] == [2]
    assert any("1 arrow: where your draft moves a tool to" in element.value for element in at.markdown)


def test_the_figure_is_the_same_at_every_rerun(page: Start) -> None:
    at = page(tool="pay_fees")
    before = figure(at)
    assert figure(at.run()) == before


def test_the_role_lens_leaves_only_what_the_role_sees(page: Start) -> None:
    at = page(role="faculty")
    assert "get_attendance" not in mapped(at)
    at = page("Closest pairs", role="faculty")
    frame = table(at, "shared words")
    assert "get_attendance" not in {*frame["tool"], *frame["and tool"]}


def test_pairs_have_percentile_shared_words_and_identical_tools_apart(page: Start, folder: Path) -> None:
    write_registry(folder, [*TOOLS, *SAME])
    at = page("Closest pairs")
    frame = table(at, "percentile", "shared words", "group")
    assert {name for name in (*frame["tool"], *frame["and tool"]) if name.startswith("copy")} == {"copy#1"}
    piles = table(at, "with the same text")
    assert list(piles["tools"]) == [20]


def test_copies_do_not_fill_the_list_beside_the_map_and_are_counted(page: Start, folder: Path) -> None:
    write_registry(folder, [*TOOLS, *SAME])
    near = lambda at: next(element.value for element in at.dataframe if list(element.value)[:3] == ["#", "tool", "similarity"])
    at = page(tool="copy#1")
    assert "19 other tools have the very same text: no question can tell them apart." in texts(at)
    assert near(at)["tool"].iloc[0] == "copy#10"  # in order of names
    assert list(near(at)[""]) == ["same text ×19", *[""] * len(TOOLS)]
    rows = near(page(tool="pay_fees")).set_index("tool")[""]
    assert rows.filter(like="copy").to_dict() == {"copy#1": "×20"}


def test_the_map_has_a_text_twin(page: Start) -> None:
    frame = table(page("Map in words"), "nearest tool")
    assert list(frame["tool"]) == sorted(tool["name"] for tool in TOOLS)
    assert all(frame["cluster"])


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_no_few_and_one_tool_have_a_page_that_says_so(page: Start, folder: Path, count: int) -> None:
    write_registry(folder, TOOLS[:count])
    at = page()
    assert not at.exception
    assert ("has no tools yet" if not count else "only an arrangement") in texts(at)
    at = page("Closest pairs")
    assert not at.exception
    assert ("only one tool" in texts(at)) == (count == 1)


def test_without_a_model_the_page_says_why_there_is_no_map(page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ModelUnavailable("no model here")

    monkeypatch.setattr(resources, "load_encoder", refuse)
    at = page()
    assert "there is no model to read them" in texts(at)
    assert not at.get("plotly_chart")


def test_pairs_that_are_kept_are_those_of_the_role_and_the_settings(twenty: tuple[ToolIndex, Layout]) -> None:
    registry = Registry(tools=(*TWENTY.tools, Tool("own", "Grade a thesis", "thesis marks", roles=("faculty",)), Tool("two", "Read")))
    index = build_index(registry, FakeEncoder(dimension=64))
    drawing, bare = Drawing(index), Settings(extra_context=False)
    for role in (None, "faculty", "student"):
        for settings in (Settings(), bare):
            assert drawing.pairs(300, role, settings) == closest_pairs(index, 300, role, settings, one_per_pile=True)
