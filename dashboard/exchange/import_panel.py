"""Tools from files or the clipboard: what each would become stands here before anything changes, and goes into the draft as one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from curator_core import CLIENTS, RegistryError, near_to_others
from curator_core.exchange.import_plan import State
from dashboard import panels, session
from dashboard.compare.sides import Chosen
from dashboard.drafts.authoring import may_write
from dashboard.drafts.effect_panel import effect_between
from dashboard.editor import text_editor
from dashboard.exchange.import_rows import MARKED, SKIP, import_rows
from dashboard.exchange.import_table import (
    ACTS,
    STATES,
    Choices,
    Preview,
    collisions_text,
    counts,
    lint_of,
    near_frame,
    preview,
    source_names,
    take_text,
)
from dashboard.resources import workbench
from dashboard.tables import plural, problems_table, visible

PASTED = "pasted text"
_TYPES = ["json", "jsonl", "ndjson", "yaml", "yml", "csv", "tsv", "txt", "snap"]
_PASTE, _NUMBER = "import_pasted", "import_number"
_SHOWN, _LISTED, _ROW = 2000, 200, 28
Sources = tuple[tuple[str, bytes], ...]


def import_panel() -> None:
    """Show the ways in, and what would become of the registry."""
    if not may_write():
        panels.note("You may look at this registry; to import tools takes the role author.")
        return
    left, right = st.columns((2, 5), gap="large")
    with left:
        sources = _bring_in()
    with right:
        if any(content.strip() for _, content in sources):
            _preview(sources)
        else:
            panels.note("What would be new, change or go stands here before anything changes.")


def _bring_in() -> Sources:
    """Let the author give files, a folder, or paste; return name and content of each."""
    st.markdown("**Bring in tools**", help=_HELP)
    number = session.value(_NUMBER) or 0
    folder = st.toggle("A whole folder", key="import_folder", help="Each file of a folder is a list, or a server, of its own.")
    files = st.file_uploader(
        "A folder" if folder else "Files",
        _TYPES,
        accept_multiple_files="directory" if folder else True,
        key=f"import_files_{number}_{folder}",
        help="Several pages of one list, or several servers, can be given together.",
    )
    text_editor(
        "Or paste",
        str(session.value(_PASTE) or ""),
        key="import_paste",
        version=number,
        on_commit=lambda text: session.put(_PASTE, text),
        rows=6,
        placeholder='{"tools": [{"name": "…", "description": "…", "inputSchema": {…}}]}',
        help="It is read as soon as you stop typing; nothing changes before you take it over.",
    )
    if files:
        return tuple((file.name.split("/", 1)[-1], file.getvalue()) for file in files)
    return ((PASTED, str(session.value(_PASTE) or "").encode("utf-8", "surrogatepass")),)


def _preview(sources: Sources) -> None:
    """Show what was recognised and what it would do, and the button that does it."""
    try:
        found = preview(session.registry(), sources, _choices())
    except RegistryError as error:
        _refused(sources, error)
        return
    registry = found.imported.registry
    names = visible(source_names(dict(sources)))
    synonyms = f", {plural(len(registry.synonyms), 'synonym term')}" if registry.synonyms else ""
    st.text(f"{names}: {visible(found.imported.shape)}, {plural(len(registry.tools), 'tool')}{synonyms}")
    _badges(found)
    if found.plan.remark:
        st.text(visible(found.plan.remark))
    _choose(found)
    st.button(
        take_text(found),
        key="import_take",
        type="primary",
        icon=":material/download_done:",
        disabled=not found.plan.edits,
        on_click=_taken(found),
        help="Into your draft, as one step that “Undo last” takes back. Nothing is written before you publish.",
    )
    import_rows(found)
    _warnings(found)
    if found.plan.edits:
        _effect(found)


def _refused(sources: Sources, error: RegistryError) -> None:
    panels.message("This holds no tools that can be used", f"{source_names(dict(sources))}. Your registry is as it was.")
    _problem_table(error.problems, "import_refused", "Why nothing can be used")


def _badges(found: Preview) -> None:
    colours: dict[State, panels.Colour] = {"new": "green", "changed": "violet", "both": "orange", "gone": "orange"}
    errors = sum(problem.level == "error" for problem in found.imported.problems)
    with st.container(horizontal=True, gap="small"):
        for state, number in counts(found.plan).items():
            st.badge(f"{number:,} {STATES[state]}", color=colours.get(state, "grey") if number else "grey", help=_STATE_HELP[state])
        st.badge(
            f"{errors:,} unusable", color="red" if errors else "grey", help="Entries that cannot be read; listed below with the reason."
        )


def _choose(found: Preview) -> None:
    """Let the author decide for whole kinds; single tools are left out in the list."""
    numbers = counts(found.plan)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.pills(
            "Carry out",
            ACTS,
            selection_mode="multi",
            default=ACTS,
            key="import_acts",
            format_func=lambda state: panels.pill(f"{STATES[state]} {numbers[state]:,}"),
            help="Tools that are gone upstream are taken out, and their extra context waits, unresolved, for them to come back.",
        )
        st.text_input("Server of tools that name none", key="import_group", width=210, placeholder="none", help=_GROUP_HELP)
        st.text_input("The source is called", key="import_origin", width=190, placeholder="as its file", help=_ORIGIN_HELP)
        if numbers["both"] or session.value("import_theirs"):
            st.toggle("Where both changed, take the source's text", key="import_theirs")


def _choices() -> Choices:
    acts = session.value("import_acts")
    group, origin = (str(session.value(name) or "").strip() for name in ("import_group", "import_origin"))
    skip = frozenset(session.value(SKIP) or ())
    return Choices(group, origin, frozenset(ACTS if acts is None else acts), bool(session.value("import_theirs")), skip)


def _warnings(found: Preview) -> None:
    """List what is not used, equal names, near-duplicates, and what the checks of texts find."""
    said_below = [problem for problem in found.imported.problems if "the name stands" in problem.found and found.plan.collisions]
    problems = sorted((problem for problem in found.imported.problems if problem not in said_below), key=lambda problem: problem.level)
    if problems:
        st.markdown("**Entries with a remark**")
        _problem_table(problems, "import_problems", "Entries that are not used, or likely not meant so")
    if said := collisions_text(found):
        panels.message("Equal names", said)
    _near(found)
    lint = lint_of(found.imported, session.value("import_client") or "usual")
    with st.expander(f"Checks of the texts: {plural(len(lint), 'remark')}", icon=":material/rule:", key="import_lint"):
        st.selectbox(
            "Limits of", list(CLIENTS), key="import_client", format_func=lambda one: CLIENTS[one].title, width=300, help=_CLIENT_HELP
        )
        if lint:
            _problem_table(lint, "import_lint_table", "Hidden text, limits of clients, shared openings")


def _problem_table(problems: Sequence[Any], key: str, alt: str) -> None:
    st.dataframe(
        problems_table(problems[:_SHOWN]), hide_index=True, key=key, row_height=_ROW, height=min(240, _ROW * len(problems) + 38), alt=alt
    )


def _near(found: Preview) -> None:
    snapshot = workbench().open(found.after, session.model(), previous=session.saved_snapshot())
    if not snapshot.wait(1.0):
        panels.note("The model is reading the new texts; near-duplicates and the effect come then.")
        return
    keys = [row.key for row in found.plan.rows if row.state in ("new", "changed")]
    near = near_to_others(snapshot.index, keys, session.settings())
    if near:
        st.markdown("**Near-duplicates**", help="New or changed tools that read nearly like another: agents mix them up.")
        st.dataframe(
            near_frame(near[:_LISTED]),
            hide_index=True,
            key="import_near",
            row_height=_ROW,
            height=min(240, _ROW * len(near) + 38),
            alt="Tools that are near to another",
        )


def _effect(found: Preview) -> None:
    if not session.registry().test_queries:
        return
    st.markdown("**Effect on the test queries**", help="As the registry stands now, with your draft, against it with this import.")
    settings = session.settings()
    effect_between(Chosen("now", session.registry(), settings), Chosen("with the import", found.after, settings))


def _taken(found: Preview) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(*found.plan.edits)):
            for name in (SKIP, MARKED):
                session.put(name, ())
            session.renew_editors()
            said = take_text(found).removeprefix("Into the draft: ")
            session.notify(session.Outcome(True, f"{said}: in your draft, as one step."))

    return act


_HELP = (
    "MCP tools/list answers, tools for OpenAI, Anthropic, Gemini, Bedrock and LangChain, OpenAPI 2 to 3.1, tables, JSON Lines, "
    "{name: description}, data of Python programs, registries of gateways, and synonyms of Solr and Elasticsearch. What it was recognised "
    "as is named; what is no list of tools is refused with the reason. A live MCP server is asked on the command line only: "
    "tool-curator import --stdio COMMAND --to FOLDER."
)
_CLIENT_HELP = "How long a name with its server's prefix, and a description, may be differs from client to client."
_GROUP_HELP = "Tools of one server belong together; equal names of several servers are told apart by it."
_ORIGIN_HELP = "Tools remember the source they came from. Give a later file of the same source the same name, and it is brought up to date."
_STATE_HELP: dict[State, str] = {
    "new": "Not in the registry yet.",
    "changed": "The source says something else than when it was imported last. Extra context stays.",
    "both": "Changed in the source and here: the text here stays unless you take the source's.",
    "gone": "The source had it and has it no more. It is taken out; its extra context waits, unresolved.",
    "same": "Nothing to do.",
}
