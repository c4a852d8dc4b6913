"""Roles are given in curator.toml and hold in the core: a viewer cannot write by any route."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_core import (
    Config,
    CuratorError,
    Forbidden,
    LoggedQuestion,
    Person,
    RegistryError,
    Store,
    drafts,
    forget_logged,
    history,
    keep_logged,
    load_config,
    load_registry,
    notes,
    publish,
    review,
    save_settings,
)
from curator_core import save_config as save_config_
from curator_core.people import person_of
from tests.core.authoring import ASHA, BEN, VIEWER, on_disk

WRITES: dict[str, Callable[[Store, Person], object]] = {
    "add": lambda store, person: drafts.add(store, person, [load_registry(store.folder).edit("pay", "description", "x")]),
    "undo": drafts.undo,
    "redo": drafts.redo,
    "discard": drafts.discard,
    "move": lambda store, person: drafts.move(store, person, load_registry(store.folder)),
    "publish": lambda store, person: publish(store, person, "why"),
    "publish edits": lambda store, person: publish(store, person, "why", [load_registry(store.folder).edit("pay", "description", "x")]),
    "submit": review.submit,
    "approve": lambda store, person: review.approve(store, person, review.waiting(store)[0].id),
    "send back": lambda store, person: review.send_back(store, person, review.waiting(store)[0].id, "no"),
    "withdraw": lambda store, person: review.withdraw(store, person, review.waiting(store)[0].id),
    "publish another's": lambda store, person: publish(store, person, "why", submission=review.waiting(store)[0].id),
    "note": lambda store, person: notes.write_note(store, person, "pay", "x"),
    "scratch": lambda store, person: notes.write_scratch(store, person, "x"),
    "keep logged": lambda store, person: keep_logged(store, person, "monday", [LoggedQuestion("fees", 1)]),
    "forget logged": lambda store, person: forget_logged(store, person, "x"),
    "compact": history.compact,
    "settings": lambda store, person: save_settings(store, person, Config(profile="seed", model="bundled")),
}


@pytest.mark.parametrize("way", WRITES)
def test_a_viewer_cannot_write_by_any_route(way: str, store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "Asha's")])
    review.submit(store, ASHA)
    before = history.latest(store)
    with pytest.raises(Forbidden, match=r"Vera is viewer here; .* takes the role (author|reviewer)"):
        WRITES[way](store, VIEWER)
    assert (history.latest(store), review.waiting(store)[0].state, drafts.read(store, VIEWER).steps) == (before, "waiting", ())
    assert on_disk(store.folder, "pay") == "Pay fees."


def test_a_viewer_can_look_at_everything(store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    handed = review.submit(store, ASHA, "please look")
    assert review.read(store, handed.id).note == "please look"
    assert (history.page(store)[0].kind, drafts.read(store, VIEWER).edits) == ("first", ())


@pytest.mark.parametrize("act", ["approve", "send back", "publish another's", "compact"])
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


@pytest.mark.parametrize("way", WRITES)
def test_roles_are_those_of_the_configuration_whatever_a_caller_says(way: str, store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "Asha's")])
    review.submit(store, ASHA)
    (store.folder / "curator.toml").write_text('[people]\nvera = ["viewer"]\n')
    with pytest.raises(Forbidden, match="Vera is viewer here"):
        WRITES[way](store, Person("Vera"))
    assert drafts.read(store, VIEWER).steps == ()


def test_a_draft_is_kept_even_while_the_rules_cannot_be_read(store: Store) -> None:
    (store.folder / "curator.toml").write_text("[review\n")
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "x")])
    assert drafts.read(store, ASHA).edits[0].new == "x"
    with pytest.raises(Forbidden):
        drafts.discard(store, VIEWER)
    with pytest.raises(RegistryError):
        review.submit(store, ASHA)
