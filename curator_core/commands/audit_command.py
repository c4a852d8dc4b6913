"""`tool-curator audit`: what the name rule and the split do to the test queries, and which tools come too often or never."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from curator_core.commands.command_line import AsJson, Folder, Profile, Sets, open_curator, print_json, show


def audit_command(
    folder: Folder,
    profile: Profile = None,
    set_: Sets = None,
    as_json: AsJson = False,
    profiles: Annotated[bool, typer.Option(help="Also say which profile serves the test queries, and how many tools each takes.")] = False,
    stages: Annotated[bool, typer.Option(help="Also say what each stage of the profile is worth on the test queries.")] = False,
) -> None:
    """Say what the name rule and the split do to the test queries, and list magnets and ghosts."""
    from curator_core.collisions.clash_evidence import counted_results
    from curator_core.collisions.magnets import ghosts_of, magnets_of
    from curator_core.collisions.strays import estimate_strays
    from curator_core.commands.audit_printing import print_audits, print_worths
    from curator_core.evaluation import evaluate
    from curator_core.proof.audits import audit_name_rule, audit_split, forced_tools
    from curator_core.proof.profiles import profile_figures
    from curator_core.proof.stage_worth import stage_worths

    curator = open_curator(folder, profile, set_)
    cases = curator.index.registry.test_queries
    rule, split = audit_name_rule(curator, cases), audit_split(curator, cases)
    results, strays = counted_results(evaluate(curator, cases)), estimate_strays(curator.index, None, curator.settings)
    magnets, ghosts, forced = magnets_of(curator, results, strays), ghosts_of(curator, results, strays), forced_tools(rule)
    both, worths = profile_figures(curator, cases) if profiles else None, stage_worths(curator, cases) if stages else ()
    if not as_json:
        show(print_audits, curator.index.registry.name, rule, forced, split, magnets, ghosts)
        show(print_worths, both, worths)
        return
    found: dict[str, Any] = {"registry": curator.index.registry.name}
    found |= {"name_rule": rule.to_dict() | {"tools": [one.to_dict() for one in forced]}, "split": split.to_dict()}
    found |= ({"profiles": both.to_dict()} if both else {}) | ({"stages": [one.to_dict() for one in worths]} if stages else {})
    print_json(found | {"magnets": [one.to_dict() for one in magnets], "ghosts": [one.to_dict() for one in ghosts]})
