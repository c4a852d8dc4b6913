"""curator.toml: which profile, model and settings a registry uses; it travels with the registry, so that figures agree between machines."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_core.authoring.people import EVERYBODY, ROLES
from curator_core.errors import NotWritable, Problem, RegistryError, SettingsError
from curator_core.files import journal
from curator_core.files.json_source import Decoded, JsonFault, decode
from curator_core.settings import PROFILE_NAMES, Settings, profile

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

CONFIG = "curator.toml"
_KEYS = ("profile", "model", "query_prefix", "settings", "store", "review", "people")


@dataclass(frozen=True, slots=True)
class StorePlace:
    """Where drafts and revisions are kept; all None = in the registry's folder.

    path: a database file, relative to the folder. url: a database server. id: what the registry is called in a shared database, for a
    folder that is reached under several paths.
    """

    path: str | None = None
    url: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """What a registry asks the engine to use.

    profile: the named set of settings. model: "auto", "bundled", a path or a hub id. query_prefix: None = the model's own.
    settings: the profile's, with the registry's own values over them. review_required: publishing takes a second person's approval.
    people: name -> roles, "*" for everybody else; empty = everybody is author and reviewer.
    """

    profile: str = "seed"
    model: str = "auto"
    query_prefix: str | None = None
    settings: Settings = field(default_factory=Settings)
    store: StorePlace = StorePlace()
    review_required: bool = False
    people: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


def load_config(folder: str | Path) -> Config:
    """Return what curator.toml says, defaults where it says nothing or is not there. Raises RegistryError with every problem."""
    path = Path(folder)
    _, text = _read(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RegistryError([Problem(CONFIG, str(error), "correct the TOML at this place")]) from None
    problems = [
        Problem(f"{CONFIG}, {key}", "there is no such key", f"choose one of: {', '.join(_KEYS)}") for key in document if key not in _KEYS
    ]
    name = document.get("profile", "seed")
    if name not in PROFILE_NAMES:
        problems.append(Problem(f"{CONFIG}, profile", f"found {name!r}", f"choose one of: {', '.join(PROFILE_NAMES)}"))
        name = "seed"
    for key, fix in (("model", 'write "auto", "bundled", a path or a hub id'), ("query_prefix", "write a text")):
        value = document.get(key, "-")
        if not isinstance(value, str) or (key == "model" and not value.strip()):
            problems.append(Problem(f"{CONFIG}, {key}", f"found {value!r}", fix))
    settings = _settings(profile(name), document.get("settings", {}), problems)
    store, required, people = _store(document, problems), _review(document, problems), _people(document, problems)
    if problems:
        raise RegistryError(problems)
    return Config(name, document.get("model", "auto"), document.get("query_prefix"), settings, store, required, people)


def save_config(folder: str | Path, config: Config) -> None:
    """Write curator.toml in one step; comments, order and values that stay the same are kept as they are written.

    Raises NotWritable, or RegistryError when the file that is there is not TOML.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with journal.saving(path):
            known, text = _read(path)
            new = _with_config(text, config)
            if new != text:
                journal.replace_files(path, {CONFIG: known.encode(new)})
    except OSError as error:
        raise NotWritable(journal.refusal(path, error, "nothing was saved")) from error


def settings_in(folder: str | Path) -> dict[str, Any]:
    """Return what curator.toml says of settings: the profile, and each value that is not the profile's; empty where it cannot be read."""
    try:
        return settings_values(load_config(folder).settings)
    except RegistryError:
        return {}


def settings_values(settings: Settings) -> dict[str, Any]:
    """Return settings as they stand in a registry: the profile, and each value that is not the profile's."""
    return {"profile": settings.profile, **settings.changed()}


def with_settings(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return settings with some values changed, as edits have them: None = as the profile has it. Raises SettingsError."""
    name = values.get("profile") or (settings.profile if "profile" not in values else Config().profile)
    kept = {setting: value for setting, value in settings.changed().items() if setting not in values}
    wanted = {setting: value for setting, value in values.items() if setting != "profile" and value is not None}
    return profile(name).with_values(kept | wanted)


def changed_config(folder: Path, before: Mapping[str, Any], after: Mapping[str, Any]) -> bytes | None:
    """Return curator.toml as it is on disk, with those settings changed that differ; None where none does.

    Raises SettingsError for what a setting cannot be, RegistryError where the file cannot be read.
    """
    changed = {name: after.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}
    if not changed:
        return None
    config, (known, text) = load_config(folder), _read(folder)
    settings = with_settings(config.settings, changed)
    return known.encode(_with_config(text, replace(config, profile=settings.profile, settings=settings)))


def written_config(folder: str | Path, config: Config) -> tuple[str, str]:
    """Return curator.toml as it is on disk and as `save_config` would write it; nothing is written. Raises RegistryError."""
    _, text = _read(Path(folder))
    return text, _with_config(text, config)


def _read(folder: Path) -> tuple[Decoded, str]:
    """Return the file as it is written and as text; an absent one is empty."""
    try:
        snapshot = journal.read_files(folder, (CONFIG,))[CONFIG] if folder.is_dir() else None
        known = decode(snapshot.data if snapshot else b"")
    except OSError as error:
        problem = Problem(str(folder / CONFIG), f"it cannot be read ({error.strerror})", "check the permissions")
        raise RegistryError([problem]) from error
    except JsonFault as fault:
        raise RegistryError([Problem(CONFIG, fault.found, fault.fix)]) from None
    return known, known.text


def _settings(base: Settings, values: object, problems: list[Problem]) -> Settings:
    """Return the settings with these values over them; each value that does not fit becomes a problem."""
    if not isinstance(values, Mapping):
        problems.append(Problem(f"{CONFIG}, settings", f"found {values!r}", "write a table: [settings] with one name = value a line"))
        return base
    for name, value in values.items():
        try:
            if name == "profile":
                raise SettingsError("a profile is chosen at the top of the file, not among the settings")
            base = base.with_values({name: value})
        except SettingsError as error:
            problems.append(Problem(f"{CONFIG}, settings.{name}", f"found {value!r}", str(error)))
    return base


def _table(document: Mapping[str, Any], name: str, example: str, problems: list[Problem]) -> Mapping[str, Any]:
    values = document.get(name, {})
    if isinstance(values, Mapping):
        return values
    problems.append(Problem(f"{CONFIG}, {name}", f"found {values!r}", f"write a table: [{name}] with {example}"))
    return {}


def _store(document: Mapping[str, Any], problems: list[Problem]) -> StorePlace:
    values = _table(document, "store", 'path = "a database file"', problems)
    for key, value in values.items():
        if key not in ("path", "url", "id") or not isinstance(value, str) or not value.strip():
            problems.append(Problem(f"{CONFIG}, store.{key}", f"found {value!r}", "write path, url or id, each with a text"))
    if "path" in values and "url" in values:
        problems.append(Problem(f"{CONFIG}, store", "there are both a path and a url", "keep one of them"))
    known = {key: value for key, value in values.items() if key in ("path", "url", "id") and isinstance(value, str)}
    return StorePlace(**known)


def _review(document: Mapping[str, Any], problems: list[Problem]) -> bool:
    values = _table(document, "review", "required = true", problems)
    for key, value in values.items():
        if key != "required" or not isinstance(value, bool):
            problems.append(Problem(f"{CONFIG}, review.{key}", f"found {value!r}", "write required = true or false"))
    return values.get("required") is True


def _people(document: Mapping[str, Any], problems: list[Problem]) -> dict[str, tuple[str, ...]]:
    people: dict[str, tuple[str, ...]] = {}
    for name, roles in _table(document, "people", 'one "name" = ["author"] a line', problems).items():
        if isinstance(roles, list) and all(role in ROLES for role in roles):
            people[name] = tuple(roles)
        else:
            fix = f"write a list of: {', '.join(ROLES)} (the name {EVERYBODY!r} is everybody else)"
            problems.append(Problem(f"{CONFIG}, people.{name}", f"found {roles!r}", fix))
    return people


def _with_config(text: str, config: Config) -> str:
    """Return the TOML text with this configuration in it."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise RegistryError([Problem(CONFIG, str(error), "correct the TOML at this place")]) from None
    default = Config()
    for key in ("profile", "model", "query_prefix"):
        _put(document, key, getattr(config, key), getattr(default, key))
    changed = config.settings.changed()
    if "settings" not in document and changed:
        document["settings"] = tomlkit.table()
    table = document.get("settings", {})
    for name in [name for name in table if name not in changed]:
        del table[name]
    for name, value in changed.items():
        if name not in table or table[name] != value:
            table[name] = value
    return tomlkit.dumps(document)


def _put(document: TOMLDocument, key: str, value: Any, default: Any) -> None:
    """Set a key that changes; one that is not there and has its default stays away."""
    if key in document and document[key] == value:
        return
    if value is None:
        document.pop(key, None)
    elif key in document or value != default:
        document[key] = value
