"""Fixtures for the engine's tests: the fake encoder, small registries, and no network beyond this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from curator_core import Curator, Registry, Settings, Tool, build_index
from tests.core.authors import database, empty_database, folder, postgres, reopen, store  # noqa: F401
from tests.core.fakes import FakeEncoder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put together what reads models: one worker imports torch for all of it, and begins with that."""
    reading = {item.path for item in items if {"tiny", "tiny_model"} & set(getattr(item, "fixturenames", ()))}
    items.sort(key=lambda item: item.path not in reading)


@pytest.fixture
def encoder() -> FakeEncoder:
    return FakeEncoder(dimension=64)


@pytest.fixture
def curator_of(encoder: FakeEncoder) -> Callable[..., Curator]:
    """Make a curator from {name: description}, with synonyms and settings."""

    def make(
        tools: dict[str, str], synonyms: dict[str, list[str]] | None = None, encoder: FakeEncoder = encoder, **settings: Any
    ) -> Curator:
        registry = Registry(name="test", tools=tuple(Tool(name, text) for name, text in tools.items()), synonyms=synonyms or {})
        return Curator(build_index(registry, encoder), Settings(**settings))

    return make


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse every connection beyond loopback: the product must not ask the network."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> Any:
        host = address[0] if isinstance(address, tuple) else ""
        if host and host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a network connection to {host} was attempted")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    yield
