"""What is made from an evaluation to be shown or taken along never holds the text of a held-out query, and never mixes its figures in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Curator, Evaluation, Registry, TestQuery, Tool, build_index, compare_runs, evaluate, fix_next, receipt_of
from curator_core.proof.audits import audit_name_rule, audit_split
from curator_core.proof.effects import effect_of
from curator_core.proof.fixing import ToFix
from curator_core.proof.gate import parse_reasons, run_checks
from curator_core.proof.logged_effect import logged_to_ask
from curator_core.proof.run_junit import junit_xml
from curator_core.proof.run_markdown import comparison_markdown, evaluation_markdown
from curator_core.queries.logged import LoggedQuestion
from curator_core.suggestions.advice import suggest
from curator_core.suggestions.word_xray import xray
from tests.core.fakes import FakeEncoder
from tests.core.strategies import registries, word
from tests.laws import examples

SECRET = "wombat"  # in every held-out question, and nowhere else
TAGS = st.sampled_from(["held_out", "held-out", "Held Out"])
questions = st.lists(word, min_size=1, max_size=3).map(" ".join)


@st.composite
def changed_registries(draw: st.DrawFn) -> tuple[Registry, Registry]:
    registry = draw(registries(min_size=3, max_size=8))
    keys = st.sampled_from(registry.keys)
    expected = st.one_of(st.none(), st.just(()), st.tuples(keys), st.just(("gone",)))
    cases = [TestQuery(f"{text} {number}", draw(expected)) for number, text in enumerate(draw(st.lists(questions, max_size=4)))]
    for number, text in enumerate(draw(st.lists(questions, min_size=1, max_size=4))):
        critical = draw(st.booleans())
        cases.append(TestQuery(f"{text} {SECRET} {number}", draw(expected), tags=(draw(TAGS),), critical=critical))
    before = Registry(name="random", tools=registry.tools, synonyms=registry.synonyms, test_queries=tuple(cases))
    return before, before.with_edits([before.edit(draw(keys), "description", draw(questions))])


def runs(pair: tuple[Registry, Registry]) -> tuple[Evaluation, Evaluation]:
    first, second = (evaluate(Curator(build_index(one, FakeEncoder(64))), one.test_queries) for one in pair)
    return first, second


@given(changed_registries())
@examples(15)
def test_reports_receipts_effects_and_advice_name_no_held_out_query(pair: tuple[Registry, Registry]) -> None:
    before, after = runs(pair)
    compared, effect = compare_runs(before, after), effect_of(before, after)
    checks = run_checks(after, compared, (), parse_reasons(["broke", "critical", "failing", "invalid"], has_baseline=True))
    shown = [
        comparison_markdown(compared),
        evaluation_markdown(after, compared, checks),
        junit_xml(after, checks),
        json.dumps([compared.to_dict(), receipt_of(compared).to_json(), [check.to_dict() for check in checks]]),
        repr([effect.listed(kind) for kind in ("changed", "still failing", "unknown")]),
        repr([_named(one) for one in fix_next(after)]),
    ]
    assert not any(SECRET in text for text in shown)
    assert sum(effect.held_out_counts.values()) == len(effect.held_out) == sum(compared.held_out_counts.values())


def _named(one: ToFix) -> tuple[str, str, str]:
    return one.tool, one.first.case.query, one.why


TOOLS = {"settle_bill": "Settle a supplier's bill", "list_bills": "Every bill of a supplier", "greet": "Say good morning"}
KINDS = [
    TestQuery("settle the supplier's bill", ("settle_bill",)),
    TestQuery("good morning to all", ("greet",)),
    TestQuery("violet submarine", ()),
    TestQuery("bills", None),
    TestQuery(" \t ", ("greet",)),
]


def curator(*more: TestQuery) -> tuple[Curator, list[TestQuery]]:
    registry = Registry(tools=tuple(Tool(name, text) for name, text in TOOLS.items()))
    return Curator(build_index(registry, FakeEncoder(2048))), [*KINDS, *more]


def test_nothing_fits_nobody_judged_and_cannot_be_asked_are_three_counts_and_only_judged_ones_are_averaged() -> None:
    found = evaluate(*curator())
    counts = {status: len(found.having(status)) for status in ("judged", "no_tool", "unjudged", "invalid")}  # type: ignore[arg-type]
    assert counts == {"judged": 2, "no_tool": 1, "unjudged": 1, "invalid": 1}
    assert found.metrics["recall@5"] == found.metrics["mrr"] == 1


def test_an_unanswered_judged_query_stays_in_the_average_and_a_longer_set_says_so() -> None:
    asked, cases = curator(TestQuery("zzz", ("greet",)))
    found = evaluate(Curator(asked.index, asked.settings.with_values({"dense": False, "low_confidence": False})), cases)
    (unanswered,) = (result for result in found.having("judged") if not result.tools)
    assert unanswered.case.query == "zzz" and unanswered.metrics["mrr"] == 0
    assert len(found.having("judged")) == 3 and found.metrics["recall@5"] == pytest.approx(2 / 3)


def test_figures_to_tune_on_and_held_out_stand_apart_and_no_row_mixes_them() -> None:
    apart = [TestQuery("settle up with whoever sold it", ("greet",), tags=("held_out", "money"))]
    found = evaluate(*curator(*apart))
    text = evaluation_markdown(found)
    assert "| to tune on | 2 | 1.000 |" in text and "| held out | 1 | 0.000 |" in text
    assert 'name="hit@1" value="1.0"' in junit_xml(found) and 'name="held_out:hit@1" value="0.0"' in junit_xml(found)


def test_advice_word_worths_audits_and_logged_questions_name_no_held_out_query() -> None:
    cases = (
        TestQuery("tram ticket for a bicycle", ("carry_bike",)),
        TestQuery(f"take my {SECRET} bicycle on the tram please", ("carry_bike",), tags=("held_out",)),
        TestQuery(f"settle and greet the {SECRET}", ("settle_bill", "greet"), tags=("held_out",)),
    )
    tools = {**TOOLS, "carry_bike": "Rules for bulky things in a carriage", "buy_tram_ticket": "Buy a tram ticket"}
    tools |= {f"tram_line_{number}": f"Ticket machine of tram line {number}" for number in range(6)}
    registry = Registry(tools=tuple(Tool(name, text) for name, text in tools.items()), test_queries=cases)
    asked = Curator(build_index(registry, FakeEncoder(512)))
    advice = suggest(asked, cases[0].query, "carry_bike")
    assert advice.offered, "there is something to look at"
    shown = [(one.phrase.text, one.edit, one.sisters, one.others, one.effect.listed(), one.effect.pushes) for one in advice.offered]
    audits = [audit(asked, cases) for audit in (audit_name_rule, audit_split)]
    texts = map(repr, (advice.reason, advice.shortfall.sentence, shown, xray(asked, "carry_bike"), audits))
    assert not any(SECRET in text for text in texts)
    log = [LoggedQuestion(case.query.upper() + "?", 5) for case in cases] + [LoggedQuestion("where is the depot", 1)]
    assert [one.text for one in logged_to_ask(log, registry)] == ["where is the depot"]
