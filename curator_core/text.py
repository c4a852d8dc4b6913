"""Words: how names are split, how text is cut into BM25 tokens, and how words are folded for synonym look-up."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import regex

_BLANKS = str.maketrans("_.-/", "    ")
_CAMEL = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_ASCII_CAMEL, _ASCII_WORD = (
    re.compile("[a-z][A-Z]|[A-Z][A-Z][a-z]"),
    re.compile("[A-Za-z0-9]+"),
)  # the same of ASCII, in a third of the time
_FORMAT = regex.compile(r"\p{Cf}+")
_HIDDEN = regex.compile(r"[\p{Cf}\p{Cs}\p{Co}\p{Cc}--[\t\n\r]]+", regex.VERSION1)
_POSSESSIVE = regex.compile(r"(?<=[\p{L}\p{M}\p{N}])['\u2019]s\b")


def fold(text: str) -> str:
    """Return the text as comparisons see it: NFKC, casefolded, without format characters such as zero-width spaces."""
    if text.isascii():
        return text.lower()
    return _FORMAT.sub("", unicodedata.normalize("NFKC", text).casefold())


def visible(text: str) -> str:
    """Return the text with what the eye does not see written out: control, format and surrogate characters as ⟨U+200B⟩."""
    return _HIDDEN.sub(lambda match: "".join(f"⟨U+{ord(character):04X}⟩" for character in match.group()), text)


def plural(number: int, word: str) -> str:
    """Return a number with its word: 1 edit, 3 edits, 3 queries."""
    several = f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"
    return f"{number:,} {word if number == 1 else several}"


def has_word_character(text: str) -> bool:
    """Say whether the text has at least one letter or digit."""
    return text[:1].isalnum() or any(character.isalnum() for character in text)


def name_words(name: str) -> str:
    """Return a name with its words apart: blanks for `_ . - /` and at camelCase borders, case kept.

    A snake_case name gives exactly `name.replace("_", " ")`. Letters and digits are never parted.
    """
    apart = name.translate(_BLANKS)
    return apart if apart.isascii() and not _ASCII_CAMEL.search(apart) else _CAMEL.sub(" ", apart)


def joined_words(name: str) -> tuple[str, ...]:
    """Return the tokens of the pieces of a name that camelCase splitting took apart, as one word each ("github" for GitHub)."""
    if name.isascii() and not _ASCII_CAMEL.search(name):
        return ()
    pieces = (piece for piece in name.translate(_BLANKS).split() if _CAMEL.search(piece))
    return tuple(token for piece in pieces for token in tokenize(piece))


def paired_words(text: str) -> list[str]:
    """Return the words of a text that camelCase splitting would take into two pieces, as one word each ("github" for GitHub)."""
    if text.islower() or (text.isascii() and not _ASCII_CAMEL.search(text)):
        return []
    return [token for word in _words(text) if len(_CAMEL.findall(word)) == 1 for token in tokenize(word)]


def tokenize(text: str, min_length: int = 2) -> list[str]:
    """Cut a text into BM25 tokens: folded runs of letters, marks and digits of at least `min_length` characters.

    For ASCII this is SEED.md's `_tokenize`: everything else, `_` included, parts words.
    """
    return [word for word in _words(fold(text)) if len(word) >= min_length]


def _words(text: str) -> list[str]:
    """Return the runs of letters, marks and digits."""
    words: list[str] = (_ASCII_WORD if text.isascii() else _WORD).findall(text)
    return words


def folded_question(text: str) -> str:
    """Return a question as it is compared with others: case, blanks around words and the stop at its end do not count."""
    return " ".join(fold(text).split()).rstrip("?!. ")


@lru_cache(maxsize=1_000)
def question_words(query: str) -> frozenset[str]:
    """Return the different words of a question, folded for synonym look-up; kept like its tokens."""
    return frozenset(folded_words(query))


def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a text for synonym look-up: case, plural, possessive and hyphen folded, in order."""
    folded = fold(text)
    return tuple(map(singular, _words(_POSSESSIVE.sub("", folded) if "'" in folded or "\u2019" in folded else folded)))


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """Fold an English plural and its singular to one form; the form itself need not be a word ("boxes", "box" -> "box")."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("se", "xe", "ze", "che", "she")):
        return word[:-1]
    return word
