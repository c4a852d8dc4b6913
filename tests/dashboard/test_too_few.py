from __future__ import annotations

import pytest

from curator_core import Comparison, Evaluation, QueryResult, Receipt, Settings, TestQuery, compare_runs
from curator_core.authoring.receipt import receipt_of
from curator_core.proof.query_result import judge
from dashboard.compare.comparison_tables import groups_frame, metrics_frame
from dashboard.compare.receipt_text import receipt_frame, receipt_line

FEW = "too few queries to say"


def run(first: str, few: int, many: int) -> Evaluation:
    def asked(number: int, tag: str) -> QueryResult:
        return judge(TestQuery(f"{tag} {number}", ("right",), tags=(tag,)), (first, "right", "other"), 3)

    results = (*(asked(number, "few") for number in range(few)), *(asked(number, "many") for number in range(many)))
    return Evaluation("shop", Settings(), None, "", results)


def compared(few: int, many: int) -> Comparison:
    return compare_runs(run("other", few, many), run("right", few, many))


def test_a_tag_with_fewer_than_twenty_questions_is_marked() -> None:
    frame = groups_frame(compared(19, 20), "tag").set_index("tag")
    assert frame["remark"].to_dict() == {"few": FEW, "many": ""}
    assert frame["n"].to_dict() == {"few": 19, "many": 20}


@pytest.mark.parametrize(("queries", "said"), [(19, {FEW}), (20, {"+0.500", "=", "0", "+1.000", "+0.369"})])
def test_a_difference_is_said_from_twenty_questions_on(queries: int, said: set[str]) -> None:
    found = compared(0, queries)
    assert set(metrics_frame(found.metrics, 20)["difference"]) <= said
    assert set(receipt_frame(receipt_of(found))["difference"]) <= said


def test_the_line_of_a_receipt_has_no_mean_over_few_questions() -> None:
    assert receipt_line(receipt_of(compared(0, 19))) == f"0 fixed · 0 broke · {FEW} (n = 19)"
    assert receipt_line(Receipt(20, {"recall@5": 0.5}, {"recall@5": 0.6})).startswith("recall@5 0.50 → 0.60")
