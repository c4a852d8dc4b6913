"""A running workbench and a browser page on it, for the tests in this folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, WebSocket, expect

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS = ("chromium-headless-shell", "chromium")  # the first takes half of the second's processor time for the same pages
# pages that stand behind their group's name
GROUPS = {
    "Quality": ("Test queries", "Overlap", "Compare"),
    "Changes": ("Review & history", "Import & export"),
    "Setup": ("Engine & index", "Help"),
}

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
FOCUSED = """() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const copy = one?.cloneNode(true);
  copy?.querySelectorAll?.('[data-testid="stIconMaterial"], [aria-hidden="true"]').forEach((icon) => icon.remove());
  const label = one?.getAttribute("aria-label") || one?.labels?.[0]?.textContent || copy?.textContent || "";
  return label.replace(/\\s+/g, " ").trim();
}"""


class Workbench:
    """The workbench as its own process on a free port, opened on a registry folder, or on none.

    lasting: whether it is there for other tests too.
    """

    def __init__(self, folder: Path | None, cache_dir: Path, log: Path, lasting: bool = False) -> None:
        self.log, self.lasting = log, lasting
        if folder is not None:
            self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        ours = {"STREAMLIT_SERVER_PORT": str(self.port), "STREAMLIT_SERVER_HEADLESS": "true", "TOOL_CURATOR_CACHE": str(cache_dir)}
        ours["OMP_NUM_THREADS"] = "1"  # several workbenches at once: threads that wait for each other make all of them slow
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dashboard", *([str(folder)] if folder else [])],
                env={name: value for name, value in os.environ.items() if name != "TOOL_CURATOR_FOLDER"} | ours,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that stopping it can take its children and nothing else
            )

    def wait_until_up(self, seconds: float = 60) -> None:
        """Wait for the health page. Raises RuntimeError with the log when the process ends or does not answer."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"the workbench did not come up on {self.url}:\n{self.end_of_log()}")

    def end_of_log(self) -> str:
        """Return the last part of what the process wrote."""
        return self.log.read_text(errors="replace")[-3000:]

    def stop(self) -> None:
        """End the process and its children."""
        for kind, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 10)):
            if self.process.poll() is not None:
                return
            os.killpg(self.process.pid, kind)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue


def browser_path() -> str | None:
    """Return which browser is there, None without one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Screen:
    """A page of the workbench in a browser, with what a person does on it.

    received: bytes that came over the websocket since the last `go`.
    """

    page: Page
    workbench: Workbench
    received: int = 0
    noise: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", self._note)

    def leave(self) -> None:
        """Listen to the page no longer: the next who has it counts and notes for itself."""
        self.page.remove_listener("websocket", self._listen)
        self.page.remove_listener("pageerror", self._note)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._count)

    def _note(self, error: Error) -> None:
        self.noise.append(str(error))

    def _count(self, payload: str | bytes) -> None:
        self.received += len(payload)

    def go(self, path: str = "", **query: str) -> Screen:
        """Open a page by its address and wait until it stands."""
        self.received = 0
        address = f"{self.workbench.url}/{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        self.page.goto(address, wait_until="domcontentloaded")
        return self.settle()

    def reload(self) -> Screen:
        """Press F5."""
        self.page.reload(wait_until="domcontentloaded")
        return self.settle()

    def open(self, title: str) -> Screen:
        """Go to another page by the navigation, within the session."""
        header = self.page.locator("header")
        if not header.get_by_role("link").filter(has_text=re.compile(f"{title}$")).count():
            group = next(name for name, titles in GROUPS.items() if title in titles)
            header.get_by_role("button", name=group, exact=True).click()
            self.page.get_by_role("menuitem").filter(has_text=re.compile(f"{title}$")).click()
            return self.settle()
        header.get_by_role("link").filter(has_text=re.compile(f"{title}$")).click()
        return self.settle()

    def settle(self, seconds: float = 60) -> Screen:
        """Wait until the server has nothing left to run; fail on an exception box."""
        app = self.page.locator('[data-testid="stApp"]')
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=seconds * 1000)
        quiet_since = None
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            quiet = app.get_attribute("data-test-script-state") == "notRunning"
            quiet_since = (quiet_since or time.monotonic()) if quiet else None
            if quiet_since and time.monotonic() - quiet_since > 0.3:
                return self.check()
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the page still runs after {seconds:.0f} s")

    def ready(self, seconds: float = 200) -> Screen:
        """Wait until the model has read the tools."""
        read = self.page.get_by_text("Index = your text").first
        if read.is_visible():
            return self
        expect(read).to_be_visible(timeout=seconds * 1000)
        return self.settle()

    def check(self) -> Screen:
        """Fail when the page shows an exception or a script of it failed."""
        boxes = self.page.get_by_test_id("stException")
        assert boxes.count() == 0, f"{self.page.url} shows an exception; the log ends with:\n{self.workbench.end_of_log()}"
        assert not self.noise, self.noise
        return self

    def editor(self, label: str) -> Locator:
        """Return the text box of an editor."""
        return self.page.locator("textarea").and_(self.page.get_by_label(label, exact=True))

    def wait_for_status(self, label: str, status: str) -> None:
        """Wait until the line below an editor says this, and the page stands."""
        box = self.page.get_by_test_id("stBidiComponentIsolated").filter(has=self.editor(label))
        expect(box.get_by_role("status")).to_have_text(status, timeout=30_000)
        self.settle()

    def choose(self, label: str, option: str) -> Screen:
        """Choose an option of a select box by typing its name."""
        box = self.page.get_by_role("combobox", name=label, exact=True)
        box.scroll_into_view_if_needed()
        self.page.evaluate(TWO_FRAMES)  # an open list closes when the page scrolls, which it is told in the next frame
        box.fill(option)
        self.page.get_by_role("option", name=option, exact=True).click()
        return self.settle()

    def publish(self, reason: str = "so that it is found") -> Screen:
        """Publish the draft."""
        self.page.get_by_role("button", name="Publish", exact=True).click()
        self.settle()
        self.page.get_by_label("Why? A few words for the history").fill(reason)
        self.page.get_by_role("button", name="Publish now", exact=True).click()
        return self.settle()

    def focused(self) -> str:
        """Return the name of the control that has the keyboard's focus, inside editors too."""
        return str(self.page.evaluate(FOCUSED))

    def tab_to(self, name: str, at_most: int = 150) -> Screen:
        """Press Tab until a control of this name has the focus. Raises AssertionError with the controls that were met."""
        met: list[str] = []
        for _ in range(at_most):
            self.page.keyboard.press("Tab")
            met.append(self.focused())
            if met[-1] == name:
                return self
        raise AssertionError(f"Tab does not reach {name!r}; it met: {met}")

    def rank(self, question: str) -> dict[str, str]:
        """Return the row of a watched question in the table of effects."""
        table = self.page.get_by_role("region", name="Ranks of the watched questions as published and with your edits")
        row = table.locator("tbody tr").filter(has_text=question)
        self.page.wait_for_timeout(400)  # the table's text, for screen readers, follows its picture a little later
        expect(row).to_have_count(1)
        heads = table.locator("thead th").all_text_contents()
        return dict(zip(heads, row.locator("td").all_text_contents(), strict=True))

    def click_row(self, table: str, row: int, x: float = 100) -> Screen:
        """Click a row of a table, counted from 0, in its first wide column or at another distance from the table's left."""
        self.page.wait_for_timeout(400)
        box = self.page.get_by_role("region", name=table).bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + x, box["y"] + 45 + 28 * row)
        return self.settle()

    def text(self) -> str:
        """Return the text of the page's main part."""
        return self.page.get_by_test_id("stMain").inner_text()

    def long_tasks(self, after_ms: float = 0) -> list[tuple[float, float]]:
        """Return (start, duration) in ms of every task of the main thread over 50 ms that began after this time."""
        tasks: list[Any] = self.page.evaluate("window.longTasks")
        return [(start, duration) for start, duration in tasks if start >= after_ms]

    def first_paint_ms(self) -> float:
        """Return when the page first showed something."""
        return float(self.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
