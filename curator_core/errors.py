"""Everything the engine can complain about, as one tree.

    CuratorError                 catch this to catch all of it
    ├── RegistryError            a registry cannot be used; `.problems` lists every reason
    ├── EditConflict             an edit's `old` is not what the registry holds; `.conflicts` lists both texts
    ├── RegistryChanged          files changed on disk since they were loaded; nothing was written
    ├── NotWritable              a folder or file cannot be written; nothing was written
    ├── SettingsError            a setting has an unknown name, a wrong type or a value out of range
    ├── ModelUnavailable         an embedding model is missing, damaged or cannot be used
    ├── UnknownName              a tool, role or pool member that does not exist; the message lists what does
    ├── StoreError               drafts and revisions cannot be kept or read; the registry's files are not concerned
    ├── Forbidden                a person without the role that an act takes; nothing was done
    ├── InvalidQuery             a query that is not text, or a top_k that is not a whole number
    └── RunError                 a saved evaluation that cannot be read, or compared with this one

Messages say where, what was found, what is allowed and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a registry.

    where: file, and line or tool ("tools.json, tool 14 \"get_fee\"").
    found: what stands there. fix: what to do about it.
    level: "error" means that this part is not used; "warning" means that it is used, but likely not as meant.
    tool: the key of the tool it is about, "" if it is about none.
    """

    where: str
    found: str
    fix: str
    level: Literal["error", "warning"] = "error"
    tool: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.found}; {self.fix}"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One edit that meets another text than the one it was made on.

    expected: the text the author saw; found: the text that is there now; wanted: the author's new text.
    """

    tool: str
    field: str
    expected: object
    found: object
    wanted: object

    def __str__(self) -> str:
        where = f"{self.tool or 'registry'}, {self.field}"
        return f"{where}: now {self.found!r}, but the edit was made on {self.expected!r} (wanted {self.wanted!r})"


class CuratorError(Exception):
    """Base of every error this package raises on purpose."""


class RegistryError(CuratorError):
    """A registry that cannot be used as it is; `problems` holds every reason at once."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class EditConflict(CuratorError):
    """Edits whose `old` value is no longer what the registry holds; nothing was applied."""

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__("\n".join(str(conflict) for conflict in self.conflicts))


class RegistryChanged(CuratorError):
    """Files of the registry changed on disk since they were loaded; nothing was written."""


class NotWritable(CuratorError):
    """A folder or file cannot be written; nothing was written."""


class SettingsError(CuratorError):
    """A setting has an unknown name, a wrong type or a value out of range."""


class ModelUnavailable(CuratorError):
    """An embedding model is missing, damaged or cannot be used."""


class UnknownName(CuratorError):
    """A tool, role or pool member that does not exist."""


class InvalidQuery(CuratorError):
    """A query that is not text, or a top_k that is not a whole number."""


class RunError(CuratorError):
    """A saved evaluation that cannot be read, or that is of another registry or model than the one it should be compared with."""


class StoreError(CuratorError):
    """The database of drafts and revisions cannot be read or written; nothing was written."""


class Forbidden(CuratorError):
    """A person lacks the role that an act takes, or a second person has to do it; nothing was done."""
