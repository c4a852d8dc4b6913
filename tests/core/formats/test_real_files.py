"""Files that people really have: each gives the right number of tools under the right shape, or is refused for the right reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_core import RegistryError, export_registry, import_tools, read_source

FILES = Path(__file__).parents[4] / "shared" / "formats"
pytestmark = pytest.mark.skipif(not FILES.is_dir(), reason="the folder of real files is not there")

TABLE = [
    ("anthropic_tools.customer_service.json", "Anthropic tools", 3, "get_customer_info"),
    ("bfcl_func_doc.ticket_api.jsonl", "JSON Lines of BFCL function documents", 9, "close_ticket"),
    ("csv__api_bank_all_apis.csv", "a table (CSV or TSV)", 101, "GetUserToken"),
    ("gemini_function_declarations.apollo_banking_6.json", "Gemini function declarations", 50, "SearchCustomerByName"),
    ("langchain_tools.sample.json", "LangChain tools in 2 lists", 2, "apply_for_hostel_leave"),
    ("mcp_gateway_registry.server.json", "tools of an MCP gateway", 5, "toggle_service"),
    ("mcp_multi_server.livemcpbench.json", "MCP tools of 24 servers", 202, "bing_search"),
    ("mcp_tool__github_issue_write.snap", "one tool (MCP tools)", 1, "issue_write"),
    ("mcp_tools_list.github-mcp-server.json", "MCP tools/list in a JSON-RPC envelope", 117, "actions_get"),
    ("mcp_tools_list__jsonrpc_envelope.json", "MCP tools/list in a JSON-RPC envelope", 1, "get_weather"),
    ("mcp_tools_list__with_next_cursor.json", "MCP tools/list", 1, "get_weather"),
    ("metatool__plugin_des.json", "{name: description}", 199, "timeport"),
    ("openai_functions.apollo_banking_6.json", "OpenAI tools", 50, "SearchCustomerByName"),
    ("openapi3.petstore.yaml", "OpenAPI 3.0.4", 19, "updatePet"),
    ("openapi3.spotify.json", "OpenAPI 3.0.3", 40, "get-an-album"),
    ("openapi3__no_operation_ids.yaml", "OpenAPI 3.0.0", 3, "get_pets"),
]


@pytest.mark.parametrize(("file", "shape", "count", "first"), TABLE, ids=[row[0] for row in TABLE])
def test_a_real_file_gives_its_tools_under_its_shape(file: str, shape: str, count: int, first: str) -> None:
    found = read_source(FILES / file)
    tools = found.registry.tools
    assert (found.shape, len(tools), tools[0].name) == (shape, count, first)
    assert len(set(found.registry.keys)) == count and len(found.origins) == count
    assert all(tool.description for tool in tools)
    assert not [problem for problem in found.problems if problem.level == "error"]
    assert import_tools((FILES / file).read_bytes()).tools == tools


def test_every_real_file_is_in_the_table() -> None:
    others = {"SOURCES.md", "claude_desktop_like__livemcp_clean_config.json", "synonyms__solr_blacklight.txt"}
    assert {file.name for file in FILES.iterdir()} - others == {row[0] for row in TABLE}


def test_a_configuration_lists_servers_and_is_refused() -> None:
    with pytest.raises(RegistryError, match=r"this lists servers, not tools \(70: fetch, "):
        import_tools(FILES / "claude_desktop_like__livemcp_clean_config.json")


def test_what_the_formats_differ_in_is_evened_out() -> None:
    gemini, openai = (
        import_tools(FILES / f"{kind}.apollo_banking_6.json") for kind in ("gemini_function_declarations", "openai_functions")
    )
    assert gemini.tools == openai.tools
    searches = [key for key in import_tools(FILES / "mcp_multi_server.livemcpbench.json").keys if key.startswith("search@")]
    assert searches == ["search@biomcp", "search@yfmcp"]
    tool = import_tools(FILES / "bfcl_func_doc.ticket_api.jsonl").tools[0]
    assert tool.parameters is not None and tool.parameters["type"] == "object"


def test_rules_of_solr_are_read_with_their_direction() -> None:
    found = read_source(FILES / "synonyms__solr_blacklight.txt")
    rules = found.registry.synonyms
    assert (found.shape, found.registry.tools, found.problems) == ("synonyms of Solr", (), ())
    assert rules["aaaa"] == ("aaa",) and "aaa" not in rules
    assert rules["cccc2"] == ("ccc",) and rules["b=>b"] == ("a=>a",) and rules["b,b"] == ("a,a",)
    assert rules["TV"] == ("Television", "Televisions", "TVs") and rules["pixma"] == ("pixima",)


def test_a_page_with_a_cursor_says_that_more_exists_and_the_same_page_twice_counts_once() -> None:
    page, envelope = (FILES / f"mcp_tools_list__{kind}.json" for kind in ("with_next_cursor", "jsonrpc_envelope"))
    found = read_source([page, envelope])
    assert len(found.registry.tools) == 1 and not found.complete
    said = [problem.found for problem in found.problems]
    assert sum("more tools exist" in one for one in said) == 2 and any("another list too" in one for one in said)


def test_a_whole_folder_of_files_is_read_with_the_refused_one_listed() -> None:
    found = read_source(FILES)
    assert len(found.registry.tools) > 700 and len(found.registry.synonyms) == 22
    assert [problem.where for problem in found.problems if problem.level == "error"] == ["claude_desktop_like__livemcp_clean_config.json"]


@pytest.mark.parametrize(
    ("file", "format"),
    [
        ("anthropic_tools.customer_service.json", "anthropic"),
        ("bfcl_func_doc.ticket_api.jsonl", "bfcl"),
        ("csv__api_bank_all_apis.csv", "csv"),
        ("gemini_function_declarations.apollo_banking_6.json", "gemini"),
        ("mcp_gateway_registry.server.json", "gateway"),
        ("mcp_multi_server.livemcpbench.json", "mcp-servers"),
        ("mcp_tool__github_issue_write.snap", "mcp"),
        ("mcp_tools_list.github-mcp-server.json", "mcp"),
        ("mcp_tools_list__jsonrpc_envelope.json", "mcp"),
        ("metatool__plugin_des.json", "descriptions"),
        ("openai_functions.apollo_banking_6.json", "openai"),
        ("openapi3.spotify.json", "jsonl"),
        ("synonyms__solr_blacklight.txt", "solr"),
    ],
)
def test_a_real_file_is_the_same_after_export_and_import(file: str, format: str) -> None:
    first = import_tools(FILES / file)
    exported = export_registry(first, format)
    assert exported.left_out == ()
    again = import_tools(exported.text)
    assert (again.tools, again.synonyms) == (first.tools, first.synonyms)
