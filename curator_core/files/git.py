"""Whether a registry's folder is in git, on which branch, and what of it is not committed. Looks only; commits nothing."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

SECONDS = 5.0
_FIELDS_BEFORE_PATH = {"1": 8, "2": 9, "u": 10}  # of a line of `git status --porcelain=v2`


@dataclass(frozen=True, slots=True)
class GitState:
    """branch: its name, "" where none is checked out. uncommitted: changed or new files of the folder, from the repository's top."""

    branch: str
    uncommitted: tuple[str, ...]


def git_state(folder: str | Path) -> GitState | None:
    """Return the state of a folder in git; None when it is in none, git is not installed, or does not answer in time."""
    # Programs that the repository's own configuration names are not started, and its index is not touched.
    command = ["git", "-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "-z", "--", "."]
    try:
        answer = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=SECONDS, check=False, env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return _read(answer.stdout.decode("utf-8", "surrogateescape")) if answer.returncode == 0 else None


def _read(status: str) -> GitState:
    branch, paths = "", []
    lines = iter(status.split("\0"))
    for line in lines:
        kind = line[:1]
        if line.startswith("# branch.head "):
            branch = line.removeprefix("# branch.head ")
        elif kind == "?":
            paths.append(line[2:])
        elif kind in _FIELDS_BEFORE_PATH:
            paths.append(line.split(" ", _FIELDS_BEFORE_PATH[kind])[-1])
            if kind == "2":  # a rename says its old path too
                next(lines, None)
    return GitState("" if branch == "(detached)" else branch, tuple(paths))
