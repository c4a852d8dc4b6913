"""JSON files are read with exact complaints, and changed in one place with every other byte kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core.files.json_patch import REMOVED, Style, member, open_box, patched, root, style_of, with_members, written
from curator_core.files.json_source import Duplicate, JsonFault, decode, parse
from tests.laws import examples


@pytest.mark.parametrize(
    ("text", "found", "fix"),
    [
        ('[{"name": "a",}]', "line 1, column 15", "remove the comma"),
        ('["a",\n]', "line ", "remove the comma"),
        ('[{"name": "a"} // first\n]', "line 1, column 16", "no comments"),
        ('{"a": 1,\n "b": NaN}', "line 2, column 7: NaN", "number"),
        ('{"say NaN": -Infinity}', "line 1, column 13: -Infinity", "number"),
        ('["one\ntwo"]', "line 1, column 6: invalid control character", "\\n"),
        ("", "empty", "write JSON"),
        ("  \n", "empty", "write JSON"),
        ("[1] [2]", "line 1, column 5: extra data", "one list"),
        ('{"a": [1', "line 1", "close what is open"),
        ("[" * 100_000 + "]" * 100_000, "line 1: brackets are nested more than 200 deep", "flatter"),
        ("[" * 201 + "]" * 201, "nested more than 200 deep", "flatter"),
        ('{"a": "1e999",\n "b": [1e999]}', "line 2, column 8: the number 1e999 is too large", "smaller"),
        ("[7,\n " + "9" * 5000 + "]", "line 2, column 2: a number of more than 4,300 digits", "shorter"),
        ("[{'name': 1}]", "line 1, column 3", "double quotes"),
        ("[{name: 1}]", "line 1, column 3", "the key in double quotes"),
        ('{"strict": True}', "line 1, column 12", "true, false and null"),
    ],
)
def test_a_broken_text_is_named_by_line_and_column_with_what_to_do(text: str, found: str, fix: str) -> None:
    with pytest.raises(JsonFault) as caught:
        parse(text)
    assert found in caught.value.found
    assert fix in caught.value.fix


def test_brackets_inside_texts_are_not_depth() -> None:
    value = ["[" * 500]
    assert parse(json.dumps(value))[0] == value


def test_a_key_that_stands_twice_is_reported_with_its_line() -> None:
    value, twice = parse('{"a": "a",\n "b": {"a": ["b", {"c": 1}]},\n "a": "last"}')
    assert value["a"] == "last"
    assert twice == (Duplicate("a", 3),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_file_is_written_back_in_its_own_encoding(encoding: str) -> None:
    data = '["é"]'.encode(encoding)
    decoded = decode(data)
    assert decoded.text == '["é"]'
    assert decoded.encode(decoded.text) == data


def test_bytes_that_are_no_text_are_named_by_line() -> None:
    with pytest.raises(JsonFault, match="line 2: byte 0xE9 is not UTF-8 text; save the file as UTF-8"):
        decode(b'["a",\n"caf\xe9"]')


def changed(text: str, new: Any) -> str:
    """Return a whole text patched to hold another value."""
    box = root(text)
    return text[: box.start] + patched(text, box.start, box.end, json.loads(text), new, style_of(text)) + text[box.end :]


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ('{"a": 1.0, "b":  "x"}', {"a": 1.0, "b": "y"}, '{"a": 1.0, "b":  "y"}'),
        ('{"a":1,"b":[1,2]}', {"a": 1, "b": [1, 2], "c": [3, {"d": 4}]}, '{"a":1,"b":[1,2],"c":[3,{"d":4}]}'),
        ('[ "a", "b" ]', ["a", "x", "b"], '[ "a", "x", "b" ]'),
        ('[ "a", "b" ]', ["b"], '[ "b" ]'),
        ('[\n  "a",\n  "b"\n]\n', ["b", "c"], '[\n  "b",\n  "c"\n]\n'),
        ('{\r\n\t"a": 1\r\n}', {"a": 1, "b": {"c": []}}, '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": []\r\n\t}\r\n}'),
        ('{"a": 1}', {"b": 2}, '{"b": 2}'),
        ('{\n "a": [\n  1\n ]\n}', {"a": [1, 2]}, '{\n "a": [\n  1,\n  2\n ]\n}'),
        ('{"a": "caf\\u00e9"}', {"a": "th\u00e9"}, '{"a": "th\\u00e9"}'),
        ('{"a": "cafe"}', {"a": "th\u00e9"}, '{"a": "th\u00e9"}'),
        ('{"a": "\\u003cb>"}', {"a": "th\u00e9"}, '{"a": "th\u00e9"}'),
        ('{"a": true}', {"a": 1}, '{"a": 1}'),
        ("{\r\n}\r\n", {"a": 1}, '{\r\n  "a": 1\r\n}\r\n'),
        ('{"a": {}, "b": 1}', {"a": {"x": 1}, "b": 1}, '{"a": {"x": 1}, "b": 1}'),
    ],
)
def test_a_new_part_is_laid_out_like_its_neighbours(text: str, new: Any, expected: str) -> None:
    assert changed(text, new) == expected


def test_a_new_member_goes_among_the_known_ones_and_a_removed_one_leaves_no_comma() -> None:
    text = '{\n  "name": "a",\n  "x-own": 1e2,\n  "parameters": {}\n}'
    added = with_members(root(text), {"roles": ["s"]}, style_of(text), ("name", "roles", "parameters"))
    assert added == '{\n  "name": "a",\n  "roles": ["s"],\n  "x-own": 1e2,\n  "parameters": {}\n}'
    assert with_members(root(added), {"roles": REMOVED}, style_of(text)) == text


def test_of_a_key_that_stands_twice_the_last_is_changed_and_all_are_removed() -> None:
    text = '{"a": 1, "a": 2, "b": 3}'
    assert with_members(root(text), {"a": 5}, style_of(text)) == '{"a": 1, "a": 5, "b": 3}'
    assert with_members(root(text), {"a": REMOVED}, style_of(text)) == '{"b": 3}'


def test_a_fresh_document_has_short_lists_on_one_line() -> None:
    assert written({"fee": ["dues", "é"], "o": {"p": [{}]}}, Style()) == (
        '{\n  "fee": ["dues", "é"],\n  "o": {\n    "p": [\n      {}\n    ]\n  }\n}'
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['say "hi"', "a\\b", "\n\t", "é\u2028", "日本", "\\u00e9", "[{"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([1.0, 2.5e10]) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
layouts = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : ")]),
    }
)


@examples(30)
@given(st.lists(st.dictionaries(texts, values, max_size=4), min_size=1, max_size=4), layouts, st.booleans(), texts, st.data())
def test_changing_one_description_leaves_the_rest_of_the_file_alone(
    extras: list[dict[str, Any]], layout: dict[str, Any], windows: bool, new: str, data: st.DataObject
) -> None:
    tools: list[dict[str, Any]] = [{**extra, "name": f"t{i}", "description": f"old {i}"} for i, extra in enumerate(extras)]
    document: dict[str, Any] = {"tools": tools, "x-after": [1.0]}
    text = json.dumps(document, **layout)
    text = text.replace("\n", "\r\n") if windows else text
    n = data.draw(st.integers(0, len(tools) - 1))

    found = member(root(text), "tools")
    assert found is not None
    entry = open_box(text, open_box(text, found.value).items[n].value)
    old = member(entry, "description")
    assert old is not None
    after = text[: entry.start] + with_members(entry, {"description": new}, style_of(text)) + text[entry.end :]

    assert after.startswith(text[: old.value]) and after.endswith(text[old.end :])
    tools[n]["description"] = new
    assert json.loads(after) == document and list(json.loads(after)["tools"][n]) == list(tools[n])


@examples(40)
@given(values, values, layouts, st.booleans())
def test_a_patched_text_holds_exactly_the_new_value(old: Any, new: Any, layout: dict[str, Any], windows: bool) -> None:
    text = json.dumps({"v": old, "w": [old]}, **layout)
    text = text.replace("\n", "\r\n") if windows else text
    wanted = {"v": new, "w": [old, new], "x": new}
    assert json.dumps(json.loads(changed(text, wanted)), sort_keys=True) == json.dumps(wanted, sort_keys=True)


@given(values, layouts)
def test_a_text_that_gets_its_own_value_stays_byte_for_byte(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps([value], **layout)
    assert changed(text, [value]) == text
