"""Text that a reader does not see, or that speaks to the model instead of saying what a tool does: found, named, and cleaned on request.

What is looked for, in this order; a stretch that one kind has is no other's:

    ANSI code           ESC [ … letter: colours and cursor moves of a terminal
    tag characters      U+E0000 to U+E007F, which can spell a hidden text; not those of a flag
    bidirectional       U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+061C: they change the order in which letters are shown
    zero width          U+200B, U+200C, U+200D, U+2060 to U+2064, U+FEFF, U+00AD; not where a script or an emoji needs a joiner
    control             any other control, private or half letter
    HTML comment        <!-- … -->
    HTML                a tag of a known element, such as <img …>
    instruction         words to the model: to ignore others, to hide something from the user, to be used before or instead of other tools
    mixed letters       a word of Latin letters with Greek or Cyrillic ones that look like them (in names)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import regex

Kind = Literal[
    "ANSI code", "tag characters", "bidirectional", "zero width", "control", "HTML comment", "HTML", "instruction", "mixed letters"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
UNSEEN: tuple[Kind, ...] = KINDS[: KINDS.index("HTML comment") + 1]  # what cleaning takes out
_NAMED = 6  # code points that a finding lists
_SHOWN = 60  # letters of a finding

_JOINERS = r"(?<![\p{Arabic}\p{Indic_Syllabic_Category=Virama}\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}])[\u200C\u200D]"
_ELEMENTS = (
    "a|abbr|audio|b|base|blockquote|body|br|button|canvas|center|code|div|em|embed|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|"
    "li|link|math|meta|object|ol|p|pre|s|script|select|small|source|span|strong|style|sub|sup|svg|table|tbody|td|template|textarea|th|"
    "thead|title|tr|tt|u|ul|video"
)
_SPOKEN: tuple[tuple[tuple[str, ...], str], ...] = (  # letters of which one must be there, which is quick to see; and the pattern
    (
        ("ignore ", "disregard ", "forget ", "override "),
        r"(?:ignore|disregard|forget|override) (?:all |any |the |every |your )*"
        r"(?:previous|prior|above|earlier|preceding|other|existing|system)"
        r" (?:\w+ )?(?:instruction|prompt|rule|message|guideline|context)s?",
    ),
    (
        ("do not ", "don't ", "never ", "must not "),
        r"(?:do not|don't|never|must not) (?:tell|inform|mention|reveal|disclose|notify|warn|show)\b[^.!?\n]{0,40}\buser",
    ),
    (("without ",), r"without (?:telling|informing|asking|notifying|alerting) the user"),
    (("before ",), r"before (?:using|calling|invoking|running) (?:any|every|all|each)(?: of the)?(?: other)? tools?"),
    (("this tool ",), r"(?:always|must|only) (?:use|call|prefer|choose|invoke) this tool (?:first|before|instead|over|rather)"),
    (("instead of ",), r"instead of (?:any|all|every)(?: of the)? other tools?"),
    (("system prompt",), r"(?:reveal|print|send|repeat|output) (?:me )?(?:the |your )?system prompt"),
    (("you are now ",), r"you are now (?:a|an|the|in)\b"),
    (("<",), r"</?(?:important|system|instructions?|secret|hidden|assistant|admin)>"),
    (("~/.ssh", "id_rsa", "/etc/passwd"), r"~/\.ssh\b|\bid_rsa\b|/etc/passwd"),
)
_INSTRUCTIONS = tuple((words, regex.compile(pattern, regex.IGNORECASE)) for words, pattern in _SPOKEN)
_UNSEEN_ONES: tuple[tuple[Kind, regex.Pattern[str]], ...] = (
    ("ANSI code", regex.compile(r"(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]")),
    ("tag characters", regex.compile(r"(?<!\U0001F3F4[\U000E0000-\U000E007F]*)[\U000E0000-\U000E007F]+")),
    ("bidirectional", regex.compile(r"[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]+")),
    ("zero width", regex.compile(rf"(?:[\u200B\u2060-\u2064\uFEFF\u00AD]|{_JOINERS})+")),
    ("control", regex.compile(r"[\p{Cc}\p{Co}\p{Cs}--[\t\n\r\x1B]]+|\x1B(?!\[)", regex.VERSION1)),
)
_MARKUP: tuple[tuple[Kind, regex.Pattern[str]], ...] = (
    ("HTML comment", regex.compile(r"<!--.*?(?:-->|\Z)", regex.DOTALL)),
    ("HTML", regex.compile(rf"</?(?:{_ELEMENTS})(?:\s[^<>]{{0,300}})?/?>", regex.IGNORECASE)),
)
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
_LATIN, _ALIKE = regex.compile(r"\p{Latin}"), regex.compile(r"[\p{Cyrillic}\p{Greek}]")
_MAY_BE_UNSEEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}--[\t\n\r]]", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class Hidden:
    """One stretch of a text that is hidden or speaks to the model. start, end: where, counted from 0; text: as it stands there."""

    kind: Kind
    start: int
    end: int
    text: str

    @property
    def said(self) -> str:
        """What it is, with code points where the eye sees nothing."""
        if self.kind == "tag characters":
            spelt = "".join(chr(ord(letter) - 0xE0000) for letter in self.text if 0xE0020 <= ord(letter) < 0xE007F)
            return f"tag characters that spell “{spelt}” ({_code_points(self.text)})"
        if self.kind in ("HTML comment", "HTML", "instruction"):
            shown = " ".join(self.text.split())
            return f"{self.kind} “{shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + '…'}”"
        strange = "".join(_ALIKE.findall(self.text)) if self.kind == "mixed letters" else self.text
        return f"{_TITLES[self.kind]} {_code_points(strange)}"


_TITLES: dict[Kind, str] = {
    "ANSI code": "a terminal's code",
    "bidirectional": "a change of writing direction,",
    "zero width": "characters without width,",
    "control": "characters that do not show,",
    "mixed letters": "letters of another script that look like Latin ones,",
}


def hidden_in(text: str, name: bool = False) -> tuple[Hidden, ...]:
    """Return what is hidden in a text or speaks to the model, in its order. name: it is a name, so that look-alike letters count too."""
    patterns = (*(_UNSEEN_ONES if _MAY_BE_UNSEEN.search(text) else ()), *(_MARKUP if "<" in text else ()))
    found = [Hidden(kind, *match.span(), match.group()) for kind, pattern in patterns for match in pattern.finditer(text)]
    lower = text.lower()
    for words, pattern in _INSTRUCTIONS:
        if any(word in lower for word in words):
            found += (Hidden("instruction", *match.span(), match.group()) for match in pattern.finditer(text))
    found += _mixed(text) if name and not text.isascii() else ()
    return tuple(_apart(sorted(found, key=lambda one: (one.start, KINDS.index(one.kind)))))


def cleaned(text: str) -> str:
    """Return the text without what the eye does not see: ANSI codes, tag, bidirectional, zero-width and control characters, comments.

    Words stay, also HTML and instructions: these are for their author to judge.
    """
    while found := [one for one in hidden_in(text) if one.kind in UNSEEN]:  # what stood apart may meet, and make another
        for one in reversed(found):
            text = text[: one.start] + text[one.end :]
    return text


def _apart(found: list[Hidden]) -> Iterator[Hidden]:
    end = 0
    for one in found:
        if one.start >= end:
            yield one
            end = one.end


def _mixed(name: str) -> Iterator[Hidden]:
    for word in _LETTERS.finditer(name):
        if _LATIN.search(word.group()) and _ALIKE.search(word.group()):
            yield Hidden("mixed letters", *word.span(), word.group())


def _code_points(text: str) -> str:
    names = [f"U+{ord(letter):04X}{_name(letter)}" for letter in text[:_NAMED]]
    return ", ".join(names) + (f" and {len(text) - _NAMED} more" if len(text) > _NAMED else "")


def _name(letter: str) -> str:
    name = unicodedata.name(letter, "").lower()
    return f" {name}" if name and not letter.isascii() and not name.startswith("tag ") else ""
