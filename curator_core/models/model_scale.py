"""How far a model's similarities spread: what lets one set of weights fit models whose cosines lie closer together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SPREAD = 0.1267  # of the bundled model on these texts, where a similarity counts as it is
QUESTIONS = (
    "how do I change my password",
    "book a table for four tonight",
    "what will the weather be like tomorrow",
    "where is my parcel",
    "play some music by the band I like",
    "convert twenty euros into yen",
    "remind me to call the dentist",
    "when is my next exam",
    "translate this letter into Spanish",
    "pay the electricity bill",
    "find a cheap flight to Lisbon",
    "my screen stays black after the update",
)
TEXTS = (
    "reset password Send a link with which a user sets a new password.",
    "reserve restaurant Reserve a table in a restaurant for a date and a number of guests.",
    "weather forecast Return the weather forecast of a place for the coming days.",
    "track shipment Show where a shipment is and when it will arrive.",
    "play song Play a song, an album or a playlist.",
    "exchange rate Return the exchange rate between two currencies.",
    "create reminder Create a reminder for a time.",
    "exam schedule List the dates and rooms of a student's exams.",
    "translate text Translate a text from one language into another.",
    "pay invoice Pay an invoice from an account.",
    "search flights Search flights between two airports, with prices.",
    "open ticket Open a support ticket for a technical fault.",
)


def scale_of(questions: NDArray[np.float32], texts: NDArray[np.float32]) -> float:
    """Return by how much to multiply a model's similarities: the bundled model's spread over tools against this one's.

    questions, texts: its vectors of QUESTIONS and TEXTS. To two decimals, so that it does not depend on the machine.
    """
    spread = float((questions.astype(np.float64) @ texts.astype(np.float64).T).std(axis=1).mean())
    return float(np.clip(round(SPREAD / spread, 2), 0.1, 10.0)) if spread > 0 else 1.0


def model_scale(query_row: Callable[[str], NDArray[np.float32]], text_rows: Callable[[list[str]], NDArray[np.float32]]) -> float:
    """Return the scale of a model, given what encodes a question and what encodes texts."""
    return scale_of(np.stack([query_row(question) for question in QUESTIONS]), text_rows(list(TEXTS)))
