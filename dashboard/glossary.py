"""The workbench's words: what each means, and what an engineer calls it. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the screen. sentence: what it means, in plain words; engineer: the engineer's term, "" where it is the same."""

    word: str
    sentence: str
    engineer: str = ""


GLOSSARY = (
    Term("tool", "One thing an agent can do, such as paying a fee. It has a name, a description and whatever else you write.", "function"),
    Term("registry", "All tools with their texts, synonyms and test queries: one folder of files.", "tools.json and its neighbours"),
    Term("question", "What a user says. The tools that fit it are shown to the agent, the others are not.", "query"),
    Term("answer", "The tools that the agent is shown for a question, best first.", "retrieved set, top k"),
    Term(
        "meaning match",
        "How alike question and tool text are in meaning, also without a shared word.",
        "dense retrieval, cosine similarity",
    ),
    Term("word match", "How many words question and tool text share; rare words count more.", "sparse retrieval, BM25"),
    Term("combined rank", "Both lists in one: a tool that stands high in either comes first.", "Reciprocal Rank Fusion (RRF)"),
    Term("profile", "A named set of all settings: seed joins the lists by ranks, tuned adds up their scores.", "RRF against score fusion"),
    Term(
        "word stem", "What the forms of a word have in common: fees counts as fee. The profile tuned compares stems.", "Snowball stemming"
    ),
    Term("example question", "A question that a tool answers, kept with the tool. The profile tuned looks at it.", "centroid, BM25F field"),
    Term("no tool?", "The question is less like any tool than nine in ten of your own test queries.", "calibrated abstention"),
    Term("name rule", "A question that says most of a tool's name brings that tool first.", "name-token anchor, forced tools"),
    Term("two-in-one question", "A question that asks for two things is also searched part by part.", "compound split"),
    Term("part ①, ②", "One part of a two-in-one question, and the tools that it brought.", "sub-query"),
    Term("top-up", "A tool from the whole question that fills places which the parts left free.", "interleaving remainder"),
    Term("unsure", "The best meaning match is weak, so a few more tools are given.", "low-confidence expansion"),
    Term("nothing here fits", "Meaning is weak, no word is shared and no name is said: likely no tool answers this.", "no-answer evidence"),
    Term(
        "unknown word", "A word of the question that no tool's text has. Extra context or a synonym can teach it.", "out-of-vocabulary term"
    ),
    Term("cut", "The line below the last tool that the agent is shown.", "top k, effective k"),
    Term("description", "What the tool does. The agent reads it too.", "function description"),
    Term(
        "extra context",
        "Words that users say and the description lacks. Only the search reads it, the agent does not.",
        "index-time enrichment",
    ),
    Term(
        "synonym", "What users say for a word of the tools' texts. Every tool that has the word gets the phrases.", "index-time expansion"
    ),
    Term("term", "The word of a synonym rule that stands in the tools' texts.", "expansion trigger"),
    Term("indexed text", "Exactly what is searched: name, description, extra context and synonyms.", "document"),
    Term("cut text", "The end of a long text, which meaning match does not read. Word match does.", "truncation at max_tokens"),
    Term("role", "Who asks. A tool with roles is shown to these only; one without is for everyone.", "access filter"),
    Term("group", "A name for tools that belong together. It sorts, it does not rank.", "namespace"),
    Term("test query", "A question with the tools that should come: it shows what an edit fixes or breaks.", "labelled query, qrel"),
    Term(
        "what would it take",
        "Phrases for a tool's extra context, tried on every test query: what each gains for a failing question, and costs elsewhere.",
        "counterfactual edit",
    ),
    Term(
        "dead weight", "A word or phrase without which none of the tool's test queries loses anything; the word X-ray names it.", "ablation"
    ),
    Term("draft", "Your edits that are not published yet, kept on disk for you alone. Every figure on screen already has them.", "overlay"),
    Term(
        "fingerprint",
        "A short mark of all that a tool says (its parameters and examples too), of roles and the model. Same mark, same answers.",
        "SHA-256",
    ),
    Term(
        "declaration",
        "What the agent's model is given for a tool: name, description, parameters. It costs tokens on each turn.",
        "tool schema",
    ),
    Term("token", "A piece of a word, as a model counts text.", "subword"),
)


def matching_terms(text: str, terms: Sequence[Term] = GLOSSARY) -> tuple[Term, ...]:
    """Return the terms that have all words of the text, in any of their three columns."""
    words = text.casefold().split()
    return tuple(term for term in terms if all(word in f"{term.word} {term.sentence} {term.engineer}".casefold() for word in words))
