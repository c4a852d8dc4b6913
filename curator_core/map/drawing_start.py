"""Starts a process that draws one map; needs nothing that takes long to import, so that it can be the first thing that is done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def start_drawing() -> subprocess.Popen[bytes]:
    """Start the process that `DrawingProcess` speaks with. Raises OSError where there cannot be one."""
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    begin = [sys.executable, "-P", "-m", "curator_core.map.drawing_process"]  # -P: a json.py where somebody works is not Python's
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen(begin, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
