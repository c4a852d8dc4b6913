"""A tiny sentence-transformers model, random but the same for the same seed, written to a folder: real files, no download."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = """show my the fee attendance hostel leave grievance submit apply for account balance what is available tool complaint get status
    list"""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def make_tiny_model(folder: Path, *, seed: int = 0, dimension: int = 16, max_tokens: int = 32, name: str = "") -> Path:
    """Write a one-layer BERT with mean pooling in the files' usual layout; name goes into config.json as the model's origin."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True)
    vocabulary = [*SPECIAL, *WORDS.split(), *"abcdefghijklmnopqrstuvwxyz:.", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    tokenizer = Tokenizer(models.WordPiece({word: place for place, word in enumerate(dict.fromkeys(vocabulary))}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.enable_truncation(max_length=8)  # as published files do: not the model's own limit
    tokenizer.save(str(folder / "tokenizer.json"))
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=dimension,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=2 * dimension,
        max_position_embeddings=64,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(folder)
    saved = json.loads((folder / "config.json").read_text())
    _write(folder / "config.json", {**saved, **({"_name_or_path": name} if name else {})})
    _write(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": 48, "pad_token": "[PAD]"})
    _write(folder / "sentence_bert_config.json", {"max_seq_length": max_tokens, "do_lower_case": False})
    kinds = (("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize"))
    steps = [
        {"idx": place, "name": str(place), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for place, (kind, path) in enumerate(kinds)
    ]
    _write(folder / "modules.json", steps)
    (folder / "1_Pooling").mkdir()
    _write(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": dimension, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    )
    return folder


def put_in_hub_cache(cache: Path, model_id: str, model: Path, revision: str = "0123abcd") -> Path:
    """Move a model folder to where a hub cache keeps the main revision of an id; returns the snapshot."""
    home = cache / f"models--{model_id.replace('/', '--')}"
    (home / "refs").mkdir(parents=True, exist_ok=True)
    (home / "refs" / "main").write_text(revision)
    (home / "snapshots").mkdir(exist_ok=True)
    return model.rename(home / "snapshots" / revision)


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
