"""curator.toml: defaults, every mistake at once, and comments that survive a save."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from curator_core.errors import NotWritable, RegistryError
from curator_core.files.config import Config, load_config, save_config, written_config
from curator_core.settings import Settings

TEXT = """# Agreed in the spring meeting.
model = "bundled"  # so that figures agree
profile = "seed"

[settings]
# more room for the long forms
top_k = 15
anchor = false
"""


@pytest.fixture(autouse=True)
def own_locks(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_without_a_file_everything_is_default(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config("seed", "auto", None, Settings())


def test_what_the_file_says_counts(tmp_path: Path) -> None:
    (tmp_path / "curator.toml").write_text(TEXT + "rrf_k = 10\n", encoding="utf-8-sig")
    assert load_config(tmp_path) == Config("seed", "bundled", None, Settings(top_k=15, anchor=False, rrf_k=10))
    (tmp_path / "curator.toml").write_text('query_prefix = ""')
    assert load_config(tmp_path).query_prefix == ""


def test_every_mistake_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "curator.toml").write_text(
        'profil = "x"\nprofile = "best"\nmodel = 5\nquery_prefix = 1\n'
        '[settings]\ntop_kk = 1\nrrf_k = "many"\nanchor_ratio = 3.0\nprofile = "seed"\n'
    )
    with pytest.raises(RegistryError) as caught:
        load_config(tmp_path)
    found = {problem.where.removeprefix("curator.toml, "): str(problem) for problem in caught.value.problems}
    assert list(found) == [
        "profil",
        "profile",
        "model",
        "query_prefix",
        "settings.top_kk",
        "settings.rrf_k",
        "settings.anchor_ratio",
        "settings.profile",
    ]
    assert "choose one of: profile, model, query_prefix, settings" in found["profil"]
    assert "'best'; choose one of: seed" in found["profile"]
    assert "write a whole number" in found["settings.rrf_k"]
    assert "allowed is 0.0 to 1.0" in found["settings.anchor_ratio"]


@pytest.mark.parametrize("text", ["model = ", "settings = 3", b"\xff\xfe\x00"])
def test_a_file_that_is_not_toml_is_one_clear_error(tmp_path: Path, text: str | bytes) -> None:
    (tmp_path / "curator.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RegistryError, match=r"curator\.toml"):
        load_config(tmp_path)


def test_saving_keeps_comments_and_changes_only_what_changed(tmp_path: Path) -> None:
    file = tmp_path / "curator.toml"
    file.write_text(TEXT)
    config = load_config(tmp_path)
    save_config(tmp_path, config)
    assert file.read_text() == TEXT
    save_config(tmp_path, dataclasses.replace(config, settings=config.settings.with_values({"top_k": 30})))
    assert file.read_text() == TEXT.replace("top_k = 15", "top_k = 30")
    plain = dataclasses.replace(config, model="auto", query_prefix="Ask: ", settings=Settings(anchor=False))
    save_config(tmp_path, plain)
    assert load_config(tmp_path) == plain
    assert "# Agreed in the spring meeting." in file.read_text()


def test_a_first_save_writes_what_differs_from_the_defaults(tmp_path: Path) -> None:
    config = Config(model="bundled", settings=Settings(top_k=5))
    save_config(tmp_path / "new", config)
    assert (tmp_path / "new" / "curator.toml").read_text() == 'model = "bundled"\n\n[settings]\ntop_k = 5\n'
    assert load_config(tmp_path / "new") == config
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["curator.toml"]


def test_a_path_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotWritable, match="Make it writable"):
        save_config(tmp_path / "file", Config(model="bundled"))


def test_what_a_save_would_write_can_be_seen_before(tmp_path: Path) -> None:
    (tmp_path / "curator.toml").write_text(TEXT)
    config = load_config(tmp_path)
    config = dataclasses.replace(config, settings=config.settings.with_values({"top_k": 12}))
    now, then = written_config(tmp_path, config)
    assert now == TEXT
    assert then == TEXT.replace("top_k = 15", "top_k = 12")
    save_config(tmp_path, config)
    assert (tmp_path / "curator.toml").read_text() == then
