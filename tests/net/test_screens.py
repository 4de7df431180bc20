"""Every word on the screens of the console, the playground, the timeline and the twins, after a script of presses.

Those of the player, the debugger and the adversary are approved in `tests/widgets/test_approved.py`.
"""

import threading
import time

import pytest

from exactly_once.widgets import (
    TwinsConsole,
    TwinsModel,
    clock_playground,
    crash_console,
    transaction_timeline,
)
from tests.widgets.screen import script_of
from tests.widgets.twins_fake import FakeTwinsWorlds

from . import compare

pytestmark = pytest.mark.slow


def fake_twins():
    return TwinsConsole(TwinsModel(worlds=FakeTwinsWorlds()))


def settled(widget):
    """Wait until the widget works no more, and of twins at work let three hours go by."""
    model = widget.model
    if isinstance(model, TwinsModel):
        if model.state.busy != "idle":
            _until(lambda: model.state.busy == "live")
            model.worlds.made[-1].hours(3)
            _until(lambda: model.state.shot == model.worlds.made[-1].state())
    elif hasattr(model, "wait"):
        assert model.wait(60)
    _until(lambda: all(thread.name != "console: ahead" for thread in threading.enumerate()))
    widget.draw()


def _until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


SCRIPTS = {
    "console": (
        crash_console,
        ["→ strike = B", "→ strike = E", "→ later = 1", "→ strategy = two_phase", "→ strike = C", "→ kind = pause",
         "→ place = 12", "→ strategy = transactional", "→ strike = D", "→ table = 1", "→ strategy = nothing"],
    ),
    "playground": (
        clock_playground,
        ["→ choose = a", "→ choose = d", "→ vector = 1", "→ add_process = 1", "→ line_up = 1", "→ clear = 1",
         "→ undo = 1", "→ undo = 1", "→ redo = 1", "→ mode = quiz", "→ level = 2", "→ show = 1",
         "→ next = 1", "→ mode = draw"],
    ),
    "timeline": (
        transaction_timeline,
        ["→ story = commit", "→ go = 3", "→ go = 5", "→ story = zombie", "→ go = 5", "→ story = hanging", "→ go = 6",
         "→ protocol = KIP-890", "→ step = 1b", "→ step = 1s", "→ token = tx-nothing", "→ clear = 1"],
    ),
    "twins": (fake_twins, ["Start", "→ look = 3", "→ follow = 1", "→ fault = 1"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_screens(name):
    make, presses = SCRIPTS[name]
    widget = make()
    try:
        compare(f"screens/{name}", {name: script_of(widget, presses, settled)})
    finally:
        if name == "twins":
            widget.model.do("end")
            widget.model.wait(60)
