"""Each page as it looks, at two widths, light and dark: it fits, all of it can be read, and axe finds nothing grave.

One window goes through all views, and loads a page only where its address is another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.workbench import Screen, Workbench

AUTHOR, NEAREST = "Author of the pages", "Nearest tools in the original space"
QUESTION = "show my attendance and also raise a grievance"
TOOL, TERM = "submit_grievance", "grievance"
HEIGHTS = {1280: 800, 1920: 1080}
# each differs from the one before in one thing; every rule of axe meets each width and each scheme, and contrast all four
ALL = (("light", 1280), ("light", 1920), ("dark", 1920), ("dark", 1280))
TWO = (("light", 1280), ("dark", 1920))
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
GRAVE = ["serious", "critical"]
STREAMLITS = {  # rule → what it finds in Streamlit's own parts, that no setting of ours reaches
    # the cross that empties a selection and the one on a chosen value are 21 px; the keyboard has Delete and Backspace for them
    "target-size": "[data-testid=stSelectbox] button, [data-testid=stMultiSelect] button",
}
CHECK = """async ([tags, rules, grave, streamlits]) => {
  const only = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
  const { violations } = await axe.run(document, { runOnly: only, resultTypes: ["violations"], elementRef: true, preload: false });
  return violations.filter((one) => grave.includes(one.impact)).flatMap((one) => one.nodes
    .filter((node) => !(streamlits[one.id] && node.element.matches(streamlits[one.id])))
    .map((node) => [one.id, node.html.slice(0, 200), node.failureSummary].join(" | ").replace(/\\s+/g, " ")));
}"""
OVERFLOW = """() => [...document.querySelectorAll("html, [data-testid=stMain]")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => [one.tagName, one.scrollWidth, one.clientWidth])"""
LABELS = "(charts) => charts.map((one) => (one.closest('[aria-label]') ?? one.querySelector('[aria-label]'))?.ariaLabel ?? '')"
BARS = "What each stage adds to the combined score in each pass; the table below has the same figures"
LINES = "Rank of each question's tool on both sides; the tab Questions has the same as a table."
GROUPED = "Groups of logged questions that nothing answers well"
MAP = "Map of the tools: like tools stand together. “Map in words” has the same as a table."
GROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 30)"}
DRAWN = "() => new Promise((tell) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(tell)), 100))"


@dataclass(frozen=True)
class View:
    """A page in one state.

    path, query: its address; page, part, tab, popover: what is opened then, in this order; sign: a text that stands there; act: what is
    done before; also: what else is seen there; looks: widths and schemes.
    """

    name: str
    path: str
    sign: str
    query: dict[str, str] = field(default_factory=dict)
    page: str = ""
    part: str = ""
    tab: str = ""
    popover: str = ""
    act: Callable[[Screen], object] = lambda _: None
    also: Callable[[Screen], object] = lambda _: None
    looks: tuple[tuple[str, int], ...] = ALL

    @property
    def address(self) -> tuple[str, dict[str, str], str]:
        return self.path, self.query, self.page


@dataclass
class Window:
    """One window for all views. standing: the view that was shown last, None where that is not certain; look: its scheme and width."""

    screen: Screen
    standing: View | None = None
    look: tuple[str, int] = ("", 0)


# -- what else is seen on a page


def chart_labels(screen: Screen) -> list[str]:
    """Return what the charts of a page say of themselves."""
    charts = screen.page.get_by_test_id("stPlotlyChart")
    found: list[str] = charts.evaluate_all(LABELS)
    return found


def remarks_are_listed(screen: Screen) -> None:
    """They are made when the button is pressed."""
    expect(screen.page.get_by_test_id("stPopoverBody").get_by_test_id("stDataFrame")).to_be_visible()


def bars_have_the_same_figures_in_a_table_below(screen: Screen) -> None:
    assert chart_labels(screen) == [BARS]
    cells = screen.page.get_by_role("region", name="The tool's figures in each pass").locator("tbody tr").first.locator("td")
    expect(cells.nth(2)).to_have_text(re.compile(r"#\d+ -?\.\d\d"))
    labels = screen.page.locator(".js-plotly-plot .bartext").all_text_contents()
    assert cells.nth(2).text_content() in labels


def the_open_tabs_name_has_a_colour_of_texts_on_a_dark_page(screen: Screen) -> None:
    assert chart_labels(screen) == [MAP]
    name = screen.page.get_by_role("tab", name="Map", exact=True, selected=True).get_by_text("Map", exact=True)
    expect(name).to_have_css("color", "rgb(179, 188, 200)")  # axe leaves the name of a tab out, as a line lies over it


def the_map_has_the_same_tools_in_a_table(screen: Screen) -> None:
    rows = screen.page.get_by_role("region", name="Each tool's cluster, group and nearest tool: the map in words").locator("tbody tr")
    expect(rows.first).to_contain_text(re.compile(r"\w+"))


def the_questions_of_the_lines_are_in_a_table(screen: Screen) -> None:
    assert chart_labels(screen) == [LINES]
    told = screen.page.locator(".js-plotly-plot").evaluate("(plot) => plot.data.flatMap((one) => one.customdata).filter(Boolean)")
    screen.page.get_by_role("tab", name="Questions", exact=True).click()
    rows = screen.settle().page.get_by_role("region", name="What became of each question, worst first").locator("tbody tr")
    question = rows.first.locator("td").nth(1).text_content() or ""
    assert any(one.startswith(question[:40]) for one in told), (question, told[:3])
    screen.page.get_by_role("tab", name="Rank lines", exact=True).click()
    screen.settle()


def keep_a_log(screen: Screen) -> None:
    if screen.editor("Or paste it").is_visible():  # in a second try it is kept
        screen.editor("Or paste it").fill("zorbing on the moon\nhow do I bake bread")
        screen.page.get_by_role("button", name="Keep 2 questions").click()
    expect(screen.page.get_by_role("region", name=GROUPED)).to_be_visible(timeout=60_000)
    screen.settle().click_row(GROUPED, 0)


def write_a_draft(screen: Screen) -> None:
    screen.editor("Extra context").fill("some words")
    screen.wait_for_status("Extra context", "in your draft, not published yet")


def show_changes(screen: Screen) -> None:
    screen.page.get_by_role("button", name="Publish", exact=True).click()
    screen.settle()


# -- the views, those of one address one after another

QUESTION_ASKED = {"q": QUESTION, "tool": TOOL}
VIEWS = (
    View("Home", "", "Tools"),
    View("remarks on the files", "", "1 remark", popover="1 remark", also=remarks_are_listed, looks=TWO),
    View("who works here", "", "Drafts are kept under this name", popover="Author of the pages", looks=TWO),
    View("Playground, empty", "playground", "Ask what a user would ask."),
    View("Playground", "playground", "The agent is shown the", QUESTION_ASKED, also=bars_have_the_same_figures_in_a_table_below),
    View("Help, last question", "playground", "Figures are shown rounded", QUESTION_ASKED, "Help", "Your last question"),
    View("Help, tour", "playground", "An agent with hundreds of tools", QUESTION_ASKED, "Help", "Tour"),
    View("Help, vocabulary", "playground", "An engineer says", QUESTION_ASKED, "Help", "Vocabulary"),
    View("Help, keys", "playground", "What they do", QUESTION_ASKED, "Help", "Keys"),
    View("Synonyms", "synonyms", "Tools it reaches", {"term": TERM}),
    View("Synonyms, new", "synonyms", "Write a term to see", {"term": TERM}, popover="Add a term", looks=TWO),
    View("Synonyms, pasted", "synonyms", "One term a line", {"term": TERM}, popover="Paste a list", looks=TWO),
    View("Overlap, map", "overlap", NEAREST, {"tool": TOOL}, also=the_open_tabs_name_has_a_colour_of_texts_on_a_dark_page),
    View("Overlap, clashes", "overlap", "most take each other's questions", {"tool": TOOL}, tab="Clashes", looks=TWO),
    View("Overlap, magnets", "overlap", "that come first for questions of others", {"tool": TOOL}, tab="Magnets & ghosts", looks=TWO),
    View("Overlap, pairs", "overlap", "closest pairs", {"tool": TOOL}, tab="Closest pairs"),
    View(
        "Overlap, map in words",
        "overlap",
        "in order of names",
        {"tool": TOOL},
        tab="Map in words",
        also=the_map_has_the_same_tools_in_a_table,
    ),
    View("Engine, settings", "engine", "Tools returned"),
    View("Engine, model", "engine", "The model that reads the texts", tab="Model & index"),
    View("Test queries", "queries", "test queries ·", {"query": "x"}),
    View("Test queries, tagged", "queries", "Add the tag", {"query": "x"}, popover="Tag many", looks=TWO),
    View("Coverage", "queries", "Tools that no test query expects", {"query": "x"}, tab="Coverage", looks=TWO),
    View("Starters", "queries", "made of the tools' own words", {"query": "x"}, tab="Starters", looks=TWO),
    View("Logged questions", "queries", "What do users really ask?", {"query": "x"}, tab="Logged questions", looks=TWO),
    View("Logged questions, grouped", "queries", "Which question?", {"query": "x"}, tab="Logged questions", act=keep_a_log, looks=TWO),
    View("Test queries, files", "queries", "Paste", {"query": "x"}, tab="Paste and files", looks=TWO),
    View("Review & history", "review", "History"),
    View("Import & export", "exchange", "Import"),
    View("Export", "exchange", "The beginning of the file", tab="Export", looks=TWO),
    View("Tools", "tools", "What your edits do", {"tool": TOOL}),
    View("Tools, another name", "tools", "Name", {"tool": TOOL}, popover="Rename", looks=TWO),
    View("Tools, a draft", "tools", "Draft: 1 edit", {"tool": TOOL}, act=write_a_draft),
    View("Publishing", "tools", "Why? A few words", {"tool": TOOL}, act=show_changes, looks=TWO),
    View("Compare", "compare", "recall@5"),
    View("Compare, rank lines", "compare", "Green: came up", tab="Rank lines", looks=TWO, also=the_questions_of_the_lines_are_in_a_table),
    View("Compare, settings of a side", "compare", "Stages off on this side", popover="Settings", looks=TWO),
)


@pytest.fixture(scope="module")
def window(browser: Browser, campus: Workbench) -> Iterator[Window]:
    """The policy for scripts is put aside for the checker's."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(20_000)
    context.add_cookies([{"name": "tool_curator_name", "value": quote(AUTHOR), "url": campus.url}])
    yield Window(Screen(context.new_page(), campus))
    context.close()


def stand(window: Window, view: View) -> None:
    """Open a view, and wait until all of it is there."""
    before, window.standing, screen = window.standing, None, window.screen
    if before is None or before.address != view.address:
        if before is None or before.address[:2] != view.address[:2]:
            screen.go(view.path, **view.query).ready()
        if view.page:
            screen.open(view.page)
    if view.part:
        screen.page.get_by_role("radiogroup", name="Part").get_by_text(view.part).click()
    if view.tab:
        screen.page.get_by_role("tab", name=view.tab).click()
    if view.part or view.tab:
        screen.settle()
    view.act(screen)
    if view.popover:
        screen.page.get_by_role("button", name=view.popover).first.click()
    expect(screen.page.get_by_text(view.sign).first).to_be_visible(timeout=60_000)
    screen.settle()


def take(window: Window, scheme: str, width: int) -> None:
    """Give the window a scheme and a width, and wait until the page has taken them."""
    page, before, window.look = window.screen.page, window.look, (scheme, width)
    page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.wait_for_function(f"() => ({GROUND})() === '{GROUNDS[scheme]}'")
    page.evaluate(DRAWN)
    if scheme != before[0]:
        window.screen.settle()  # the server draws charts and badges anew


def findings(screen: Screen, every_rule: bool) -> list[str]:
    """Return what axe finds serious or critical, one line a place."""
    if not screen.page.evaluate("() => Boolean(window.axe)"):
        screen.page.evaluate(f"() => {{ {AXE} }}")
    found: list[str] = screen.page.evaluate(CHECK, [TAGS, [] if every_rule else ["color-contrast"], GRAVE, STREAMLITS])
    return found


def faults(window: Window, view: View) -> list[str]:
    """Return all that is wrong with a view in its looks, from the one that the window has."""
    wrong, screen = [], window.screen
    for look in sorted(view.looks, key=lambda look: look != window.look) if len(view.looks) < 4 else turned(window.look):
        take(window, *look)
        wrong += [f"{look}: wider than the window: {found}" for found in screen.page.evaluate(OVERFLOW)]
        wrong += [f"{look}: {found}" for found in findings(screen, look in TWO)]
        if look[0] == "dark":
            view.also(screen)
    return wrong


def turned(look: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """Return all looks in their circle, beginning with this one."""
    at = ALL.index(look) if look in ALL else 0
    return ALL[at:] + ALL[:at]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_page_fits_and_can_be_read_at_each_width_light_and_dark(window: Window, view: View) -> None:
    stand(window, view)
    wrong = faults(window, view)
    assert not wrong, "\n".join(wrong)
    assert set(chart_labels(window.screen)) <= {BARS, MAP, LINES}, "a chart without a text twin that is known here"
    if view.popover:
        window.screen.page.keyboard.press("Escape")
    window.standing = view
