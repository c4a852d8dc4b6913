"""Files of test queries: recognised, read line by line with exact complaints, and written so that reading gives the same."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import TestQuery
from curator_core.queries.query_csv import read_csv, write_csv
from curator_core.queries.query_files import read_query_file, recognised, write_jsonl
from curator_core.queries.query_trec import write_qrels

PAY = TestQuery("how do I pay", ("pay", "list fees"), ("refund",), "student", ("exact", "fees"), True, "asked daily")
WEATHER = TestQuery("weather", ())
OPEN = TestQuery("what now", None)


def said(name: str, data: bytes | str, *topics: str) -> list[str]:
    return [f"{one.level}: {one}" for one in read_query_file(name, data, *topics).problems]


def cases(name: str, data: bytes | str, *topics: str) -> list[TestQuery]:
    return [row.case for row in read_query_file(name, data, *topics).rows]


# recognised by the text


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("pasted text", '{"query": "q"}', "jsonl"),
        ("pasted text", '[{"query": "q"}]', "jsonl"),
        ("a.txt", "1 0 pay 1\n1 0 show 0\n", "qrels"),
        ("a.qrels", "nonsense", "qrels"),
        ("pasted text", "query,expected\nq,pay\n", "csv"),
        ("pasted text", "how do I pay\nwhat can I do\n", "csv"),
        ("a.jsonl", "", "jsonl"),
    ],
)
def test_the_format_is_recognised_by_the_text(name: str, text: str, kind: str) -> None:
    assert recognised(name, text) == kind


# tables


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_with_named_columns_is_read_with_any_usual_separator(separator: str) -> None:
    lines = [
        ("Question", "Expected tools", "Tags"),
        ("how do I pay", "pay | list fees", "exact|fees"),
        ("weather", "(no tool)", ""),
        ("x", "", ""),
    ]
    text = "\r\n".join(separator.join(line) for line in lines)
    assert cases("a.csv", text) == [
        TestQuery("how do I pay", ("pay", "list fees"), tags=("exact", "fees")),
        TestQuery("weather", ()),
        TestQuery("x", None),
    ]


def test_columns_may_stand_in_any_order_and_only_those_named_are_given() -> None:
    (row,) = read_query_file("a.csv", "expected,query\npay,how do I pay\n").rows
    assert (row.line, row.case, row.given) == (2, TestQuery("how do I pay", ("pay",)), {"query", "expected"})


def test_without_a_line_of_names_each_line_is_one_question_commas_and_all() -> None:
    text = 'show my fees, please\n\nit says "no", why\n'
    assert cases("pasted text", text) == [TestQuery("show my fees, please", None), TestQuery('it says "no", why', None)]


def test_cells_copied_from_a_spreadsheet_are_question_and_tools() -> None:
    assert cases("pasted text", "how do I pay\tpay\nweather\t(no tool)\n") == [TestQuery("how do I pay", ("pay",)), WEATHER]


def test_every_line_that_cannot_be_used_is_named_and_the_others_are_read() -> None:
    text = 'query,expected,critical,colour\npay fees,pay,perhaps,red\n,pay,,\nfine,pay,yes,\na,b,c,d,e\n\n"two\nlines",pay,,\n'
    assert cases("a.csv", text) == [TestQuery("fine", ("pay",), critical=True), TestQuery("two\nlines", ("pay",))]
    assert said("a.csv", text) == [
        "warning: a.csv, line 1: columns that are not used: colour; there are query, expected, forbidden, role, tags, critical, note",
        'error: a.csv, line 2: critical is "perhaps"; write true or false, or leave it empty',
        "error: a.csv, line 3: query is blank; write the question as text",
        "error: a.csv, line 5: 5 cells, but 4 columns; put quotes around a cell that holds the sign between the columns",
    ]
    assert [row.line for row in read_query_file("a.csv", text).rows] == [4, 7]


def test_a_line_whose_quotes_do_not_close_is_named_and_the_others_are_read() -> None:
    text = 'query,expected\nfine,pay\n"how do I pay,pay\n"he said "no"",pay\nfine too,pay\n'
    assert [case.query for case in cases("a.csv", text)] == ["fine", "fine too"]
    assert [line.split(":")[1] for line in said("a.csv", text)] == [" a.csv, line 3", " a.csv, line 4"]


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    assert said("a.csv", b"query\nfine\n\xff\xfe\n") == ["error: a.csv: line 3: byte 0xFF is not UTF-8 text; save the file as UTF-8"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "'="])
def test_no_cell_can_start_a_formula_in_a_spreadsheet(start: str) -> None:
    query = f"{start}cmd|' /C calc'!A0"
    written = write_csv([TestQuery(query, (query,), note=query)])
    cells = list(csv.reader(io.StringIO(written, newline="")))[1]
    assert all(cell[:1] not in tuple("=+-@\t\r＝") for cell in cells)
    (row,) = read_csv("a.csv", written).rows
    assert row.case == TestQuery(query.strip(), (query,), note=query.strip())


words = some.text(some.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
names = some.one_of(some.sampled_from(["pay", "(no tool)", "a|b", "[x]", " blank ", "=sum", "-", "", "e,f;g"]), words)
some_cases = some.builds(
    TestQuery,
    words.map(lambda text: text.strip() or "q"),
    some.one_of(some.none(), some.lists(names, max_size=3).map(tuple)),
    some.lists(names, max_size=2).map(tuple),
    some.one_of(some.none(), words.map(lambda text: text.strip() or "role")),
    some.lists(names, max_size=2).map(tuple),
    some.booleans(),
    words.map(str.strip),
)


@given(some.lists(some_cases, max_size=4))
def test_what_is_written_as_a_table_is_read_as_the_same(wanted: list[TestQuery]) -> None:
    found = read_csv("a.csv", write_csv(wanted))
    assert ([row.case for row in found.rows], found.problems) == (wanted, ())


# JSON lines


@given(some.lists(some_cases, max_size=4))
def test_what_is_written_as_json_lines_is_read_as_the_same(wanted: list[TestQuery]) -> None:
    assert cases("a.jsonl", write_jsonl(wanted)) == wanted


def test_json_lines_say_which_fields_they_speak_of_and_which_keys_are_not_used() -> None:
    text = '{"query": "a", "tags": ["x"], "id": 3}\n\n{"query": "b", "expected": ["pay"'
    (row,) = read_query_file("pasted text", text).rows
    assert (row.line, row.given) == (1, {"query", "tags"})
    first, second = said("pasted text", text)
    assert first.startswith("warning: pasted text, line 1: keys that are not used: id")
    assert second.startswith("error: pasted text, line 3: column ")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('"text"', 'found the text "text"'),
        ('{"expected": []}', 'it has no "query"'),
        ('{"query": " "}', "query is blank"),
        ('{"query": "a", "expected": [1]}', "expected holds the number 1"),
        ('{"query": "a\\ud800"}', "half a letter"),
    ],
)
def test_a_json_line_that_is_no_test_query_says_why(line: str, found: str) -> None:
    assert cases("a.jsonl", "{\n" if line.startswith('"') else line) == []
    assert found in said("a.jsonl", '{"query": "fine"}\n' + line)[0]


def test_a_list_of_objects_is_read_too() -> None:
    text = '[{"query": "a", "expected": []},\n 7]'
    assert cases("a.json", text) == [TestQuery("a", ())]
    assert said("a.json", text) == ['error: a.json, entry 2: found the number 7; write an object: {"query": "…", "expected": ["tool"]}']


# qrels


QRELS = "1 0 pay 1\n1 0 refund -1\n1 0 show 0\n2 0 renew 2\n2 0 show 1\n"


@pytest.mark.parametrize(
    "topics",
    [
        "1\thow do I pay\n2\tkeep a book\n3\tweather\n",
        '{"_id": "1", "text": "how do I pay"}\n{"_id": "2", "text": "keep a book"}\n{"_id": "3", "text": "weather"}\n',
        "<top>\n<num> Number: 1\n<title> how do I\npay\n<desc> x\n</top>\n<top><num>2<title>keep a book</top>"
        "<top><num>3<title>weather</top>",
    ],
)
def test_qrels_and_topics_make_test_queries_whichever_comes_first(topics: str) -> None:
    wanted = [TestQuery("how do I pay", ("pay",), ("refund",)), TestQuery("keep a book", ("renew", "show")), TestQuery("weather", None)]
    assert cases("a.qrels", QRELS, "topics", topics) == wanted
    assert cases("topics", topics, "a.qrels", QRELS) == wanted


def test_qrels_alone_ask_for_their_topics_and_wrong_lines_are_named() -> None:
    assert "give the topics too" in said("a.qrels", QRELS)[0]
    assert said("a.qrels", QRELS + "9 0 pay 1\n1 0\n", "topics", "1\ta\n2\tb\n3\n") == [
        "error: topics, line 3: found “3”; a topic is: number, tab, question",
        "error: a.qrels, line 6: topics has no question 9; add it there, or remove the line",
        "error: a.qrels, line 7: found 2 words, “1 0”; a line of qrels is: number of the question, 0, tool, grade",
    ]


def test_written_qrels_are_read_as_the_same_and_say_what_they_cannot_hold() -> None:
    found = write_qrels([PAY, WEATHER, TestQuery("show it", ("show",), ("pay",))])
    assert found.left_out == ("question 1: the tool “list fees” has a blank in its name", "question 2: that no tool applies")
    assert cases("q", found.qrels, "t", found.topics) == [
        TestQuery("how do I pay", ("pay",), ("refund",)),
        TestQuery("weather", None),
        TestQuery("show it", ("show",), ("pay",)),
    ]
