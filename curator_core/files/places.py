"""Where this program keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def default_cache_dir() -> Path:
    """Return the folder for vectors and file digests: the environment's TOOL_CURATOR_CACHE, else the platform's cache folder."""
    configured = os.environ.get("TOOL_CURATOR_CACHE")
    return Path(configured).expanduser() if configured else Path(platformdirs.user_cache_dir("tool-curator"))
