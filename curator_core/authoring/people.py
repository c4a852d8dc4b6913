"""Who may do what: viewers look, authors write drafts and publish, reviewers decide on what was handed over.

Who somebody is (a login, a proxy's header, a "working as" name) is the caller's business; what they may do is decided here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from curator_core.errors import CuratorError, Forbidden

ROLES = ("viewer", "author", "reviewer")
EVERYBODY = "*"
BY_DEFAULT = ("author", "reviewer")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who works on a registry. roles: of viewer, author and reviewer; everybody may look."""

    name: str
    roles: tuple[str, ...] = BY_DEFAULT

    def __post_init__(self) -> None:
        name = unicodedata.normalize("NFC", self.name).strip()
        if not name or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
            raise CuratorError(f"a person's name is {self.name!r}; write a name of visible letters")
        if unknown := [role for role in self.roles if role not in ROLES]:
            raise CuratorError(f"person {name!r}: there is no role {unknown[0]!r}; choose from: {', '.join(ROLES)}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "roles", tuple(self.roles))

    def is_same(self, name: str) -> bool:
        """Tell whether a name means this person; upper and lower case are no second person."""
        return self.name.casefold() == unicodedata.normalize("NFC", name).strip().casefold()


def person_of(name: str, people: Mapping[str, tuple[str, ...]]) -> Person:
    """Return the person with the roles that the configuration gives: by name, else those of "*", else author and reviewer."""
    found = Person(name)
    roles = next((roles for known, roles in people.items() if found.is_same(known)), people.get(EVERYBODY, BY_DEFAULT))
    return Person(found.name, roles)


def require(person: Person, role: str, act: str) -> None:
    """Raise Forbidden unless the person has the role."""
    if role not in person.roles:
        has = " and ".join(person.roles) or "viewer"
        raise Forbidden(f"{person.name} is {has} here; to {act} takes the role {role}. Roles are given in curator.toml, [people]")
