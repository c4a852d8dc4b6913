from __future__ import annotations

import subprocess
import sys

import pytest

from curator_core.stems import question_forms, stems_of, text_stems, word_forms
from curator_core.text import tokenize


@pytest.mark.parametrize(
    ("one", "other"), [("fees", "fee"), ("leaves", "leave"), ("applying", "applied"), ("cancellation", "cancellations")]
)
def test_forms_of_one_word_become_one(one: str, other: str) -> None:
    assert stems_of([one]) == stems_of([other])


def test_what_questions_are_full_of_does_not_count_and_what_tools_are_about_does() -> None:
    assert stems_of(tokenize("could you please tell me, I want to move my bill")) == ["move", "bill"]


def test_two_piece_names_count_whole_and_in_pieces_and_longer_ones_in_pieces_only() -> None:
    assert text_stems("search GitHub in a namespacedPodList", (), 2) == ["search", "git", "hub", "namespac", "pod", "list", "github"]
    assert text_stems("git hub pod list", ("github", "podlist", "hubpodlist"), 2)[-2:] == ["github", "podlist"]
    assert [form for _, form in word_forms("DaemonSet", 2, True)] == ["daemon", "set"]


def test_words_of_other_languages_are_kept() -> None:
    assert stems_of(tokenize("Überweisung прогноз 天気")) == ["überweisung", "прогноз", "天気"]


def test_the_words_of_a_question_stand_beside_what_they_are_compared_by() -> None:
    assert question_forms("pay my fees", 2, True) == (("pay", "pay"), ("fees", "fee"))
    assert word_forms("pay my fees", 2, False) == [("pay", "pay"), ("my", "my"), ("fees", "fees")]


@pytest.mark.process
def test_the_stop_words_are_those_of_the_library_without_loading_it() -> None:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    from curator_core import stems

    assert stems._english() == ENGLISH_STOP_WORDS
    ask = "import sys; from curator_core import stems; stems.stop_words(); print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout == "False\n"
