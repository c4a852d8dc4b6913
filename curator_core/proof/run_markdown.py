"""Evaluations and comparisons as Markdown: the same text for the same figures, with LF line ends.

Questions and names of tools stand in code spans, so that nothing in them becomes a link, a mention or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator_core.compare import Comparison, Group
from curator_core.evaluation import Evaluation
from curator_core.proof.gate import Check
from curator_core.proof.paired import ENOUGH, TOO_FEW, MetricChange, too_few
from curator_core.proof.query_changes import QueryChange, Verdict
from curator_core.proof.query_result import QueryResult
from curator_core.text import plural, visible

_LISTED = 100  # questions a list shows before it only counts on
_TITLES: dict[Verdict, str] = {"broke": "Broke", "fixed": "Fixed", "still failing": "Still failing", "unknown": "Nobody can say"}


def evaluation_markdown(evaluation: Evaluation, comparison: Comparison | None = None, checks: Sequence[Check] = ()) -> str:
    """Return a run as Markdown: checks, figures by tag and role, what failed and why, and what became of it since the baseline."""
    lines = [f"# Test queries of {code(evaluation.registry)}", "", _about(evaluation), ""]
    lines += _checks(checks)
    tune, held_out = evaluation.apart
    if held_out.results:
        lines += [*_figures(tune, "to tune on"), *_figures(held_out, "held out")]
    else:
        lines += _figures(evaluation, "all judged")
    lines += _failing(evaluation)
    lines += _not_counted(evaluation)
    if comparison is not None:
        lines += comparison_markdown(comparison).splitlines()
    return "\n".join(lines).rstrip("\n") + "\n"


def comparison_markdown(comparison: Comparison) -> str:
    """Return the receipt of a comparison as Markdown."""
    before, after = comparison.before, comparison.after
    lines = [f"# {code(before.name)} → {code(after.name)}", "", comparison.headline, ""]
    for side in (before, after):
        changed = ", ".join(f"{name} = {value}" for name, value in sorted(side.settings.items()))
        what = f"{plural(side.queries, 'query')}, {side.judged} judged; profile {side.profile}{f' ({changed})' if changed else ''}"
        lines.append(f"- {code(side.name)}: {what}; {side.model or 'words only'}; index {side.fingerprint[:12]}")
    lines += ["", *_changes("Figures", comparison.metrics), *_changes("Held out", comparison.held_out)]
    roles = comparison.by_role if any(group.name for group in comparison.by_role) else ()
    lines += [*_groups("By tag", comparison.by_tag), *_groups("By role", roles)]
    no_tool, unjudged = comparison.no_tool, comparison.unjudged
    if no_tool["queries"]:
        flagged = f"{no_tool['before']} → {no_tool['after']} of {no_tool['queries']} questions flagged as unsure{_few(no_tool)}"
        lines += [f"No tool applies: {flagged}", ""]
    if unjudged["queries"]:
        alike = f"rank-biased overlap {unjudged['overlap']:.3f}, Jaccard {unjudged['jaccard']:.3f} in the mean"
        lines += [f"{unjudged['queries']} questions that nobody judged: {alike}", ""]
    for verdict, title in _TITLES.items():
        lines += _listed(title, [_changed(change) for change in comparison.shown if change.verdict == verdict])
    lines += _held_out_changes(comparison)
    counts = comparison.counts
    lines.append(f"Moved, and right on both sides: {counts['moved']}. As before: {counts['still right']}.")
    return "\n".join(lines) + "\n"


def _held_out_changes(comparison: Comparison) -> list[str]:
    counts = comparison.held_out_counts
    if not any(counts.values()):
        return []
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("fixed", "broke", "still failing"))
    return [f"Held out, never listed: {said} of {sum(counts.values())}.", ""]


def _few(no_tool: Mapping[str, float | int | None]) -> str:
    few = too_few(int(no_tool["queries"] or 0))
    return f"; {few}" if few else ""


def code(text: str) -> str:
    """Return a text as a code span that shows it as it is, on one line."""
    line = " ".join(visible(text).split())
    ticks = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    pad = " " if not line or line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")


def _about(evaluation: Evaluation) -> str:
    changed = ", ".join(f"{name} = {value}" for name, value in sorted(evaluation.settings.changed().items()))
    settings = f"profile {evaluation.settings.profile}{f' ({changed})' if changed else ''}"
    return f"{settings} · {evaluation.model or 'words only'} · index {evaluation.fingerprint[:12]}"


def _checks(checks: Iterable[Check]) -> list[str]:
    rows = [f"| {_cell(check.name)} | {'passed' if check.passed else '**failed**'} | {_cell(check.found)} |" for check in checks]
    return ["| check | | found |", "|---|---|---|", *rows, ""] if rows else []


def _figures(evaluation: Evaluation, title: str) -> Iterator[str]:
    names = [name for name, value in evaluation.metrics.items() if value is not None]
    if names:
        yield from (f"| {' | '.join(('queries', 'n', *names))} | remark |", f"|---|{'---:|' * (len(names) + 1)}---|")
        rows = [(title, len(evaluation.having("judged")), evaluation.metrics)]
        groups = [*(("tag", *group) for group in evaluation.by_tag.items()), *(("role", *group) for group in evaluation.by_role.items())]
        rows += [(f"{kind} {_cell(name)}" if name else "no role", int(means["queries"] or 0), means) for kind, name, means in groups]
        for name, count, means in rows if any(evaluation.by_role) else [row for row in rows if row[0] != "no role"]:
            yield f"| {name} | {count} | {' | '.join(f'{means[metric]:.3f}' for metric in names)} | {'' if count >= ENOUGH else TOO_FEW} |"
        yield ""
    no_tool = evaluation.no_tool
    if no_tool["queries"]:
        yield from (
            f"No tool applies ({title}): {no_tool['flagged']} of {no_tool['queries']} questions flagged as unsure{_few(no_tool)}",
            "",
        )


def _failing(evaluation: Evaluation) -> list[str]:
    shown, held_out = ([result for result in part.results if result.right is False] for part in evaluation.apart)
    apart = [f"Held out, never listed: {len(held_out)} not right.", ""] if held_out else []
    return [*_listed("Not right", [f"{_asked(result)}: {_why(result)}" for result in shown]), *apart]


def _why(result: QueryResult) -> str:
    return "; ".join(visible(loss.sentence).replace("`", "'").replace("<", "‹") for loss in result.losses) or "not right"


def _not_counted(evaluation: Evaluation) -> list[str]:
    skipped = [
        f"{_asked(result)}: {code(result.reason)}" for result in evaluation.apart[0].results if result.status in ("unjudged", "invalid")
    ]
    return _listed("Not counted", [*skipped, *map(code, evaluation.unread)])


def _asked(result: QueryResult) -> str:
    role = f" as {code(result.case.role)}" if result.case.role else ""
    return f"{code(result.case.query)}{role}{' (critical)' if result.case.critical else ''}"


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    more = [f"- … and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
    return [f"## {title} ({len(lines)})", "", *(f"- {line}" for line in lines[:_LISTED]), *more, ""]


def _changes(title: str, metrics: Sequence[MetricChange]) -> list[str]:
    if not metrics:
        return []
    rows = []
    for one in metrics:
        interval = f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}" if one.interval else "–"
        difference = f"{one.difference:+.3f}" if one.queries >= ENOUGH else TOO_FEW
        figures = f"{one.before:.3f} | {one.after:.3f} | {difference} | {interval}"
        rows.append(f"| {one.name} | {figures} | {one.wins} | {one.losses} | {one.ties} | {one.queries} |")
    head = "| figure | before | after | difference | 95 % interval | better | worse | same | n |"
    return [f"## {title}", "", head, f"|---|{'---:|' * 8}", *rows, ""]


def _groups(title: str, groups: Sequence[Group]) -> list[str]:
    rows = []
    for group in groups:
        found = next((one for one in group.metrics if one.name == "recall@5"), None)
        if found is not None:
            name = _cell(group.name) if group.name else "none"
            figures = f"{found.before:.3f} | {found.after:.3f} | {group.fixed} | {group.broke} | {group.queries}"
            rows.append(f"| {name} | {figures} | {'' if group.queries >= ENOUGH else TOO_FEW} |")
    head = "| | recall@5 before | after | fixed | broke | n | remark |"
    return [f"## {title}", "", head, f"|---|{'---:|' * 5}---|", *rows, ""] if rows else []


def _changed(change: QueryChange) -> str:
    result = change.after or change.before
    asked = _asked(result) if result else code(change.case.query)
    if change.verdict == "unknown":
        return f"{asked}: {code(change.note)}"
    ranks = f"rank {_rank(change.rank_before)} → {_rank(change.rank_after)}" if change.case.expected else ""
    pushed = [
        f"{said} the first 5: {', '.join(map(code, tools))}"
        for said, tools in (("came into", change.entered), ("fell out of", change.left))
        if tools and change.verdict in ("broke", "fixed")
    ]
    return f"{asked}: {'; '.join(filter(None, (ranks, *pushed))) or 'sure before, unsure now or the other way round'}"


def _rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)
