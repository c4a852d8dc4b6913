from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from curator_core import Evaluation, QueryResult, Settings, SettingsError, TestQuery, compare_runs, judge
from curator_core.proof.gate import Check, parse_limits, parse_reasons, run_checks
from curator_core.proof.run_junit import junit_xml
from curator_core.proof.run_markdown import code, comparison_markdown, evaluation_markdown

ANSWER = tuple("abcdefghij")


def result(query: str, expected: Sequence[str] | None, tools: Sequence[str] = ANSWER, unsure: bool = False, **more: object) -> QueryResult:
    return judge(TestQuery(query, None if expected is None else tuple(expected), **more), tuple(tools), len(tools), unsure)  # type: ignore[arg-type]


def run(*results: QueryResult, unread: tuple[str, ...] = ()) -> Evaluation:
    return Evaluation("shop", Settings(), "fake", "f" * 64, results, unread)


BEFORE = run(
    result("pay", "a"), result("refund", "g"), result("lost parcel", "b", tags=("hard",), critical=True), result("pizza", (), unsure=True)
)
AFTER = run(
    result("pay", "a"),
    result("refund", "g", "gabcdef"),
    result("lost parcel", "b", "acdefgb", tags=("hard",), critical=True),
    result("pizza", (), unsure=True),
    result("weather", None),
    QueryResult(TestQuery("ghost", ("gone",)), "invalid", "no such tool in the registry: gone"),
    unread=("test_queries.jsonl, line 9: not JSON",),
)
COMPARED = compare_runs(BEFORE, AFTER, names=("base.json", "now"))


def checks(limits: Sequence[str] = (), reasons: Sequence[str] = ()) -> tuple[Check, ...]:
    return run_checks(AFTER, COMPARED, parse_limits(limits), parse_reasons(reasons, has_baseline=True))


def test_a_limit_is_met_by_a_figure_that_equals_it() -> None:
    value = AFTER.metrics["recall@5"]
    assert value == 2 / 3
    met, missed = checks([f"recall@5={value!r}", "hit@1=0.99"])
    assert met.passed and met.found == "recall@5 is 0.6666666666666666 on 3 questions"
    assert not missed.passed and missed.name == "hit@1 >= 0.99"


def test_limits_hold_for_a_tag_and_for_questions_without_a_tool() -> None:
    found = {check.name: (check.passed, check.found) for check in checks(["hard:recall@5=0.5, no_tool=1"])}
    assert found == {
        "hard:recall@5 >= 0.5": (False, "hard:recall@5 is 0.0 on 1 question"),
        "no_tool >= 1": (True, "no_tool is 1.0 on 1 question"),
    }


def test_held_out_questions_have_limits_of_their_own() -> None:
    mixed = run(result("1", "a"), result("2", "a", "bcdefa", tags=("held out",)))
    found = run_checks(mixed, None, parse_limits(["tune:recall@5=1", "held_out:recall@5=0.5", "recall@5=0.5"]), ())
    assert [check.passed for check in found] == [True, False, True]


def test_a_limit_without_a_question_fails() -> None:
    (check,) = run_checks(run(result("q", None)), None, parse_limits(["mrr=0.1"]), ())
    assert not check.passed and "no question to measure it on" in check.found


def test_what_broke_is_critical_fails_or_is_invalid_is_named() -> None:
    found = {check.name: (check.passed, check.found, check.results) for check in checks(reasons=["broke,critical", "failing invalid"])}
    assert found == {
        "no broke": (False, "1 broke: “lost parcel”", (2,)),
        "no critical": (False, "1 critical: “lost parcel”", (2,)),
        "no failing": (False, "1 failing: “lost parcel”", (2,)),
        "no invalid": (False, "2 invalid: “ghost”, test_queries.jsonl, line 9: not JSON", (5,)),
    }


def test_an_unchanged_run_passes() -> None:
    found = run_checks(BEFORE, compare_runs(BEFORE, BEFORE), (), parse_reasons(["broke", "critical", "invalid"], has_baseline=True))
    assert all(check.passed and check.found == "none" for check in found)


def test_a_critical_question_that_cannot_be_asked_is_not_right() -> None:
    ghost = QueryResult(TestQuery("ghost", ("gone",), critical=True), "invalid", "gone")
    assert not run_checks(run(ghost), None, (), parse_reasons(["critical"], has_baseline=False))[0].passed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recall@5", "write METRIC=NUMBER"),
        ("recall@7=0.5", "metrics: hit@1, mrr, recall@5"),
        ("recall@5=high", "'high' is no number from 0 to 1"),
        ("recall@5=90", "'90' is no number from 0 to 1"),
        ("recall@5=nan", "'nan' is no number from 0 to 1"),
        ("forbidden@5=0.1", "metrics: hit@1"),
        ("=0.5", "write METRIC=NUMBER"),
    ],
)
def test_a_limit_that_means_nothing_is_refused_with_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)):
        parse_limits([text])


def test_a_tag_that_no_question_has_is_refused() -> None:
    with pytest.raises(SettingsError, match="no judged question has the tag 'easy'; there are: hard"):
        checks(["easy:mrr=0.5"])


def test_an_unknown_reason_and_broke_without_a_baseline_are_refused() -> None:
    with pytest.raises(SettingsError, match="--fail-on broken: choose from broke, critical, failing, invalid"):
        parse_reasons(["broken"], has_baseline=True)
    with pytest.raises(SettingsError, match="--baseline FILE"):
        parse_reasons(["broke"], has_baseline=False)


# -- JUnit


def cases(xml: str) -> dict[str, str]:
    """Return what became of each question: passed, failure, error or skipped."""
    return {case.attrib["name"]: next((child.tag for child in case), "passed") for case in ElementTree.fromstring(xml).iter("testcase")}


def test_junit_has_one_test_case_a_question() -> None:
    assert cases(junit_xml(AFTER)) == {
        "pay": "passed",
        "refund": "passed",
        "lost parcel": "failure",
        "pizza": "passed",
        "weather": "skipped",
        "ghost": "error",
    }
    suite = next(ElementTree.fromstring(junit_xml(AFTER)).iter("testsuite"))
    assert {name: suite.attrib[name] for name in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "shop",
        "tests": "6",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }


def test_junit_fails_only_what_the_gate_fails() -> None:
    still = run(result("old", "z"), result("new", "a", "bcdefa"))
    broke = run_checks(still, compare_runs(run(result("old", "z"), result("new", "a")), still), (), ("broke",))
    assert cases(junit_xml(still, broke)) == {"old": "skipped", "new": "failure"}


def test_junit_holds_the_figures_to_the_last_digit_and_the_checks() -> None:
    root = ElementTree.fromstring(junit_xml(AFTER, checks(["recall@5=0.9"])))
    properties = {one.attrib["name"]: one.attrib["value"] for one in root.iter("property")}
    assert float(properties["recall@5"]) == AFTER.metrics["recall@5"]
    assert properties["check recall@5 >= 0.9"] == "failed: recall@5 is 0.6666666666666666 on 3 questions"


@pytest.mark.parametrize("query", ['<a href="x">&amp;', "tab\tand\nline", "null \x00 and \ufffe", "half \udcff letter", "]]>", "पैसा 💸"])
def test_junit_stays_xml_whatever_a_question_holds(query: str) -> None:
    xml = junit_xml(run(result(query, "z")))
    assert xml.isascii() and len(cases(xml)) == 1


# -- Markdown


def test_the_receipt_is_this_text() -> None:
    assert comparison_markdown(COMPARED) == RECEIPT


RECEIPT = """\
# `base.json` → `now`

1 fixed, 1 broke; too few queries to say (3 judged on both sides, 20 are the least)

- `base.json`: 4 queries, 3 judged; profile seed; fake; index ffffffffffff
- `now`: 6 queries, 3 judged; profile seed; fake; index ffffffffffff

## Figures

| figure | before | after | difference | 95 % interval | better | worse | same | n |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
| hit@1 | 0.333 | 0.667 | too few queries to say | – | 1 | 0 | 2 | 3 |
| mrr | 0.548 | 0.714 | too few queries to say | – | 1 | 1 | 1 | 3 |
| recall@5 | 0.667 | 0.667 | too few queries to say | – | 1 | 1 | 1 | 3 |
| all@5 | 0.667 | 0.667 | too few queries to say | – | 1 | 1 | 1 | 3 |
| recall@10 | 1.000 | 1.000 | too few queries to say | – | 0 | 0 | 3 | 3 |
| all@10 | 1.000 | 1.000 | too few queries to say | – | 0 | 0 | 3 | 3 |
| recall@20 | 1.000 | 1.000 | too few queries to say | – | 0 | 0 | 3 | 3 |
| all@20 | 1.000 | 1.000 | too few queries to say | – | 0 | 0 | 3 | 3 |
| ndcg@10 | 0.655 | 0.778 | too few queries to say | – | 1 | 1 | 1 | 3 |

## By tag

| | recall@5 before | after | fixed | broke | n | remark |
|---|---:|---:|---:|---:|---:|---|
| `hard` | 1.000 | 0.000 | 0 | 1 | 1 | too few queries to say |

No tool applies: 1 → 1 of 1 questions flagged as unsure; too few queries to say (n = 1)

## Broke (1)

- `lost parcel` (critical): rank 2 → 7; came into the first 5: `f`; fell out of the first 5: `b`

## Fixed (1)

- `refund`: rank 7 → 1; came into the first 5: `g`; fell out of the first 5: `e`

## Nobody can say (2)

- `weather`: `a new question`
- `ghost`: `a new question, and it cannot be asked: no such tool in the registry: gone`

Moved, and right on both sides: 0. As before: 2.
"""


def test_the_run_as_markdown_has_checks_figures_and_reasons() -> None:
    text = evaluation_markdown(AFTER, COMPARED, checks(["recall@5=0.9"], ["broke"]))
    assert "| `no broke` | **failed** | `1 broke: “lost parcel”` |" in text
    assert "| all judged | 3 |" in text and "| tag `hard` | 1 |" in text
    marked = [line for line in text.splitlines() if line.endswith("| too few queries to say |")]
    assert [line[:12] for line in marked] == ["| all judged", "| tag `hard`", "| `hard` | 1"]
    assert "- `ghost`: `no such tool in the registry: gone`" in text
    assert text.endswith("\n") and "\r" not in text and comparison_markdown(COMPARED) in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay", "`pay`"),
        ("two\nlines  here", "`two lines here`"),
        ("a `b` c", "``a `b` c``"),
        ("`b", "`` `b ``"),
        ("@someone <b>", "`@someone <b>`"),
        ("", "`  `"),
        ("\u200b", "`⟨U+200B⟩`"),
    ],
)
def test_questions_stand_in_markdown_as_they_are(text: str, shown: str) -> None:
    assert code(text) == shown


def test_a_bar_in_a_tag_does_not_break_the_table() -> None:
    text = evaluation_markdown(run(result("q", "a", tags=("a|b",))))
    assert "| tag `a\\|b` | 1 |" in text


def test_held_out_figures_stand_apart_in_markdown() -> None:
    text = evaluation_markdown(run(result("1", "a"), result("2", "z", tags=("held_out",))))
    assert "| to tune on | 1 | 1.000" in text and "| held out | 1 | 0.000" in text and "all judged" not in text
