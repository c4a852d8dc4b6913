"""Each number in the Playground is a figure of the trace, written out here a second time: a view that computes its own fails."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Curator, Trace, build_index, load_registry
from tests.core.fakes import FakeEncoder

Start = Callable[..., AppTest]
Figures = Mapping[str, Any]
CAMPUS = Path(__file__).parents[2] / "sample_registries" / "campus"
QUESTIONS = (
    "show my attendance",
    "hostel leave",
    "what is my cgpa",
    "show my attendance and also raise a grievance",
    "apply for hostel leave and then pay my fees",
    "pay tuition fees",
    "submit grievance",
    "i want to make a formal complaint",
    "renew library book",
    "who teaches physics",
    "exam timetable please",
    "book a room as well as order a cake",
    "where is my scholarship money",
    "list the clubs",
    "zxcv qwerty",
    "bitcoin price",
    "publish a paper",
    "drop a course and also add another one",
    "who is absent today",
    "transport to the campus",
)
NUMBER = re.compile(r"-?\d*\.\d+|\d+")
BAR = re.compile(r'y="4" width="([\d.]+)"')
BAR_WIDTH = 84


@pytest.fixture
def campus(app: Start, folder: Path) -> AppTest:
    for file in filter(Path.is_file, CAMPUS.iterdir()):  # not the drafts of whoever has opened the sample
        (folder / file.name).write_bytes(file.read_bytes())
    return app(q="attendance")


@pytest.fixture
def curator(encoder: FakeEncoder) -> Curator:
    return Curator(build_index(load_registry(CAMPUS), encoder))


def test_each_number_of_the_answer_the_facts_and_the_tool_panel_is_in_the_trace(campus: AppTest, curator: Curator) -> None:
    campus.toggle(key="playground_below").set_value(True)
    for number, question in enumerate(QUESTIONS):
        trace = curator.curate(question)
        figures = trace.to_dict("all")
        tool = [*trace.tools, *(key for key in trace.pool if key not in trace.tools)][number * 7 % len(trace.pool)]  # in and below the cut
        campus.text_input(key="q").set_value(question)
        campus.selectbox(key="tool").set_value(tool)
        campus.run()
        assert not campus.exception
        check_answer(campus, figures)
        check_below(campus, figures)
        check_facts(campus, figures)
        check_panel(campus, trace, figures, tool)


def check_answer(at: AppTest, figures: Figures) -> None:
    shown = table(at, "playground_rows")
    assert list(shown["tool"]) == figures["tools"]
    assert list(shown["#"]) == list(range(1, len(figures["tools"]) + 1))
    for (_, line), pick in zip(shown.iterrows(), figures["picks"], strict=True):
        check_line(line, row_of(figures, pass_of(figures, pick), pick["tool"]), figures)
        parts = [flag for flag in line["flags"] if flag in "①②③④"]
        assert parts == ["①②③④"[part - 1] for part in pick["parts"]]
    said = next(caption.value for caption in at.caption if caption.value.startswith("The agent is shown"))
    assert set(NUMBER.findall(said)) <= {str(len(figures["tools"])), str(figures["top_k"])}


def check_below(at: AppTest, figures: Figures) -> None:
    shown = table(at, "playground_further")
    rest = [row for row in figures["passes"][0]["rows"] if row["tool"] not in figures["tools"]]
    assert list(shown["tool"]) == [row["tool"] for row in rest[: len(shown)]]
    for (_, line), row in zip(shown.iterrows(), rest, strict=False):
        assert line["#"] == row["rank"] or row["rank"] is None
        check_line(line, row, figures)


def check_line(line: Any, row: Figures, figures: Figures) -> None:
    """Compare one line of a list with one row of the trace."""
    assert (line["meaning"], line["words"], line["combined"]) == cells(row)
    assert set(numbers(line["why"])) <= figures_of_row(row)
    svg = base64.b64decode(line["stages"].split(",")[1]).decode()
    widths = dict(zip(row["parts"], map(float, BAR.findall(svg)), strict=True))
    whole = 2 / (figures["settings"]["rrf_k"] + 1)
    for stage, part in row["parts"].items():
        assert widths[stage] == pytest.approx(max(BAR_WIDTH * part / whole - 1, 0), abs=0.06)


def check_facts(at: AppTest, figures: Figures) -> None:
    allowed = {str(len(fired["tools"])) for fired in figures["synonyms"]}
    allowed |= {short(figures["max_similarity"], 2), short(figures["settings"]["low_confidence_similarity"], 2)}
    facts = [element.value for element in between(at, "scratch_open", "playground_rows") if element.type == "text"]
    assert facts
    assert {found for fact in facts for found in numbers(fact)} <= allowed
    best = [fact for fact in facts if "unsure" in fact]
    assert all(short(figures["max_similarity"], 2) in numbers(fact) for fact in best)
    assert best


def check_panel(at: AppTest, trace: Trace, figures: Figures, tool: str) -> None:
    shown, story = twin(at, "pass"), trace.story(tool).to_dict()
    rows = [row_of(figures, number, tool) for number in range(len(figures["passes"]))]
    for (_, line), row in zip(shown.iterrows(), rows, strict=True):
        assert (line["meaning"], line["words"], line["combined"]) == cells(row)
        assert line["rank"] == str(row["rank"] or "–")
        rule = f"{row['forced_hits']} of {row['forced_of']}" + (" ✓" if row["forced"] else "")
        assert line["name rule"] == (rule if row["forced_of"] else "–")
    pick = next((pick for pick in figures["picks"] if pick["tool"] == tool), None)
    number = pass_of(figures, pick) if pick else 0
    allowed = figures_of_row(rows[number]) | {str(len(figures["tools"])), str(story["place"]), str(number), f"{story['short_of'] or 0:.4f}"}
    allowed |= {str(rows[number]["rank"])}
    assert set(numbers(sentence(at, tool))) <= allowed
    check_words(twin(at, "adds"), figures["passes"][number], rows[number])


def check_words(shown: Any, one: Figures, row: Figures) -> None:
    words = one["sparse"]["words"]
    assert {line["word"].split(" ×")[0] for _, line in shown.iterrows()} == set(words)
    for _, line in shown.iterrows():
        name, _, times = line["word"].partition(" ×")
        assert times == (str(words[name]["count"]) if words[name]["count"] > 1 else "")
        assert line["adds"] == (f"{row['by_word'][name]:.2f}" if name in row["by_word"] else "–")
        assert line["weight"] == (f"{words[name]['idf']:.2f}" if words[name]["tools"] else "–")
        assert line["tools with it"] == str(words[name]["tools"])


# -- the trace's figures, as the screen writes them


def short(number: float, places: int) -> str:
    """Write a number without the zero before the point."""
    text = f"{number:.{places}f}"
    text = text[1:] if text.startswith("-") and not float(text) else text
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def cells(row: Figures) -> tuple[str, str, str]:
    meaning = "–" if row["dense_rank"] is None else f"#{row['dense_rank']} {short(row['similarity'], 2)}"
    words = f"#{row['sparse_rank']} {row['bm25']:.1f}" if row["sparse_rank"] else "–"
    return meaning, words, short(row["score"], 4)


def figures_of_row(row: Figures) -> set[str]:
    """Return the numbers that a sentence about a row may hold."""
    ranks = {str(row[name]) for name in ("dense_rank", "sparse_rank", "forced_hits", "forced_of")}
    return ranks | {f"{row['similarity']:.2f}"}


def pass_of(figures: Figures, pick: Figures) -> int:
    """Return the pass that brought a pick: of its parts the one where it ranks best."""
    return min(pick["parts"], key=lambda part: row_of(figures, part, pick["tool"])["rank"]) if pick["parts"] else 0


def row_of(figures: Figures, number: int, tool: str) -> Figures:
    row: Figures = next(row for row in figures["passes"][number]["rows"] if row["tool"] == tool)
    return row


# -- the screen


def numbers(text: str) -> list[str]:
    """Return the numbers of a text, quotes of the question left out."""
    return NUMBER.findall(re.sub("“[^”]*”", "", text))


def table(at: AppTest, key: str) -> Any:
    return next(element for element in at.main if key_of(element) == key).value


def twin(at: AppTest, column: str) -> Any:
    """Return the table that has this column; tables in which nothing can be chosen have no key."""
    return next(element.value for element in at.dataframe if column in element.value)


def key_of(element: Any) -> str:
    """Return the key that a widget or table was given; "" without one."""
    found = getattr(element, "key", None) or getattr(getattr(element, "proto", None), "id", "")
    return str(found).rsplit("-", 1)[-1]


def between(at: AppTest, first: str, last: str) -> Iterator[Any]:
    """Yield what stands between two keyed elements, in the order of the page."""
    inside = False
    for element in at.main:
        if key_of(element) == last:
            return
        if inside:
            yield element
        inside = inside or key_of(element) == first


def sentence(at: AppTest, tool: str) -> str:
    """Return the tool panel's sentence, without the tool's name."""
    found = [element.value for element in at.text if element.value.startswith(f"{tool} is ")][-1]  # what it would take stands before
    return str(found).removeprefix(tool)
