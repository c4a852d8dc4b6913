"""The operations of an OpenAPI document (2.0 to 3.1) as tools; nothing outside the document is fetched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from curator_core.files.json_source import JsonFault, kind_of

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
MAX_DEFINITIONS = 30  # of one tool; what refers to more is left open
_BODY_TYPES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_NOT_SCHEMA = ("name", "in", "required", "description", "schema", "content", "style", "explode", "collectionFormat", "allowEmptyValue")
_BUNDLE = "bundle all its files into one document, and give that"
Found = tuple[str, Any]
Remark = tuple[str, str, str]  # where, what was found, what to do


def is_openapi(value: Any) -> bool:
    """Say whether a value is an OpenAPI document."""
    return isinstance(value, dict) and any(key in value for key in ("openapi", "swagger")) and ("paths" in value or "info" in value)


def operations(document: Mapping[str, Any]) -> tuple[list[Found], list[Remark]]:
    """Return place and entry, with the keys of tools.json, of each operation; an entry that is no object is returned as it is.

    A tool is called by its operationId where that is a text and unique, else by method and path. The remarks say what is left open or
    out: paths and schemas of other documents, and operations that refer to more than MAX_DEFINITIONS schemas. Raises JsonFault without
    operations.
    """
    items, remarks = _items(document)
    found = [(path, method, item) for path, item in items for method in item if method.lower() in METHODS]
    if not found:
        raise JsonFault(*_without_operations(document, remarks))
    ids = Counter(said for _, method, item in found if (said := _text(item[method], "operationId")))
    group = _text(document.get("info"), "title")
    taken: Counter[str] = Counter()
    tools: list[Found] = []
    cut: list[str] = []
    lost: dict[str, None] = {}
    for path, method, item in found:
        where, operation = f"{method.upper()} {path}", item[method]
        if not isinstance(operation, dict):
            tools.append((where, operation))
            continue
        name = _text(operation, "operationId")
        name = name if name and ids[name] == 1 else _name(method.lower(), path)
        taken[name] += 1
        name = name if taken[name] == 1 else f"{name}_{taken[name]}"
        schemas = _Schemas(document)
        tools.append((where, _entry(name, where, item, operation, schemas, group)))
        cut += [where] if schemas.cut else []
        lost |= schemas.lost
    return tools, [*remarks, *_left_open(cut, list(lost))]


def _items(document: Mapping[str, Any]) -> tuple[list[tuple[str, dict[str, Any]]], list[Remark]]:
    """Return what stands under each path, references inside the document followed, and a remark for each that leads elsewhere."""
    items: list[tuple[str, dict[str, Any]]] = []
    remarks: list[Remark] = []
    paths = document.get("paths")
    for path, written in paths.items() if isinstance(paths, dict) else ():
        item = _resolved(document, written)
        beside = {key: value for key, value in written.items() if key != "$ref"} if isinstance(written, dict) else {}
        if isinstance(item, dict) and not path.startswith("x-"):
            items.append((path, {**item, **beside}))
        elif isinstance(written, dict) and isinstance(written.get("$ref"), str):
            items += [(path, beside)] if beside else []
            remarks.append((path, f"its operations are not in this document ($ref {written['$ref'][:80]})", _BUNDLE))
    return items, remarks


def _without_operations(document: Mapping[str, Any], remarks: list[Remark]) -> tuple[str, str]:
    if remarks:
        places = ", ".join(f"{where}: {found}" for where, found, _ in remarks[:3])
        return f"an OpenAPI document whose operations are elsewhere: {places}", _BUNDLE
    if isinstance(document.get("webhooks"), dict) and document["webhooks"]:
        return "an OpenAPI document of webhooks alone, which the API calls, not its users", "give the document with the paths"
    return "an OpenAPI document without operations", 'its "paths" say nothing that could be called; give the whole document'


def _left_open(cut: list[str], lost: list[str]) -> Iterator[Remark]:
    if cut:
        found = (
            f"{len(cut)} operation{'s refer' if len(cut) > 1 else ' refers'} to more than {MAX_DEFINITIONS} schemas: {', '.join(cut[:3])}"
        )
        yield "", found, "their parameters are kept, what lies deeper is left open"
    if lost:
        shown = ", ".join(reference[:80] for reference in lost[:3])
        found = f"{len(lost)} reference{'s lead' if len(lost) > 1 else ' leads'} out of the document or nowhere: {shown}"
        yield "", found, f"what they name is left open; {_BUNDLE}"


def _entry(name: str, where: str, item: dict[str, Any], operation: dict[str, Any], schemas: _Schemas, group: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": name,
        "description": _description(operation) or _description(item),
        "parameters": schemas.of(operation, item.get("parameters")),
        "operation": where,
    }
    tags = operation.get("tags")
    entry |= {"tags": [tag for tag in tags if isinstance(tag, str)]} if isinstance(tags, list) else {}
    entry |= {"group": group} if group else {}
    return entry | ({"deprecated": True} if operation.get("deprecated") is True else {})


def _description(operation: dict[str, Any]) -> str:
    summary, description = (_text(operation, key).strip() for key in ("summary", "description"))
    if not summary or description.startswith(summary.rstrip(".")):
        return description
    return f"{summary}{'' if summary.endswith(('.', '!', '?')) else '.'} {description}".strip() if description else summary


def _name(method: str, path: str) -> str:
    """Return a name whose words are those of method and path: get_pets_by_petId."""
    words = re.sub(r"\{([^}]*)\}", r" by \1 ", path)
    return "_".join((method, *re.findall(r"\w+", words)))


def _text(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _resolved(document: Mapping[str, Any], value: Any) -> Any:
    """Follow references inside the document; what leads nowhere, outside or in a circle gives None."""
    for _ in range(20):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            return value
        value = _at(document, value["$ref"])
    return None


def _at(document: Mapping[str, Any], reference: str) -> Any:
    value: Any = document
    for step in reference[2:].split("/") if reference.startswith("#/") else ("\0",):
        value = value.get(unquote(step).replace("~1", "/").replace("~0", "~")) if isinstance(value, Mapping) else None
    return value


class _Schemas:
    """Makes the parameters of one operation: a JSON Schema that stands on its own, with what it refers to under $defs."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.names: dict[str, str] = {}
        self.cut = False
        self.lost: dict[str, None] = {}

    def of(self, operation: dict[str, Any], shared: Any) -> dict[str, Any] | None:
        properties: dict[str, Any] = {}
        required: list[str] = []
        body: tuple[Any, bool] | None = self._body(operation.get("requestBody"))
        for (called, place), parameter in self._listed(shared, operation.get("parameters")).items():
            name = called if called not in properties else f"{place}_{called}"
            if place == "body":
                body = parameter.get("schema"), parameter.get("required") is True
                continue
            properties[name] = self._parameter(parameter)
            if parameter.get("required") is True and name not in required:
                required.append(name)
        if body is not None:
            self._add_body(*body, properties, required)
        if not properties:
            return None
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        schema |= {"required": required} if required else {}
        definitions = self._definitions()
        return schema | ({"$defs": definitions} if definitions else {})

    def _listed(self, *lists: Any) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the parameters by name and place; those of the operation count before those of its path."""
        named: dict[tuple[str, str], dict[str, Any]] = {}
        for written in (one for some in lists if isinstance(some, list) for one in some):
            parameter = self._followed(written)
            if isinstance(parameter, dict) and _text(parameter, "name"):
                named[parameter["name"], _text(parameter, "in")] = parameter
        return named

    def _followed(self, value: Any) -> Any:
        found = _resolved(self.document, value)
        if found is None and isinstance(value, dict):
            self.lost[str(value.get("$ref"))] = None
        return found

    def _parameter(self, parameter: dict[str, Any]) -> Any:
        content = parameter.get("content")
        held = next(iter(content.values()), None) if isinstance(content, dict) else None
        found = parameter.get("schema", held.get("schema") if isinstance(held, dict) else None)
        if not isinstance(found, dict):
            found = {key: value for key, value in parameter.items() if key not in _NOT_SCHEMA and not key.startswith("x-")}
        said = _text(parameter, "description")
        schema = self._copied(found)
        return {**schema, "description": said} if said and "description" not in schema else schema

    def _body(self, body: Any) -> tuple[Any, bool] | None:
        body = self._followed(body)
        content = body.get("content") if isinstance(body, dict) else None
        if not isinstance(content, dict) or not content:
            return None
        kinds = [*(kind for kind in _BODY_TYPES if kind in content), *(kind for kind in content if "json" in kind), *content]
        media = content[kinds[0]]
        return (media.get("schema") if isinstance(media, dict) else None), body.get("required") is True

    def _add_body(self, schema: Any, needed: bool, properties: dict[str, Any], required: list[str]) -> None:
        """Add the fields of a body beside the other parameters, or the body as one of them where it is no plain object."""
        plain = _resolved(self.document, schema)
        inner = plain.get("properties") if isinstance(plain, dict) else None
        flat = isinstance(inner, dict) and not ({"allOf", "oneOf", "anyOf"} & plain.keys()) and not (inner.keys() & properties.keys())
        if not flat or not isinstance(inner, dict):
            properties["body"] = self._copied(schema if isinstance(schema, dict) else {})
            required += ["body"] if needed and "body" not in required else []
            return
        properties.update({name: self._copied(one) for name, one in inner.items()})
        named = plain.get("required")
        required += [name for name in named if isinstance(name, str)] if needed and isinstance(named, list) else []

    def _copied(self, value: Any) -> Any:
        """Return a schema with its references pointing to $defs; a reference that cannot be followed is left open."""
        if isinstance(value, list):
            return [self._copied(one) for one in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str):
            return self._reference(reference)
        return {key: self._copied(inner) for key, inner in value.items()}

    def _reference(self, reference: str) -> dict[str, Any]:
        if reference not in self.names:
            known = isinstance(_at(self.document, reference), (dict, bool))
            if not known or len(self.names) >= MAX_DEFINITIONS:
                self.cut = self.cut or known
                self.lost |= {} if known else {reference: None}
                return {}
            name = reference.rsplit("/", 1)[-1]
            self.names[reference] = name if name not in self.names.values() else f"{name}_{len(self.names) + 1}"
        return {"$ref": f"#/$defs/{self.names[reference]}"}

    def _definitions(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        while len(made) < len(self.names):
            reference = list(self.names)[len(made)]
            made[self.names[reference]] = self._copied(_at(self.document, reference))
        return made


def kind(document: Mapping[str, Any]) -> str:
    """Name the version of a document as its author would."""
    version = document.get("openapi", document.get("swagger"))
    return f"OpenAPI {version if isinstance(version, (str, int, float)) else kind_of(version)}"
