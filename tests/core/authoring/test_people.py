"""Roles are given in curator.toml and hold in the core: a viewer cannot write by any route."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

import curator_core
from curator_core import (
    Config,
    CuratorError,
    Edit,
    Forbidden,
    LoggedQuestion,
    Person,
    RegistryError,
    Store,
    bring_back,
    dismiss_clash,
    forget_logged,
    keep_logged,
    load_config,
    load_registry,
    publish,
    save_settings,
)
from curator_core import save_config as save_config_
from curator_core.authoring import drafts, history, notes, restoring, review
from curator_core.authoring.people import person_of
from curator_core.authoring.store_tables import metadata
from curator_core.cli import compact_history
from curator_core.commands.import_command import import_command
from tests.core.authors import ASHA, BEN, VIEWER, on_disk
from tests.core.writers import writing_functions

WRITES: dict[str, Callable[[Store, Person], object]] = {
    "drafts.add": lambda store, person: drafts.add(store, person, [load_registry(store.folder).edit("pay", "description", "x")]),
    "drafts.undo": drafts.undo,
    "drafts.redo": drafts.redo,
    "drafts.discard": drafts.discard,
    "drafts.move": lambda store, person: drafts.move(store, person, load_registry(store.folder)),
    "publishing.publish": lambda store, person: publish(store, person, "why"),
    "publishing.publish, edits": lambda store, person: publish(store, person, "why", restored(store)),
    "publishing.publish, another's": lambda store, person: publish(store, person, "why", submission=review.waiting(store)[0].id),
    "publishing.save_settings": lambda store, person: save_settings(store, person, Config(profile="seed", model="bundled")),
    "review.submit": review.submit,
    "review.approve": lambda store, person: review.approve(store, person, review.waiting(store)[0].id),
    "review.send_back": lambda store, person: review.send_back(store, person, review.waiting(store)[0].id, "no"),
    "review.withdraw": lambda store, person: review.withdraw(store, person, review.waiting(store)[0].id),
    "notes.write_note": lambda store, person: notes.write_note(store, person, "pay", "x"),
    "notes.write_scratch": lambda store, person: notes.write_scratch(store, person, "x"),
    "dismissals.dismiss_clash": lambda store, person: dismiss_clash(store, person, ("pay", "show", "1", "2"), "x"),
    "dismissals.bring_back": lambda store, person: bring_back(store, person, ("pay", "show", "1", "2")),
    "logged_store.keep_logged": lambda store, person: keep_logged(store, person, "monday", [LoggedQuestion("fees", 1)]),
    "logged_store.forget_logged": lambda store, person: forget_logged(store, person, "x"),
    "history.compact": history.compact,
}
COMMANDS: dict[str, Callable[[Store, Person], object]] = {
    "import_command.import_command": lambda store, person: import_command(store.folder, [tools_file(store)], name=person.name),
    "import_command.import_command, a new one": lambda store, person: import_command(new(store), [tools_file(store)], name=person.name),
    "cli.compact_history": lambda store, person: compact_history(store.folder, 1, person.name),
}
FOR_NOBODY = {
    "folder.save_registry",  # whoever may write the files may: the workbench makes new registries with it, and nothing else
    "config.save_config",  # the same
    "journal.replace_files",
    "history.notice",  # the history follows the files, whoever changed them
    "history.notice_outside",
    "publishing.catch_up",
    "publishing.settle",  # what somebody was publishing when the process died
    "store.open_store",
}


def restored(store: Store) -> tuple[Edit, ...]:
    """Return what brings an earlier state back, as the history's pages do."""
    now = load_registry(store.folder).with_edits([load_registry(store.folder).edit("pay", "description", "now")])
    return restoring.edits_to_restore(store, now, 1)


def tools_file(store: Store) -> str:
    file = store.folder.parent / "more.json"
    file.write_text('[{"name": "more", "description": "One more tool"}]', encoding="utf-8")
    return str(file)


def new(store: Store) -> Path:
    folder = store.folder.parent / "new"
    folder.mkdir(exist_ok=True)
    (folder / "curator.toml").write_text((store.folder / "curator.toml").read_text())
    return folder


def everything(store: Store) -> dict[str, object]:
    """Return all that a person could have changed: each file's bytes, and of each table the registry's rows and how many there are."""
    files = {path.name: path.read_bytes() for path in store.folder.glob("*.*") if path.is_file()}
    with store.reading() as connection:
        rows: dict[str, object] = {}
        for table in metadata.sorted_tables:
            ours = table.select().where(table.c.registry == store.registry)
            rows[table.name] = sorted(map(repr, connection.execute(ours))), connection.scalar(select(func.count()).select_from(table))
        return files | rows


def test_every_function_that_writes_is_tried_by_a_viewer_or_is_for_nobody_in_particular() -> None:
    assert writing_functions() == {way.partition(",")[0] for way in WRITES | COMMANDS} | FOR_NOBODY


def test_the_workbench_writes_files_past_the_roles_only_to_make_a_new_registry() -> None:
    home = Path(curator_core.__file__).parents[1] / "dashboard"
    past = re.compile(r"\b(save_registry|save_config|replace_files)\(")
    assert {file.name for file in home.rglob("*.py") if past.search(file.read_text())} == {"start.py"}


@pytest.mark.parametrize("way", WRITES)
def test_a_viewer_cannot_write_by_any_route(way: str, store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "Asha's")])
    review.submit(store, ASHA)
    before = everything(store)
    with pytest.raises(Forbidden, match=r"Vera is viewer here; .* takes the role (author|reviewer)"):
        WRITES[way](store, VIEWER)
    assert everything(store) == before
    assert on_disk(store.folder, "pay") == "Pay fees."


def test_a_viewer_can_look_at_everything(store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    handed = review.submit(store, ASHA, "please look")
    assert review.read(store, handed.id).note == "please look"
    assert (history.page(store)[0].kind, drafts.read(store, VIEWER).edits) == ("first", ())


@pytest.mark.parametrize("act", ["review.approve", "review.send_back", "publishing.publish, another's", "history.compact"])
def test_deciding_takes_a_reviewer(act: str, store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    review.submit(store, ASHA)
    with pytest.raises(Forbidden, match="takes the role reviewer"):
        WRITES[act](store, Person("Ben", ("author",)))


def test_everybody_is_author_and_reviewer_until_the_configuration_says_otherwise(store: Store) -> None:
    assert store.person(" Asha ") == Person("Asha", ("author", "reviewer"))
    (store.folder / "curator.toml").write_text('[people]\n"asha" = ["author"]\n"*" = ["viewer"]\n')
    assert (store.person("Asha").roles, store.person("Ben").roles) == (("author",), ("viewer",))


def test_upper_and_lower_case_are_no_second_person() -> None:
    assert person_of("ASHA", {"asha": ("author",)}).roles == ("author",)
    assert ASHA.is_same("asha") and not ASHA.is_same(BEN.name)


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a\nb"])
def test_a_name_has_to_be_one_that_can_be_read(name: str) -> None:
    with pytest.raises(CuratorError, match="visible letters"):
        Person(name)


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(CuratorError, match="no role 'boss'; choose from: viewer, author, reviewer"):
        Person("Asha", ("boss",))


@pytest.mark.parametrize(
    ("toml", "where"),
    [
        ('[people]\nasha = "author"', "people.asha"),
        ('[people]\nasha = ["boss"]', "people.asha"),
        ("people = 3", "people"),
        ("[review]\nrequired = 1", "review.required"),
        ("[review]\nneeded = true", "review.needed"),
        ("[store]\npath = 3", "store.path"),
        ('[store]\npath = "a"\nurl = "b"', "store"),
        ('[store]\nplace = "a"', "store.place"),
    ],
)
def test_what_is_wrong_in_the_configuration_is_said_with_its_place(toml: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "curator.toml").write_text(toml)
    with pytest.raises(RegistryError) as caught:
        load_config(tmp_path)
    assert {problem.where for problem in caught.value.problems} == {f"curator.toml, {where}"}


def test_saving_settings_keeps_store_review_and_people_as_they_are_written(tmp_path: Path) -> None:
    text = '# ours\n[store]\npath = "../drafts.sqlite"  # on the big disk\n\n[review]\nrequired = true\n\n[people]\n"*" = ["viewer"]\n'
    (tmp_path / "curator.toml").write_text(text)
    config = load_config(tmp_path)
    assert (config.store.path, config.review_required, config.people) == ("../drafts.sqlite", True, {"*": ("viewer",)})
    save_config_(tmp_path, config)
    assert (tmp_path / "curator.toml").read_text() == text


def test_broken_rules_are_no_leave_to_write(store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    (store.folder / "curator.toml").write_text("[review\n")
    with pytest.raises(RegistryError):
        publish(store, ASHA, "why")
    assert on_disk(store.folder, "pay") == "Pay fees."


@pytest.mark.parametrize("way", WRITES | COMMANDS)
def test_roles_are_those_of_the_configuration_whatever_a_caller_says(way: str, store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "Asha's")])
    review.submit(store, ASHA)
    (store.folder / "curator.toml").write_text('[people]\nvera = ["viewer"]\n')
    before = everything(store)
    with pytest.raises(Forbidden, match="Vera is viewer here"):
        (WRITES | COMMANDS)[way](store, Person("Vera"))
    assert everything(store) == before and not (store.folder.parent / "new" / "tools.json").exists()


def test_a_draft_is_kept_even_while_the_rules_cannot_be_read(store: Store) -> None:
    (store.folder / "curator.toml").write_text("[review\n")
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    assert drafts.read(store, ASHA).edits[0].new == "x"
    with pytest.raises(Forbidden):
        drafts.discard(store, VIEWER)
    with pytest.raises(RegistryError):
        review.submit(store, ASHA)
