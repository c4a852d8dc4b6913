"""OpenAPI documents as companies keep them: paths in other places, parameters of a path, bodies of every kind, YAML with anchors."""

from __future__ import annotations

from typing import Any

import pytest

from curator_core import RegistryError, import_tools, read_source
from curator_core.tool import Tool


def document(paths: Any, **more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": ""}, "paths": paths, **more}


def properties(tool: Tool) -> dict[str, Any]:
    assert tool.parameters is not None
    return dict(tool.parameters["properties"])


def test_a_path_that_refers_to_another_place_of_the_document_is_read_with_what_stands_beside() -> None:
    items = {"Pets": {"get": {"summary": "Every pet"}}}
    paths = {"/pets": {"$ref": "#/components/pathItems/Pets", "post": {"summary": "Add a pet"}}}
    assert [(tool.name, tool.description) for tool in import_tools(document(paths, components={"pathItems": items})).tools] == [
        ("get_pets", "Every pet"),
        ("post_pets", "Add a pet"),
    ]


@pytest.mark.parametrize("reference", ["./pets.yaml", "https://x/pets.json#/a", "#/nowhere", "#/paths/~1pets"])
def test_a_path_that_is_elsewhere_is_named_and_the_others_load(reference: str) -> None:
    found = read_source(document({"/pets": {"$ref": reference}, "/shops": {"get": {"summary": "Every shop"}}}), "api.json")
    assert found.registry.keys == ("get_shops",) and not found.complete
    (problem,) = found.problems
    assert problem.where == "api.json, /pets" and reference in problem.found and "bundle all its files" in problem.fix
    with pytest.raises(RegistryError, match="whose operations are elsewhere: /pets"):
        import_tools(document({"/pets": {"$ref": reference}}))


def test_references_that_lead_out_of_the_document_are_named_once() -> None:
    body = {"content": {"application/json": {"schema": {"$ref": "pets.yaml#/Pet"}}}}
    parameters = [{"$ref": "./shared.yaml"}, {"name": "q", "in": "query", "schema": {"type": "string"}}]
    found = read_source(document({"/pets": {"post": {"summary": "Add", "requestBody": body, "parameters": parameters}}}))
    (problem,) = found.problems
    assert "2 references lead out of the document or nowhere: ./shared.yaml, pets.yaml#/Pet" in problem.found
    assert problem.level == "warning" and list(properties(found.registry.tools[0])) == ["q", "body"]


def test_parameters_of_a_path_hold_for_its_operations_unless_they_have_their_own() -> None:
    shared = [{"name": "id", "in": "path", "schema": {"type": "string"}}, {"name": "v", "in": "header", "schema": {"type": "string"}}]
    own = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}, {"name": "v", "in": "query", "schema": {}}]
    (tool,) = import_tools(document({"/a/{id}": {"summary": "An a", "parameters": shared, "get": {"parameters": own}}})).tools
    assert properties(tool) == {"id": {"type": "integer"}, "v": {"type": "string"}, "query_v": {}}
    assert tool.description == "An a", "an operation without words has those of its path"


def test_a_body_is_taken_as_json_where_there_are_several_kinds() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    content = {"text/plain": {"schema": {"type": "string"}}, "application/vnd.x+json": {"schema": schema}}
    for kinds in (content, {"application/json; charset=utf-8": {"schema": schema}}):
        (tool,) = import_tools(document({"/a": {"post": {"summary": "A", "requestBody": {"content": kinds}}}})).tools
        assert list(properties(tool)) == ["q"]


@pytest.mark.parametrize("word", ["allOf", "oneOf", "anyOf"])
def test_a_body_that_is_put_together_is_one_parameter(word: str) -> None:
    body = {"required": True, "content": {"application/json": {"schema": {word: [{"$ref": "#/components/schemas/X"}, {"type": "object"}]}}}}
    schemas = {"X": {"type": "object", "properties": {"a": {"type": "string"}}}}
    (tool,) = import_tools(document({"/a": {"post": {"summary": "A", "requestBody": body}}}, components={"schemas": schemas})).tools
    assert properties(tool) == {"body": {word: [{"$ref": "#/$defs/X"}, {"type": "object"}]}}
    assert tool.parameters is not None and (tool.parameters["$defs"], tool.parameters["required"]) == (schemas, ["body"])


def test_yaml_with_anchors_and_numbers_as_keys_is_read() -> None:
    text = (
        "swagger: '2.0'\ninfo: {title: Pets, version: 1.0}\nx-shared: &p\n  - {name: on, in: query, type: string}\npaths:\n"
        "  /pets:\n    get: &g\n      summary: Every pet\n      parameters: *p\n      responses:\n        200: {description: fine}\n"
        "  /shops:\n    get:\n      <<: *g\n      summary: Every shop\n  x-notes: {get: {summary: no operation}}\n"
    )
    found = read_source(text, "api.yaml")
    assert [(tool.name, tool.description, list(properties(tool))) for tool in found.registry.tools] == [
        ("get_pets", "Every pet", ["on"]),
        ("get_shops", "Every shop", ["on"]),
    ]
    assert (found.shape, found.problems) == ("OpenAPI 2.0", ())


def test_an_escaped_reference_is_followed() -> None:
    components = {"parameters": {"a/b c": {"name": "q", "in": "query", "schema": {"type": "string"}}}}
    paths = {"/a": {"get": {"summary": "A", "parameters": [{"$ref": "#/components/parameters/a~1b%20c"}]}}}
    assert list(properties(import_tools(document(paths, components=components)).tools[0])) == ["q"]


def test_a_document_of_webhooks_alone_is_refused_for_that() -> None:
    with pytest.raises(RegistryError, match="webhooks alone, which the API calls"):
        import_tools(document({}, webhooks={"paid": {"post": {"summary": "Somebody paid"}}}))
    kept = import_tools(document({"/a": {"get": {"summary": "A"}}}, webhooks={"paid": {"post": {"summary": "Somebody paid"}}}))
    assert kept.keys == ("get_a",)
