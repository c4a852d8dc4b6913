"""Saved runs: what `tool-curator eval --json` wrote, read back as the Evaluation that it was."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from curator_core.errors import CuratorError, RunError
from curator_core.evaluation import Evaluation
from curator_core.no_tool import NoToolLine
from curator_core.proof.losses import Loss
from curator_core.proof.margin import Margin
from curator_core.proof.query_result import QueryResult, Status, judge
from curator_core.settings import profile
from curator_core.tool import TestQuery

_HOW = "give a file that `tool-curator eval FOLDER --json` wrote"


class _Result(BaseModel):
    """One question of a run. Ranks and metrics are worked out again from the answer, so that they are this version's."""

    query: str
    status: Status
    expected: tuple[str, ...] | None = None
    forbidden: tuple[str, ...] = ()
    role: str | None = None
    tags: tuple[str, ...] = ()
    critical: bool = False
    note: str = ""
    reason: str = ""
    tools: tuple[str, ...] = ()
    given: int | None = None
    low_confidence: bool = False
    max_similarity: float | None = None
    margin: Margin | None = None
    losses: tuple[Loss, ...] = ()

    def result(self) -> QueryResult:
        case = TestQuery(self.query, self.expected, self.forbidden, self.role, self.tags, self.critical, self.note)
        if self.status == "invalid":
            return QueryResult(case, "invalid", self.reason)
        given = len(self.tools) if self.given is None else self.given
        return judge(case, self.tools, given, self.low_confidence, self.max_similarity, self.margin, self.losses)


class _Unread(BaseModel):
    query: str | None = None
    reason: str = ""


class _Run(BaseModel):
    registry: str
    profile: str
    model: str | None
    results: tuple[_Result, ...]
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)
    fingerprint: str = ""
    model_fingerprint: str = ""
    invalid: tuple[_Unread, ...] = ()
    no_tool_line: NoToolLine | None = None


def load_run(path: str | Path) -> Evaluation:
    """Return the evaluation that a file holds. Raises RunError."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RunError(f"{path}: it cannot be read ({error.strerror}); {_HOW}") from error
    return read_run(data, str(path))


def read_run(data: bytes | str, name: str) -> Evaluation:
    """Return the evaluation that a run's JSON holds; name: what to call it in a complaint. Raises RunError."""
    try:
        run = TypeAdapter(_Run).validate_json(data)
        settings = profile(run.profile).with_values(run.settings)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise RunError(f"{name} is no saved run ({where}: {first['msg']}); {_HOW}") from None
    except CuratorError as error:
        raise RunError(f"{name} was made with settings that this version does not have ({error})") from None
    results = tuple(one.result() for one in run.results)
    unread = tuple(one.reason for one in run.invalid if one.query is None)
    return Evaluation(run.registry, settings, run.model, run.fingerprint, results, unread, run.model_fingerprint, run.no_tool_line)


def refuse_unlike(baseline: Evaluation, now: Evaluation, name: str) -> None:
    """Raise RunError when a baseline is of another registry, or was made with another model; name: the baseline's."""
    if baseline.registry != now.registry:
        raise RunError(f"{name} is a run of registry {baseline.registry!r}, not of {now.registry!r}; {_HOW} on this registry")
    again = f"make it again, or choose the model that it was made with; {_HOW}"
    if baseline.model != now.model:
        raise RunError(f"{name} was made with {baseline.model or 'words only'}, this run with {now.model or 'words only'}: {again}")
    if baseline.model_fingerprint and now.model_fingerprint and baseline.model_fingerprint != now.model_fingerprint:
        raise RunError(f"{name} was made with other weights of {now.model}: {again}")
