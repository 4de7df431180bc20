"""What a reader sees of the crash console and of the twins' during a script of presses is what was approved.

As in `test_approved.py`, `APPROVE=1` writes the files of the approved screens again.
"""

import os
import re
import threading
import time

import pytest
from screen import script_of
from test_approved import APPROVED
from twins_fake import FakeTwinsWorlds

from exactly_once.widgets import TwinsConsole, TwinsModel, crash_console

TIME = re.compile(r"(?<=· )[\d.,]+ m?s(?= ·)")  # which differs from run to run
pytestmark = pytest.mark.slow


def approved(name, seen):
    seen, file = TIME.sub("<time>", seen), APPROVED / f"{name}.txt"
    if os.environ.get("APPROVE"):
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_console():
    def settle(console):
        assert console.model.wait(60)
        until(lambda: all(thread.name != "widget: ahead" for thread in threading.enumerate()))
        console.draw()

    presses = (
        "strike = B; strike = E; later = 1; strategy = two_phase; strike = C; kind = pause; place = 12; "
        "strategy = transactional; strike = D; table = 1; strategy = nothing"
    )
    approved("console", script_of(crash_console(), [f"→ {press}" for press in presses.split("; ")], settle))


def test_the_twins():
    def settle(console):
        """Let three hours go by on twins at work."""
        model = console.model
        if model.state.busy != "idle":
            until(lambda: model.state.busy == "live")
            model.worlds.made[-1].hours(3)
            until(lambda: model.state.shot == model.worlds.made[-1].state())
            console.draw()

    twins = TwinsConsole(TwinsModel(worlds=FakeTwinsWorlds()))
    try:
        approved("twins", script_of(twins, ["Start", "→ look = 3", "→ follow = 1", "→ fault = 1"], settle))
    finally:
        twins.model.do("end")
        twins.model.wait(10)
