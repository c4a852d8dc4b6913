from __future__ import annotations

import numpy as np
import pytest

from curator_core import profile
from curator_core.name_share import NameWords, name_share
from curator_core.patch import Patch
from curator_core.records import AnchorRecord
from curator_core.stems import question_forms, word_forms

NAMES = ["apply for hostel leave", "cancel leave", "list hostels", "the of"]


def ask(query: str, names: list[str] = NAMES) -> AnchorRecord:
    words = NameWords(word_forms(name, 2, True) for name in names)
    return name_share(words, (form for _, form in question_forms(query, 2, True)), np.arange(len(names)), profile("tuned"))


def test_a_name_that_is_wholly_said_counts_fully_and_forces_nothing() -> None:
    record = ask("cancel my leaves")
    assert record.ranking is not None and record.ranking.values[1] == 1.0
    assert not record.forced.any() and record.names_one
    assert (record.hits[1], record.of[1], record.words_of(1)) == (2, 2, ("cancel", "leave"))


def test_a_rare_word_of_a_name_counts_more_than_one_that_many_names_have() -> None:
    shares = {word: ask(word).ranking.values[0] for word in ("apply", "leave")}  # type: ignore[union-attr]
    assert 0 < shares["leave"] < shares["apply"] < 1
    assert not ask("leave").names_one


def test_other_forms_of_a_word_count_and_stop_words_do_not() -> None:
    assert ask("hostel").words_of(2) == ("hostels",)
    assert ask("the").of[3] == 0 and ask("the").ranking.values[3] == 0.0  # type: ignore[union-attr]


@pytest.mark.parametrize("origins", [[0, -1, 2], [1, 2, -1, 3], [-1, 3]])
def test_the_names_of_an_edited_registry_are_those_of_a_new_one(origins: list[int]) -> None:
    patch = Patch(np.array(origins), len(NAMES))
    names = [NAMES[origin] if origin >= 0 else "cancel a hostel booking" for origin in origins]
    forms = lambda some: [word_forms(name, 2, True) for name in some]
    patched = NameWords(forms(NAMES)).patched(patch, forms([name for name, origin in zip(names, origins, strict=True) if origin < 0]))
    new = NameWords(forms(names))
    assert patched.shown == new.shown and patched.of.tolist() == new.of.tolist()
    assert patched.totals.tolist() == new.totals.tolist()
    for stem in ("hostel", "leav", "cancel", "book", "xyz"):
        assert patched.tools_of(stem).tolist() == new.tools_of(stem).tolist()
