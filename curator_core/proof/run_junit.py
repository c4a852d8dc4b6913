"""An evaluation as JUnit XML, which build servers show: one test case a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from curator_core.evaluation import Evaluation
from curator_core.proof.gate import Check
from curator_core.proof.query_result import QueryResult
from curator_core.queries.held_out import is_held_out
from curator_core.text import visible

_NOT_XML = re.compile("[\ufffe\uffff]")


def junit_xml(evaluation: Evaluation, checks: Sequence[Check] = ()) -> str:
    """Return the run as one test suite; metrics and checks are its properties.

    A question fails when a check of kind `no …` names it; without such a check, when it is not right. Others that are not right, and those
    that nobody judged, are skipped with the reason; those that cannot be asked are errors. Held-out questions have a number, no text.
    """
    naming = [check for check in checks if check.name.startswith("no ")]
    failing = {number for check in naming for number in check.results}
    if not naming:
        failing = {number for number, result in enumerate(evaluation.results) if result.right is False}
    suites = ElementTree.Element("testsuites", name="tool-curator")
    suite = ElementTree.SubElement(suites, "testsuite", name=_shown(evaluation.registry))
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(evaluation, checks):
        ElementTree.SubElement(properties, "property", name=_shown(name), value=_shown(value))
    kinds = [_add_case(suite, evaluation.registry, result, number in failing) for number, result in enumerate(evaluation.results)]
    counts = {"failures": kinds.count("failure"), "errors": kinds.count("error"), "skipped": kinds.count("skipped")}
    for element in (suites, suite):
        element.attrib.update({"tests": str(len(kinds))} | {name: str(count) for name, count in counts.items()})
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="us-ascii").decode()  # other letters as &#8220;: no terminal can spoil them
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _shown(text: str) -> str:
    """Return the text as XML can hold it."""
    return _NOT_XML.sub("\ufffd", visible(text))


def _properties(evaluation: Evaluation, checks: Sequence[Check]) -> list[tuple[str, str]]:
    about = [("profile", evaluation.settings.profile), ("model", evaluation.model or "words only"), ("fingerprint", evaluation.fingerprint)]
    tune, held_out = evaluation.apart
    parts = [("", tune), ("held_out:", held_out)] if held_out.results else [("", evaluation)]
    figures = [(prefix + name, repr(value)) for prefix, part in parts for name, value in part.metrics.items() if value is not None]
    verdicts = [(f"check {check.name}", f"{'passed' if check.passed else 'failed'}: {check.found}") for check in checks]
    return about + figures + verdicts + [("not a question", reason) for reason in evaluation.unread]


def _add_case(suite: ElementTree.Element, registry: str, result: QueryResult, fails: bool) -> str:
    role = _shown(result.case.role or "everybody")
    hidden = is_held_out(result.case)
    name = f"held-out question {len(suite)}" if hidden else _shown(result.case.query)
    case = ElementTree.SubElement(suite, "testcase", classname=f"{_shown(registry)}.{role}", name=name)
    told = "" if hidden else "; ".join(loss.sentence for loss in result.losses) or result.reason
    why = _shown(told or "it is not right any more")
    kind = "error" if result.status == "invalid" else "failure" if fails else "skipped" if not result.right else ""
    if kind:
        said = f"not right: {why}" if kind == "skipped" and result.right is False else why
        ElementTree.SubElement(case, kind, message=said)
    return kind
