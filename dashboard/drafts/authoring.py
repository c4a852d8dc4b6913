"""What an author does with a draft as a whole: undo, redo, discard, publish, hand over, take over what changed on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from curator_core import (
    SWITCHES,
    Choice,
    Config,
    CuratorError,
    Draft,
    Edit,
    EditConflict,
    Person,
    Published,
    Receipt,
    Settings,
    Store,
    catch_up,
    load_config,
    load_registry,
    publish,
    settings_values,
)
from curator_core import changed_files as files_changed_on_disk
from curator_core.authoring import drafts, review
from dashboard import session
from dashboard.drafts.draft import Overlay, settings_under
from dashboard.drafts.figures import receipt_soon
from dashboard.session import Outcome
from dashboard.tables import plural

SETTINGS_TURN = "engine_turn"  # counts up so that the fields of the settings start anew


def undo() -> None:
    """Take the last step back."""
    _step(drafts.undo)


def redo() -> None:
    """Do again what was taken back last."""
    _step(drafts.redo)


def discard() -> None:
    """Drop all edits; undo brings them back."""
    _step(drafts.discard)


def _step(act: Callable[[Store, Person], Draft]) -> None:
    session.heed_editors()

    def change() -> None:
        session.refresh()
        after = act(session.store(), session.person())
        session.put_overlay(Overlay(session.base(), after))
        session.renew_editors()

    session.attempt(change)


def publish_draft(reason: str, choices: Sequence[Choice] = ()) -> Outcome:
    """Write the draft into the folder as it is on disk now, as one revision, so that others' edits of other fields survive."""
    session.heed_editors()
    edits = session.overlay().pending
    try:
        published = publish(session.store(), session.person(), reason, choices=choices, receipt=_receipt(edits, reason, choices))
    except EditConflict as error:
        said = "These fields were changed by somebody else meanwhile. Nothing was published, and your texts are kept."
        return Outcome(False, said, error.conflicts)
    except CuratorError as error:
        return Outcome(False, str(error))
    _show_published(published)
    return Outcome(True, f"Published {plural(len(edits), 'edit')} as revision {published.revision.number}.")


def hand_over(note: str) -> Outcome:
    """Give the draft to somebody else to look at; it stays, and can be worked on."""
    session.heed_editors()
    try:
        review.submit(session.store(), session.person(), note, _receipt(session.overlay().pending, "handed over"))
    except CuratorError as error:
        return Outcome(False, str(error))
    return Outcome(True, "Handed over. Give the link of the review page to a colleague, or let them find it in the list there.")


def publish_submission(id: str, reason: str, choices: Sequence[Choice] = ()) -> Outcome:
    """Publish what was handed over, in its author's name."""
    try:
        receipt = _receipt(review.read(session.store(), id).edits, reason, choices)
        published = publish(session.store(), session.person(), reason, submission=id, choices=choices, receipt=receipt)
    except EditConflict as error:
        said = "These fields were changed since the draft was handed over. Nothing was published; choose which text to keep."
        return Outcome(False, said, error.conflicts, id, reason)
    except CuratorError as error:
        return Outcome(False, str(error))
    _show_published(published)
    return Outcome(True, f"Published as revision {published.revision.number}.")


def _receipt(edits: Sequence[Edit], reason: str, choices: Sequence[Choice] = ()) -> dict[str, Any] | None:
    """Return the figures before and after, as they are kept with what is handed over or published; None where that is refused anyway."""
    if not edits or not reason.strip():
        return None
    try:
        receipt = receipt_soon(edits)
    except CuratorError:  # what conflicts is said, and the choices decide what is published
        receipt = Receipt(missing="others changed the same fields, so these edits could not be measured as they are")
    if any(choice.keep == "theirs" for choice in choices):
        receipt = replace(receipt, note="measured with all edits; some gave way to another's text")
    elif files_changed():
        receipt = replace(receipt, note="measured before others' changes of other fields were joined in")
    return receipt.to_json()


def files_changed() -> tuple[str, ...]:
    """Return the names of the registry's files that changed on disk since they were loaded."""
    return tuple(files_changed_on_disk(session.base(), session.opened().folder))


def reload(choices: Sequence[Choice] = ()) -> Outcome:
    """Load the folder again and put the draft on it; where both changed a field, return the conflicts and leave all as it is."""
    session.heed_editors()
    try:
        fresh, config = load_registry(session.opened().folder, strict=False), load_config(session.opened().folder)
        catch_up(session.store(), fresh)
        if session.overlay().draft.steps or session.overlay().draft.redo:
            drafts.move(session.store(), session.person(), fresh, choices)
    except EditConflict as error:
        return Outcome(False, "These fields were changed here and on disk. Choose which text to keep.", error.conflicts)
    except CuratorError as error:
        return Outcome(False, str(error))
    session.put_config(config)
    session.show_on(fresh)
    session.renew_editors()
    return Outcome(True, "Reloaded from disk; your edits are kept." if session.edits() else "Reloaded from disk.")


def note_draft() -> None:
    """Say that what was typed is kept, as Ctrl+S in an editor does."""
    session.heed_editors()
    if session.notice_waits():  # the engine refused it
        return
    some = session.overlay().pending
    session.notify(Outcome(True, f"Kept in your draft: {plural(len(some), 'edit')}." if some else "Nothing is edited."))


def own_settings() -> Settings:
    """Return the registry's settings with those that the author's draft changes."""
    return settings_under(session.opened().config, session.edits())


def use_config(config: Config) -> None:
    """Take over what curator.toml says now; what is chosen on screen for a setting that changed gives way. Only in a callback."""
    _give_way(session.opened().config.settings, config.settings)
    session.put_config(config)
    session.show_on(replace(session.base(), settings=settings_values(config.settings)))
    session.put(SETTINGS_TURN, (session.value(SETTINGS_TURN) or 0) + 1)


def put_settings(new: Settings) -> bool:
    """Put settings into the draft as one step, to be published like any other edit. Only in a callback; return whether it was done."""
    registry, then = session.registry(), settings_values(new)
    names = [name for name in {**registry.settings, **then} if registry.settings.get(name) != then.get(name)]
    _give_way(own_settings(), new)
    return session.attempt(lambda: session.add(*(registry.edit(name, "settings", then.get(name)) for name in names), typed=False))


def _give_way(before: Settings, after: Settings) -> None:
    for name in ("profile", "top_k", *SWITCHES):
        if getattr(before, name) != getattr(after, name):
            session.forget("k" if name == "top_k" else name)


def _show_published(published: Published) -> None:
    session.show_on(published.registry)
    if any(edit.field == "settings" for edit in published.revision.edits):
        with suppress(CuratorError):
            use_config(load_config(session.opened().folder))
    session.renew_editors()


def may_write() -> bool:
    """Say whether the author may edit; the engine refuses it in any case."""
    return "author" in session.person().roles
