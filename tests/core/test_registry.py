"""What a registry says about its tools: keys, roles, near misses."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core.errors import UnknownName
from curator_core.registry import Registry, TestQuery, Tool


def keys(*tools: Tool) -> tuple[str, ...]:
    return Registry(tools=tools).keys


def test_a_tools_key_is_its_name_when_unique() -> None:
    assert keys(Tool("pay_fee", group="money"), Tool("book_room")) == ("pay_fee", "book_room")


def test_tools_of_one_name_are_told_apart_by_group() -> None:
    assert keys(Tool("search", group="files"), Tool("search", group="mail")) == ("search@files", "search@mail")


def test_tools_of_one_name_and_group_are_told_apart_by_position() -> None:
    assert keys(Tool("search"), Tool("other"), Tool("search"), Tool("search", group="mail")) == (
        "search#1",
        "other",
        "search#2",
        "search@mail",
    )
    assert keys(Tool("search", group="a"), Tool("search", group="a")) == ("search#1", "search#2")


def test_a_tool_whose_name_looks_like_a_key_keeps_it() -> None:
    tools = (Tool("search", group="files"), Tool("search", group="mail"), Tool("search@files"), Tool("search#1"))
    assert keys(*tools) == ("search#1#2", "search@mail", "search@files", "search#1")


names = st.sampled_from(["a", "a@x", "a#1", "a#1#2", "b"])


@given(st.lists(st.builds(Tool, names, group=st.sampled_from(["", "x", "y"])), max_size=8))
def test_keys_are_unique_whatever_the_names(tools: list[Tool]) -> None:
    found = keys(*tools)
    assert len(set(found)) == len(tools)
    by_name = [tool.name for tool in tools]
    assert all(key == tool.name for key, tool in zip(found, tools, strict=True) if by_name.count(tool.name) == 1)


def test_by_key_and_pool_are_in_order_of_code_points() -> None:
    registry = Registry(tools=(Tool("b"), Tool("é"), Tool("Z"), Tool("a")))
    assert list(registry.by_key) == ["Z", "a", "b", "é"] == list(registry.pool())


def test_a_role_sees_its_own_tools_and_those_for_everyone() -> None:
    registry = Registry(tools=(Tool("b", roles=("warden",)), Tool("c"), Tool("a", roles=("student", "warden"))))
    assert registry.roles == ("student", "warden")
    assert registry.pool(role="student") == ("a", "c")
    with pytest.raises(UnknownName, match=r"no role 'dean'.*there are: student, warden"):
        registry.pool(role="dean")


def test_an_unknown_tool_brings_the_nearest_names() -> None:
    registry = Registry(name="campus", tools=(Tool("pay_fee"), Tool("book_room")))
    with pytest.raises(UnknownName, match=r"no tool 'pay_fees' in registry 'campus'; did you mean pay_fee\?"):
        registry.tool("pay_fees")
    with pytest.raises(UnknownName, match="there are 2: book_room, pay_fee"):
        registry.tool("zzz")
    with pytest.raises(UnknownName, match="it has no tools"):
        Registry().tool("zzz")


def test_lists_and_plain_dicts_are_taken_as_they_come() -> None:
    listed = Registry(name="x", tools=[Tool("a", roles=["s"], tags=["t"])], synonyms={"fee": ["dues"], "room": "flat"})  # type: ignore[arg-type]
    assert listed == Registry(name="x", tools=(Tool("a", roles=("s",), tags=("t",)),), synonyms={"fee": ("dues",), "room": ("flat",)})
    assert listed.tools[0].roles == ("s",)
    assert Tool("a", roles="student").roles == ("student",)  # type: ignore[arg-type]
    assert TestQuery("q", expected=["a"]).expected == ("a",)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        listed.synonyms["fee"] = ()  # type: ignore[index]


def test_registries_and_tools_can_be_hashed_and_compared_by_value() -> None:
    one, same = (Registry(tools=(Tool("a", parameters={"type": "object"}),), synonyms={"fee": ("dues",)}) for _ in range(2))
    assert one == same and hash(one) == hash(same)
    assert one != Registry(tools=(Tool("a"),), synonyms={"fee": ("dues",)})


@pytest.mark.process
def test_importing_the_registry_loads_no_heavy_library() -> None:
    heavy = ("numpy", "pydantic", "torch", "streamlit", "filelock")
    code = f"import sys, curator_core.files.folder; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_registries_with_the_same_tools_and_synonyms_have_the_same_content() -> None:
    one, two = (Registry(name=name, tools=(Tool("pay", "Pay"),), synonyms={"fee": ["dues"]}) for name in ("one", "two"))
    assert one.content == two.content and hash(one.content) == hash(two.content)
    assert one.content != two.with_edits([two.edit("fee", "synonyms", ("due",))]).content
    assert one.content != one.with_edits([one.edit("pay", "description", "Pay it")]).content


@pytest.mark.parametrize(
    ("name", "said"), [(" pay ", "blanks at the edge"), ("pay\nfees", "a line break"), ("pay\u2028fees", "a line break")]
)
def test_a_name_with_what_nobody_sees_is_a_warning_and_the_tool_is_kept(name: str, said: str) -> None:
    (warning,) = Registry(tools=(Tool(name, "Pay"), Tool("a b/c", "Show"))).warnings
    assert said in warning.found and "write pay" in warning.fix and "\n" not in str(warning)
