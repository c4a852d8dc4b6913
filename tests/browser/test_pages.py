"""Each page as it looks, at two widths, light and dark: it fits, all of it can be read, and axe finds nothing grave."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import product

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.workbench import Screen, Workbench

QUESTION = "show my attendance and also raise a grievance"
TOOL, TERM = "submit_grievance", "grievance"
WIDTHS = {1280: 800, 1920: 1080}
SCHEMES = ("light", "dark")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
GRAVE = ["serious", "critical"]
STREAMLITS = {  # rule → what it finds in Streamlit's own parts, that no setting of ours reaches
    # the cross that empties a selection and the one on a chosen value are 21 px; the keyboard has Delete and Backspace for them
    "target-size": "[data-testid=stSelectbox] button, [data-testid=stMultiSelect] button",
}
CHECK = """async ([tags, rules, grave, streamlits]) => {
  const only = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
  const { violations } = await axe.run(document, { runOnly: only, resultTypes: ["violations"], elementRef: true });
  return violations.filter((one) => grave.includes(one.impact)).flatMap((one) => one.nodes
    .filter((node) => !(streamlits[one.id] && node.element.matches(streamlits[one.id])))
    .map((node) => [one.id, node.html.slice(0, 200), node.failureSummary].join(" | ").replace(/\\s+/g, " ")));
}"""
OVERFLOW = """() => [...document.querySelectorAll("html, [data-testid=stMain]")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => [one.tagName, one.scrollWidth, one.clientWidth])"""
LABELS = "(charts) => charts.map((one) => (one.closest('[aria-label]') ?? one.querySelector('[aria-label]'))?.ariaLabel ?? '')"
BARS = "What meaning and words add to the combined score in each pass; the table below has the same figures"
MAP = "Map of the tools: like tools stand together. “Map in words” has the same as a table."
GROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 30)"}


@dataclass(frozen=True)
class View:
    """A page in one state.

    path, query: its address; tab: what is clicked then, on another page where one is named; sign: a text that stands there.
    """

    name: str
    path: str
    sign: str
    query: dict[str, str] = field(default_factory=dict)
    tab: str = ""


PLAYGROUND = View("Playground", "playground", "The agent is shown the", {"q": QUESTION, "tool": TOOL})
OVERLAP = View("Overlap, map", "overlap", "Nearest tools in the original space", {"tool": TOOL})
VIEWS = (
    View("Home", "", "Tools"),
    View("Playground, empty", "playground", "Ask what a user would ask."),
    PLAYGROUND,
    View("Tools", "tools", "What your edits do", {"tool": TOOL}),
    View("Synonyms", "synonyms", "Tools it reaches", {"term": TERM}),
    OVERLAP,
    View("Overlap, pairs", "overlap", "closest pairs", tab="Closest pairs"),
    View("Overlap, map in words", "overlap", "in order of names", tab="Map in words"),
    View("Engine, settings", "engine", "Tools returned"),
    View("Engine, model", "engine", "The model that reads the texts", tab="Model & index"),
    View("Help, tour", "help", "An agent with hundreds of tools"),
    View("Help, last question", "playground", "Figures are shown rounded", {"q": QUESTION}, "Help: Your last question"),
    View("Help, vocabulary", "help", "An engineer says", {"help": "Vocabulary"}),
    View("Help, keys", "help", "What they do", {"help": "Keys"}),
)


@pytest.fixture(scope="module")
def window(browser: Browser, campus: Workbench) -> Iterator[Screen]:
    """One window for all views: it is the sizes and colours that change. The policy for scripts is put aside for the checker's."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(20_000)
    yield Screen(context.new_page(), campus)
    context.close()


def stand(screen: Screen, view: View) -> Screen:
    """Open a view, and wait until all of it is there."""
    screen.page.emulate_media(color_scheme="light")
    screen.go(view.path, **view.query).ready()
    page, _, tab = view.tab.rpartition(": ")
    if page:
        screen.open(page)
        screen.page.get_by_role("radiogroup", name="Part").get_by_text(tab).click()
    elif tab:
        screen.page.get_by_role("tab", name=tab).click()
    screen.settle()
    expect(screen.page.get_by_test_id("stMain").get_by_text(view.sign).first).to_be_visible(timeout=30_000)
    if view.path == "overlap":
        expect(screen.page.get_by_text("Naming the clusters")).to_have_count(0, timeout=60_000)
    return screen.settle()


def looks(screen: Screen) -> Iterator[str]:
    """Show the page at each width, light and dark; yield which one it is."""
    for scheme, (width, height) in product(SCHEMES, WIDTHS.items()):
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        screen.page.wait_for_function(f"() => ({GROUND})() === '{GROUNDS[scheme]}'")
        screen.settle()
        yield f"{scheme}, {width} px"


def findings(screen: Screen, rules: Sequence[str] = ()) -> list[str]:
    """Return what axe finds serious or critical, one line a place; rules: only these."""
    if not screen.page.evaluate("() => Boolean(window.axe)"):
        screen.page.evaluate(f"() => {{ {AXE} }}")
    found: list[str] = screen.page.evaluate(CHECK, [TAGS, list(rules), GRAVE, STREAMLITS])
    return found


def faults(screen: Screen) -> list[str]:
    """Return all that is wrong with a page at each width, light and dark. Each width and each scheme meets every rule once."""
    wrong = []
    for number, look in enumerate(looks(screen)):
        wrong += [f"{look}: wider than the window: {found}" for found in screen.page.evaluate(OVERFLOW)]
        wrong += [f"{look}: {found}" for found in findings(screen, () if number in (0, 3) else ("color-contrast",))]
    return wrong


def chart_labels(screen: Screen) -> list[str]:
    """Return what the charts of a page say of themselves."""
    charts = screen.page.get_by_test_id("stPlotlyChart")
    found: list[str] = charts.evaluate_all(LABELS)
    return found


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_page_fits_and_can_be_read_at_each_width_light_and_dark(window: Screen, view: View) -> None:
    assert faults(stand(window, view)) == []
    assert set(chart_labels(window)) <= {BARS, MAP}, "a chart without a text twin that is known here"


def test_the_bars_of_a_tool_have_the_same_figures_in_a_table_below(window: Screen) -> None:
    stand(window, PLAYGROUND)
    assert chart_labels(window) == [BARS]
    cells = window.page.get_by_role("region", name="The tool's figures in each pass").locator("tbody tr").first.locator("td")
    expect(cells.nth(2)).to_have_text(re.compile(r"#\d+ -?\.\d\d"))
    labels = window.page.locator(".js-plotly-plot .bartext").all_text_contents()
    assert cells.nth(2).text_content() in labels


def test_the_map_has_the_same_tools_in_a_table(window: Screen) -> None:
    stand(window, OVERLAP)
    assert chart_labels(window) == [MAP]
    window.page.get_by_role("tab", name="Map in words").click()
    window.settle()
    rows = window.page.get_by_role("region", name="Each tool's cluster, group and nearest tool: the map in words").locator("tbody tr")
    expect(rows.first).to_contain_text(re.compile(r"\w+"))


def test_the_open_tabs_name_has_a_colour_of_texts_on_a_dark_page(window: Screen) -> None:
    stand(window, OVERLAP)
    window.page.emulate_media(color_scheme="dark")
    window.page.wait_for_function(f"() => ({GROUND})() === '{GROUNDS['dark']}'")
    name = window.page.get_by_role("tab", name="Map", exact=True, selected=True).get_by_text("Map", exact=True)
    expect(name).to_have_css("color", "rgb(179, 188, 200)")  # axe leaves the name of a tab out, as a line lies over it
