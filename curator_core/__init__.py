"""Tool Curator's engine: picks the few tools of a registry that fit a question, and can say why.

    from curator_core import Curator

    curator = Curator.from_folder("sample_registries/campus")
    trace = curator.curate("hostel leave")
    trace.tools                                # what an agent gets, in order
    trace.story("apply_for_hostel_leave")      # why one tool was picked or not

Names are imported when first used, so that `import curator_core` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator_core.authoring.database import Store
    from curator_core.authoring.differences import changes_between, word_diff
    from curator_core.authoring.dismissals import Dismissal, bring_back, dismiss_clash, dismissed_clashes
    from curator_core.authoring.draft import Draft, Step
    from curator_core.authoring.drafts import Added
    from curator_core.authoring.history import Change
    from curator_core.authoring.notes import Note
    from curator_core.authoring.people import Person
    from curator_core.authoring.publishing import Published, catch_up, publish, save_settings
    from curator_core.authoring.rebasing import Choice
    from curator_core.authoring.receipt import Receipt, receipt_of
    from curator_core.authoring.recording import Revision
    from curator_core.authoring.review import Submission
    from curator_core.cache import default_cache_dir
    from curator_core.checks.health import check_retrieval, cut_texts, unreached_names
    from curator_core.checks.hidden_text import cleaned, hidden_in
    from curator_core.checks.synonym_checks import SynonymRemark, check_synonyms
    from curator_core.checks.tool_checks import CLIENTS, check_tools, hidden_in_tool
    from curator_core.collisions.clash_evidence import counted_results, swaps_between
    from curator_core.collisions.clashes import Clash, Clashes, find_clashes, mark_of, put_away
    from curator_core.collisions.closer_pairs import CloserPair, closer_pairs_of
    from curator_core.collisions.magnets import Ghost, Magnet, ghosts_of, magnets_of
    from curator_core.collisions.near_duplicates import NearDuplicate, near_to_others
    from curator_core.collisions.self_retrieval import SelfRetrieval, self_retrieve
    from curator_core.collisions.separation import (
        PairWords,
        WordWeight,
        copy_phrase,
        delete_phrase,
        field_with,
        move_phrase,
        not_for,
        own_phrases,
        pair_words,
        rename_tool,
        shared_phrases,
    )
    from curator_core.collisions.steals import Steal, list_steals
    from curator_core.collisions.strays import estimate_strays
    from curator_core.collisions.swap_causes import SwapCause, causes_of_swaps, name_rule_sentences
    from curator_core.compare import Comparison, Side, compare_runs
    from curator_core.curator import Curator
    from curator_core.declarations import Cost, declaration, declaration_cost, declarations_of
    from curator_core.dense_pgvector import PgVectors, keep_in_postgres
    from curator_core.encoder import Encoder, load_encoder
    from curator_core.errors import (
        Conflict,
        CuratorError,
        EditConflict,
        Forbidden,
        InvalidQuery,
        ModelUnavailable,
        NotWritable,
        Problem,
        RegistryChanged,
        RegistryError,
        RunError,
        SettingsError,
        StoreError,
        UnknownName,
    )
    from curator_core.evaluation import Evaluation, encode_ahead, evaluate
    from curator_core.exchange.declared_names import legal_names
    from curator_core.exchange.exporting import EXPORT_FORMATS, Exported, export_registry
    from curator_core.exchange.import_plan import ImportPlan, ImportRow, changed_since_import, new_registry, plan_import
    from curator_core.exchange.importing import Imported, import_tools, read_source
    from curator_core.files.config import Config, load_config, save_config, settings_values, with_settings, written_config
    from curator_core.files.folder import changed_files, load_registry, save_registry
    from curator_core.files.git import GitState, git_state
    from curator_core.index import ToolIndex, build_index
    from curator_core.keys import key_before
    from curator_core.map.clusters import Cluster, Clusters, cluster_tools
    from curator_core.map.drawing_process import DrawingProcess
    from curator_core.map.kept import ToolMap, kept_map, load_map, save_map
    from curator_core.map.layout import Layout, lay_out, place_query, sketch
    from curator_core.no_tool import NoToolLine, no_tool_line
    from curator_core.overlap import Neighbour, Pair, closest_pairs, identical_tools, nearest_to_query, nearest_tools, neighbours
    from curator_core.pace import Pace
    from curator_core.proof.audits import Audit, AuditCase, ForcedTool, audit_name_rule, audit_split, forced_tools
    from curator_core.proof.effects import Effect, Push, effect_of, renamed_keys, renames_between
    from curator_core.proof.fixing import ToFix, fix_next
    from curator_core.proof.logged_effect import LoggedEffect, effect_on_logged, logged_cases, logged_to_ask
    from curator_core.proof.losses import LOST, Loss
    from curator_core.proof.margin import Margin
    from curator_core.proof.paired import MetricChange
    from curator_core.proof.profiles import ProfileFigures, profile_figures, settings_by_profile
    from curator_core.proof.query_changes import VERDICTS, QueryChange
    from curator_core.proof.query_result import RIGHT_WITHIN, QueryResult, judge
    from curator_core.proof.recall_curve import CurvePoint, RecallCurve, recall_curve
    from curator_core.proof.recommendation import Recommendation, recommend
    from curator_core.proof.run_markdown import comparison_markdown
    from curator_core.proof.saved_runs import load_run, read_run, refuse_unlike
    from curator_core.proof.stage_worth import StageWorth, stage_worths
    from curator_core.proof.sureness import Sureness, sureness
    from curator_core.queries.coverage import Coverage, TagCount, coverage_of
    from curator_core.queries.examples import Moved, moved_to_examples, to_examples
    from curator_core.queries.held_out import HELD_OUT, is_held_out, released, to_hold_out, without_held_out
    from curator_core.queries.leakage import NearCopy, near_copies
    from curator_core.queries.logged import (
        DOUBTS,
        LoggedAnswer,
        LoggedFile,
        LoggedQuestion,
        answer_logged,
        not_tested,
        read_logged,
        usual_similarity,
    )
    from curator_core.queries.logged_groups import QuestionGroup, group_questions
    from curator_core.queries.logged_store import LoggedBatch, forget_logged, keep_logged, logged_batches_of, logged_questions_of
    from curator_core.queries.query_csv import write_csv
    from curator_core.queries.query_files import read_query_file, recognised, write_jsonl
    from curator_core.queries.query_merge import Planned, QueryPlan, UnknownTool, pin_tool, plan_queries, tag_queries, unknown_tools
    from curator_core.queries.query_rows import QueryFile, QueryRow
    from curator_core.queries.query_trec import write_qrels
    from curator_core.queries.starters import Candidate, starter_candidates
    from curator_core.records import Row
    from curator_core.registry import Edit, Registry, TestQuery, Tool
    from curator_core.settings import PROFILE_NAMES, STAGES, SWITCHES, TUNED_STAGES, Settings, profile, switches_of
    from curator_core.store import open_store, store_that_is_down
    from curator_core.story import Story, why
    from curator_core.suggestions.advice import Advice, Count, Suggestion, suggest
    from curator_core.suggestions.phrases import Phrase
    from curator_core.suggestions.shortfall import Shortfall, shortfall_of
    from curator_core.suggestions.tool_advice import Refusal, ToolAdvice, ToolSuggestion, effect_with, suggest_for_tools
    from curator_core.suggestions.tool_ideas import ToolIdea
    from curator_core.suggestions.word_xray import PieceWorth, Xray, xray
    from curator_core.synonym_list import ListedTerm, SynonymList, compare_synonym_list, read_synonym_list
    from curator_core.trace import Trace
    from curator_core.versus import Versus, compare_tools

_HOME = {
    "suggestions.advice": "Advice Count Suggestion suggest",
    "proof.audits": "Audit AuditCase ForcedTool audit_name_rule audit_split forced_tools",
    "cache": "default_cache_dir",
    "collisions.clash_evidence": "counted_results swaps_between",
    "collisions.clashes": "Clash Clashes find_clashes mark_of put_away",
    "collisions.closer_pairs": "CloserPair closer_pairs_of",
    "map.clusters": "Cluster Clusters cluster_tools",
    "compare": "Comparison Side compare_runs",
    "files.config": "Config load_config save_config settings_values with_settings written_config",
    "queries.coverage": "Coverage TagCount coverage_of",
    "curator": "Curator",
    "authoring.database": "Store",
    "exchange.declared_names": "legal_names",
    "declarations": "Cost declaration declaration_cost declarations_of",
    "authoring.differences": "changes_between word_diff",
    "authoring.dismissals": "Dismissal bring_back dismiss_clash dismissed_clashes",
    "authoring.draft": "Draft Step",
    "authoring.drafts": "Added",
    "proof.effects": "Effect Push effect_of renamed_keys renames_between",
    "dense_pgvector": "PgVectors keep_in_postgres",
    "encoder": "Encoder load_encoder",
    "errors": "Conflict CuratorError EditConflict Forbidden InvalidQuery ModelUnavailable NotWritable Problem RegistryChanged RegistryError"
    " RunError SettingsError StoreError UnknownName",
    "evaluation": "Evaluation encode_ahead evaluate",
    "exchange.exporting": "EXPORT_FORMATS Exported export_registry",
    "proof.fixing": "ToFix fix_next",
    "files.folder": "changed_files load_registry save_registry",
    "files.git": "GitState git_state",
    "checks.health": "check_retrieval cut_texts unreached_names",
    "queries.examples": "Moved moved_to_examples to_examples",
    "queries.held_out": "HELD_OUT is_held_out released to_hold_out without_held_out",
    "checks.hidden_text": "cleaned hidden_in",
    "authoring.history": "Change",
    "exchange.import_plan": "ImportPlan ImportRow changed_since_import new_registry plan_import",
    "exchange.importing": "Imported import_tools read_source",
    "index": "ToolIndex build_index",
    "map.drawing_process": "DrawingProcess",
    "map.kept": "ToolMap kept_map load_map save_map",
    "keys": "key_before",
    "map.layout": "Layout lay_out place_query sketch",
    "queries.leakage": "NearCopy near_copies",
    "queries.logged": "DOUBTS LoggedAnswer LoggedFile LoggedQuestion answer_logged not_tested read_logged usual_similarity",
    "proof.logged_effect": "LoggedEffect effect_on_logged logged_cases logged_to_ask",
    "queries.logged_groups": "QuestionGroup group_questions",
    "queries.logged_store": "LoggedBatch forget_logged keep_logged logged_batches_of logged_questions_of",
    "proof.losses": "LOST Loss",
    "collisions.magnets": "Ghost Magnet ghosts_of magnets_of",
    "proof.margin": "Margin",
    "collisions.near_duplicates": "NearDuplicate near_to_others",
    "authoring.notes": "Note",
    "overlap": "Neighbour Pair closest_pairs identical_tools nearest_to_query nearest_tools neighbours",
    "pace": "Pace",
    "proof.paired": "MetricChange",
    "authoring.people": "Person",
    "suggestions.phrases": "Phrase",
    "authoring.publishing": "Published catch_up publish save_settings",
    "queries.query_csv": "write_csv",
    "proof.query_changes": "VERDICTS QueryChange",
    "queries.query_files": "read_query_file recognised write_jsonl",
    "queries.query_merge": "Planned QueryPlan UnknownTool pin_tool plan_queries tag_queries unknown_tools",
    "queries.query_rows": "QueryFile QueryRow",
    "queries.query_trec": "write_qrels",
    "proof.query_result": "RIGHT_WITHIN QueryResult judge",
    "authoring.rebasing": "Choice",
    "authoring.receipt": "Receipt receipt_of",
    "authoring.recording": "Revision",
    "records": "Row",
    "registry": "Edit Registry TestQuery Tool",
    "authoring.review": "Submission",
    "proof.run_markdown": "comparison_markdown",
    "proof.saved_runs": "load_run read_run refuse_unlike",
    "collisions.self_retrieval": "SelfRetrieval self_retrieve",
    "collisions.separation": "PairWords WordWeight copy_phrase delete_phrase field_with move_phrase not_for own_phrases"
    " pair_words rename_tool shared_phrases",
    "settings": "PROFILE_NAMES STAGES SWITCHES TUNED_STAGES Settings profile switches_of",
    "suggestions.shortfall": "Shortfall shortfall_of",
    "queries.starters": "Candidate starter_candidates",
    "store": "open_store store_that_is_down",
    "story": "Story why",
    "collisions.steals": "Steal list_steals",
    "collisions.strays": "estimate_strays",
    "collisions.swap_causes": "SwapCause causes_of_swaps name_rule_sentences",
    "checks.synonym_checks": "SynonymRemark check_synonyms",
    "synonym_list": "ListedTerm SynonymList compare_synonym_list read_synonym_list",
    "checks.tool_checks": "CLIENTS check_tools hidden_in_tool",
    "trace": "Trace",
    "versus": "Versus compare_tools",
    "suggestions.tool_advice": "Refusal ToolAdvice ToolSuggestion effect_with suggest_for_tools",
    "no_tool": "NoToolLine no_tool_line",
    "proof.profiles": "ProfileFigures profile_figures settings_by_profile",
    "proof.recall_curve": "CurvePoint RecallCurve recall_curve",
    "proof.recommendation": "Recommendation recommend",
    "proof.stage_worth": "StageWorth stage_worths",
    "proof.sureness": "Sureness sureness",
    "suggestions.tool_ideas": "ToolIdea",
    "suggestions.word_xray": "PieceWorth Xray xray",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

# fmt: off
__all__ = [
    "CLIENTS", "DOUBTS", "EXPORT_FORMATS", "HELD_OUT", "LOST", "PROFILE_NAMES", "RIGHT_WITHIN", "STAGES", "SWITCHES", "TUNED_STAGES",
    "VERDICTS", "Added", "Advice", "Audit", "AuditCase", "Candidate", "Change", "Choice", "Clash", "Clashes", "CloserPair", "Cluster",
    "Clusters", "Comparison", "Config", "Conflict", "Cost", "Count", "Coverage", "Curator", "CuratorError", "CurvePoint", "Dismissal",
    "Draft", "DrawingProcess", "Edit", "EditConflict", "Effect", "Encoder", "Evaluation", "Exported", "Forbidden", "ForcedTool", "Ghost",
    "GitState", "ImportPlan", "ImportRow", "Imported", "InvalidQuery", "Layout", "ListedTerm", "LoggedAnswer", "LoggedBatch",
    "LoggedEffect", "LoggedFile", "LoggedQuestion", "Loss", "Magnet", "Margin", "MetricChange", "ModelUnavailable", "Moved", "NearCopy",
    "NearDuplicate", "Neighbour", "NoToolLine", "NotWritable", "Note", "Pace", "Pair", "PairWords", "Person", "PgVectors", "Phrase",
    "PieceWorth", "Planned", "Problem", "ProfileFigures", "Published", "Push", "QueryChange", "QueryFile", "QueryPlan", "QueryResult",
    "QueryRow", "QuestionGroup", "RecallCurve", "Receipt", "Recommendation", "Refusal", "Registry", "RegistryChanged", "RegistryError",
    "Revision", "Row", "RunError", "SelfRetrieval", "Settings", "SettingsError", "Shortfall", "Side", "StageWorth", "Steal", "Step",
    "Store", "StoreError", "Story", "Submission", "Suggestion", "Sureness", "SwapCause", "SynonymList", "SynonymRemark", "TagCount",
    "TestQuery", "ToFix", "Tool", "ToolAdvice", "ToolIdea", "ToolIndex", "ToolMap", "ToolSuggestion", "Trace", "UnknownName", "UnknownTool",
    "Versus", "WordWeight", "Xray", "answer_logged", "audit_name_rule", "audit_split", "bring_back", "build_index", "catch_up",
    "causes_of_swaps", "changed_files", "changed_since_import", "changes_between", "check_retrieval", "check_synonyms", "check_tools",
    "cleaned", "closer_pairs_of", "closest_pairs", "cluster_tools", "compare_runs", "compare_synonym_list", "compare_tools",
    "comparison_markdown", "copy_phrase", "counted_results", "coverage_of", "cut_texts", "declaration", "declaration_cost",
    "declarations_of", "default_cache_dir", "delete_phrase", "dismiss_clash", "dismissed_clashes", "effect_of", "effect_on_logged",
    "effect_with", "encode_ahead", "estimate_strays", "evaluate", "export_registry", "field_with", "find_clashes", "fix_next",
    "forced_tools", "forget_logged", "ghosts_of", "git_state", "group_questions", "hidden_in", "hidden_in_tool", "identical_tools",
    "import_tools", "is_held_out", "judge", "keep_in_postgres", "keep_logged", "kept_map", "key_before", "lay_out", "legal_names",
    "list_steals", "load_config", "load_encoder", "load_map", "load_registry", "load_run", "logged_batches_of", "logged_cases",
    "logged_questions_of", "logged_to_ask", "magnets_of", "mark_of", "move_phrase", "moved_to_examples", "name_rule_sentences",
    "near_copies", "near_to_others", "nearest_to_query", "nearest_tools", "neighbours", "new_registry", "no_tool_line", "not_for",
    "not_tested", "open_store", "own_phrases", "pair_words", "pin_tool", "place_query", "plan_import", "plan_queries", "profile",
    "profile_figures", "publish", "put_away", "read_logged", "read_query_file", "read_run", "read_source", "read_synonym_list",
    "recall_curve", "receipt_of", "recognised", "recommend", "refuse_unlike", "released", "rename_tool", "renamed_keys", "renames_between",
    "save_config", "save_map", "save_registry", "save_settings", "self_retrieve", "settings_by_profile", "settings_values",
    "shared_phrases", "shortfall_of", "sketch", "stage_worths", "starter_candidates", "store_that_is_down", "suggest", "suggest_for_tools",
    "sureness", "swaps_between", "switches_of", "tag_queries", "to_examples", "to_hold_out", "unknown_tools", "unreached_names",
    "usual_similarity", "why", "with_settings", "without_held_out", "word_diff", "write_csv", "write_jsonl", "write_qrels",
    "written_config", "xray",
]
# fmt: on


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(importlib.import_module(f"curator_core.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
