"""The operations of an OpenAPI document (2.0 to 3.1) as tools; nothing outside the document is fetched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from curator_core.files.json_source import JsonFault, kind_of

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MAX_DEFINITIONS = 30  # of one tool; what refers to more is left open
_BODY_TYPES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_NOT_SCHEMA = ("name", "in", "required", "description", "schema", "content", "style", "explode", "collectionFormat", "allowEmptyValue")
Found = tuple[str, Any]


def is_openapi(value: Any) -> bool:
    """Say whether a value is an OpenAPI document."""
    return isinstance(value, dict) and any(key in value for key in ("openapi", "swagger")) and ("paths" in value or "info" in value)


def operations(document: Mapping[str, Any]) -> tuple[list[Found], list[str]]:
    """Return place and entry, with the keys of tools.json, of each operation; an entry that is no object is returned as it is.

    A tool is called by its operationId where that is a text and unique, else by method and path. The second list has the places of
    operations that refer to more than MAX_DEFINITIONS schemas. Raises JsonFault without operations.
    """
    found = list(_operations(document))
    if not found:
        raise JsonFault("an OpenAPI document without operations", 'its "paths" say nothing that could be called; give the whole document')
    ids = Counter(
        operation.get("operationId") for _, _, _, operation in found if isinstance(operation, dict) and _text(operation, "operationId")
    )
    group = _text(document.get("info"), "title")
    taken: Counter[str] = Counter()
    tools: list[Found] = []
    cut: list[str] = []
    for path, method, shared, operation in found:
        where = f"{method.upper()} {path}"
        if not isinstance(operation, dict):
            tools.append((where, operation))
            continue
        name = _text(operation, "operationId")
        name = name if name and ids[name] == 1 else _name(method, path)
        taken[name] += 1
        name = name if taken[name] == 1 else f"{name}_{taken[name]}"
        schemas = _Schemas(document)
        tools.append((where, _entry(name, where, operation, schemas, shared, group)))
        cut += [where] if schemas.cut else []
    return tools, cut


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Any], Any]]:
    paths = document.get("paths")
    for path, written in paths.items() if isinstance(paths, dict) else ():
        item = _resolved(document, written)
        for method in item if isinstance(item, dict) else ():
            if method.lower() in METHODS:
                shared = item.get("parameters")
                yield path, method.lower(), shared if isinstance(shared, list) else [], item[method]


def _entry(name: str, where: str, operation: dict[str, Any], schemas: _Schemas, shared: list[Any], group: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": name,
        "description": _description(operation),
        "parameters": schemas.of(operation, shared),
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
        value = value.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(value, Mapping) else None
    return value


class _Schemas:
    """Makes the parameters of one operation: a JSON Schema that stands on its own, with what it refers to under $defs."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.names: dict[str, str] = {}
        self.cut = False

    def of(self, operation: dict[str, Any], shared: list[Any]) -> dict[str, Any] | None:
        own = operation.get("parameters")
        properties: dict[str, Any] = {}
        required: list[str] = []
        body: tuple[Any, bool] | None = self._body(operation.get("requestBody"))
        for parameter in (_resolved(self.document, one) for one in (*shared, *(own if isinstance(own, list) else ()))):
            name = _text(parameter, "name")
            if not name or not isinstance(parameter, dict):
                continue
            if parameter.get("in") == "body":
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
        body = _resolved(self.document, body)
        content = body.get("content") if isinstance(body, dict) else None
        if not isinstance(content, dict) or not content:
            return None
        media = next((content[kind] for kind in _BODY_TYPES if kind in content), next(iter(content.values())))
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
