from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core.text import folded_words, joined_words, name_words, tokenize, visible


def seed_tokenize(text: str) -> list[str]:
    """SEED.md's tokenizer, as it is given there."""
    text = re.sub(r"[^a-z0-9\s_]", " ", text.lower())
    return [token for token in re.split(r"[\s_]+", text) if len(token) > 1]


def test_underscores_and_punctuation_part_words_and_single_letters_are_dropped() -> None:
    assert tokenize("get_account_summary: a 2nd look!") == ["get", "account", "summary", "2nd", "look"]


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_ascii_text_is_cut_exactly_as_the_seed_cuts_it(text: str) -> None:
    assert tokenize(text) == seed_tokenize(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("num\u200bbers", ["numbers"]),  # a zero-width space inside a word
        ("CAFE\u0301", ["caf\u00e9"]),  # typed as letter and accent
        ("退款 申请", ["退款", "申请"]),
        ("हिन्दी", ["हिन्दी"]),  # vowel signs are marks and stay in their word
        ("ＦＥＥ ½", ["fee"]),  # full-width letters; a fraction falls apart into single digits
        ("\ud800 fee", ["fee"]),
    ],
)
def test_letters_marks_and_numbers_of_any_script_are_kept(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    ("name", "words", "joined"),
    [
        ("get_account_summary", "get account summary", ()),
        ("github__list_issues", "github  list issues", ()),  # exactly name.replace("_", " ")
        ("GitHub", "Git Hub", ("github",)),
        ("listCoreV1Nodes", "list Core V1Nodes", ("listcorev1nodes",)),  # letters and digits are never parted
        ("getHTTPResponse", "get HTTP Response", ("gethttpresponse",)),
        ("mail.send-draft/now", "mail send draft now", ()),
        ("drive__listFiles", "drive  list Files", ("listfiles",)),
    ],
)
def test_names_are_split_into_words_and_camel_case_is_also_kept_joined(name: str, words: str, joined: tuple[str, ...]) -> None:
    assert name_words(name) == words
    assert joined_words(name) == joined


@given(st.from_regex(r"[a-z0-9]+(_[a-z0-9]+)*", fullmatch=True))
def test_a_snake_case_name_gives_exactly_the_seeds_text(name: str) -> None:
    assert name_words(name) == name.replace("_", " ")
    assert joined_words(name) == ()


@pytest.mark.parametrize("pair", ["Fee fees", "box boxes", "query queries", "movie movies", "class classes", "CGPA CGPA's", "cache caches"])
def test_case_plural_and_possessive_fold_to_one_word(pair: str) -> None:
    one, other = pair.split()
    assert folded_words(one) == folded_words(other)


@pytest.mark.parametrize("pair", ["bus busy", "status state", "art start", "on one"])
def test_different_words_stay_different(pair: str) -> None:
    one, other = pair.split()
    assert folded_words(one) != folded_words(other)


def test_hyphens_part_words_for_synonyms() -> None:
    assert folded_words("re-evaluation") == ("re", "evaluation")


def test_what_the_eye_does_not_see_is_written_out() -> None:
    assert visible("num\u200bbers \x1b[31m\u202e") == "num⟨U+200B⟩bers ⟨U+001B⟩[31m⟨U+202E⟩"
    assert visible("two\nlines\tand a tab") == "two\nlines\tand a tab"
