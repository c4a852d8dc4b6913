from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator_core import Curator, Evaluation, Registry, RunError, Settings, TestQuery, Tool, build_index, compare_runs, evaluate, load_run
from curator_core.proof.saved_runs import read_run, refuse_unlike
from tests.core.fakes import FakeEncoder

CASES = (
    TestQuery("give money back", ("refund_order",), ("get_weather",), tags=("money",), critical=True, note="n"),
    TestQuery("money and also the weather", ("refund_order", "get_weather"), role="shop"),
    TestQuery("quantum banana telescope", ()),
    TestQuery("weather", None),
    TestQuery("weather", ("nobody",)),
)
SHOP = Registry("shop", (Tool("refund_order", "money back", roles=("shop",)), Tool("get_weather", "weather"), Tool("pay", "a fee")))


def run(encoder: FakeEncoder | None = None, **settings: object) -> Evaluation:
    curator = Curator(build_index(SHOP, encoder or FakeEncoder(2048)), Settings(**settings))  # type: ignore[arg-type]
    return evaluate(curator, CASES, unread=("line 9: not JSON",))


def saved(evaluation: Evaluation) -> str:
    return json.dumps(evaluation.to_dict())


@pytest.mark.parametrize("settings", [{}, {"top_k": 2, "anchor": False, "bm25_b": 0.5}])
def test_a_saved_run_comes_back_as_it_was(tmp_path: Path, settings: dict[str, object]) -> None:
    evaluation = run(**settings)
    (tmp_path / "run.json").write_text(saved(evaluation))
    again = load_run(tmp_path / "run.json")
    assert again == evaluation and again.to_dict() == evaluation.to_dict()
    comparison = compare_runs(again, evaluation)
    assert not comparison.having("fixed", "broke", "moved") and all(not change.difference for change in comparison.metrics)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "is no saved run (the whole: Invalid JSON"),
        ("[]", "is no saved run (the whole: "),
        ('{"registry": "shop", "model": null, "results": []}', "(profile: Field required)"),
        ('{"registry": "shop", "model": null, "profile": "seed", "results": [{"query": 7, "status": "judged"}]}', "(results.0.query: "),
        ('{"registry": "shop", "model": null, "profile": "best", "results": []}', "settings that this version does not have"),
    ],
)
def test_what_is_no_run_is_one_line_that_says_where(text: str, said: str) -> None:
    with pytest.raises(RunError) as error:
        read_run(text, "base.json")
    assert str(error.value).startswith("base.json") and said in str(error.value) and "\n" not in str(error.value)


def test_a_run_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"run\.json: it cannot be read \(No such file"):
        load_run(tmp_path / "run.json")


def test_another_registry_model_or_weights_are_refused() -> None:
    now = run()
    refuse_unlike(now, now, "base.json")
    other = read_run(saved(now).replace('"registry": "shop"', '"registry": "bank"'), "x")
    with pytest.raises(RunError, match="a run of registry 'bank', not of 'shop'"):
        refuse_unlike(other, now, "base.json")
    with pytest.raises(RunError, match="was made with other, this run with fake"):
        refuse_unlike(run(FakeEncoder(2048, model_id="other")), now, "base.json")
    retrained = FakeEncoder(2048)
    retrained.fingerprint = "new"  # type: ignore[attr-defined]
    with pytest.raises(RunError, match="other weights of fake"):
        refuse_unlike(run(retrained), now, "base.json")
    words_only = evaluate(Curator(build_index(SHOP, None)), CASES)
    with pytest.raises(RunError, match="was made with words only"):
        refuse_unlike(words_only, now, "base.json")
