"""What a reader sees of a widget during a script of presses is what was approved: every word of every region.

The approved screens are files beside this test. After a change that is meant,
`APPROVE=1 pytest tests/widgets/test_approved.py` writes them again; the diff shows what a reader sees of it.
"""

import os
from pathlib import Path

import pytest
from screen import script_of
from tests.scene import seats

from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once, two_phase
from exactly_once.lockfree import hourly_means
from exactly_once.simulate import simulate
from exactly_once.widgets import adversary, clock_playground, crash_console, debugger, transaction_timeline
from exactly_once.widgets.adversary.adversary_model import AdversaryModel
from exactly_once.widgets.base.model import BackgroundWork

APPROVED = Path(__file__).parent / "approved"


def steps(codes):
    """Return the presses that begin anew on the timeline, and do these steps."""
    return ["→ clear", "→ protocol = classic", *(f"→ step = {code}" for code in codes.split())]


def draws(actions):
    """Return the presses that empty the playground, and draw this."""
    return ["→ clear", *(f"→ {action.replace(' ', ' = ', 1)}" for action in actions.split("; "))]


SCRIPTS = {  # the widget, what is pressed, and the regions that are looked at, if not all are
    "player": (
        seats,
        ["Step seller 1", "Step seller 2", "sleep: seller 1", "Run all", "Wake: seller 1", "Run all", "Undo", "Undo",
         "Redo", "Steps taken / 1 ", "Start again", "token = ep2-nothing", "compare and set", "Sellers / 3",
         "Run seller 3", "Steps taken / 1 ", "Kill seller 3", "sleep: seller 2", "Run all"],
    ),
    "adversary": (
        lambda: adversary(at_least_once, crashes=1, pauses=1, lost_replies=1),
        ["Step node 1", "Step node 1", "node 1: lose reply", "Step node 2", "node 2: pause",
         "sleeping incarnation of node 2", "Undo", "Undo", "Redo", "Steps taken / 2 ", "Step node 1", "Kill node 1",
         "Let it end", "Show me the simplest", "Undo", "Back to my way", "Start again", "Let it end"],
    ),
    "adversary-late": (
        lambda: adversary(at_least_once, items=1, crashes=0, late_requests=1, duplicates=1, lost_requests=1,
                          lost_replies=0),
        [*["Step node 1"] * 4, "node 2: lose request", "node 1: send it twice", "Undo",
         "node 1: delay request", "arrives", "Let it end", "Show me the simplest"],
    ),
    "adversary-queue": (
        lambda: adversary(hourly_means, items=1, lost_replies=0),
        ["Step node 1", "Can it be broken?", "Kill node 2", "Let it end"],
    ),
    "debugger": (
        lambda: debugger(prove(at_least_once, items=2, crashes=1), at_least_once),
        [*(f"→ step = {step}" for step in (*range(1, 24, 2), 15, 99, -1)), "→ step = many"],
    ),
    "debugger-two": (
        lambda: debugger(simulate(two_phase, FaultPlan((Fault("C", 2, "pause"),))), two_phase),
        [f"→ step = {step}" for step in range(10, 90, 16)],
    ),
    "console-guess": (
        crash_console,
        [f"→ {do}" for do in ("guess = loses", "point = B", "item = 3", "simulate = null", "point = B", "point = C",
                              "point = B", "replay = eo1-B3w-AAAA", "item = 4", "point = B", "place = 0",
                              "place = 28", "kind = lost reply", "place = nowhere")],
        ("code", "diagram", "error", "facts", "matrix", "said", "tape", "toolbar", "verdict"),
    ),
    "timeline": (
        transaction_timeline,
        [*(f"→ {do} = {value}"
           for story, moments in {"commit": (5,), "abort": (4, 8), "zombie": (3, 4, 7, 9), "coordinator": (6, 9),
                                  "stalled": (18, 23, 24, 25, 26), "hanging": (10,), "kip-890": (6, 10)}.items()
           for do, value in (("story", story), *(("go", at) for at in moments), ("protocol", "KIP-890"),
                             ("protocol", "classic"))),
         "→ story = commit", "→ go = 2", "→ step = 1s", "→ step = t", *steps("1b 1s 1z 2b 2s 2o 2c t t t t t"),
         *steps("1b 1s 1c 1k 1r 1b 1s 1o 1c"), *steps("1b 1s 1o 1c 1k 1r 1b 1s 1o 1c"), *steps("1b 1s 1s 1o 1a"),
         *steps("1b 1s d 1c t t t t t t t t u"), *steps("1b 1s 1o h 1c d u 1k 1r m"),
         *steps("1b 1s 1l 1a 1n 1b 1s 1c"), *steps("1b 1b 2c 2s 1n 1r 1w u m 3b")],
        ("ahead", "error", "positions", "producers", "says"),
    ),
    "playground": (
        clock_playground,
        [*draws('event [1, 1]; message [[1, 2], [2, 3]]; event [2, 1]; event [2, 5]; event [3, 9]; choose "a"; '
                'choose "a"; choose "b"; choose "b"; choose "c"'),
         *draws('event [1, 1]; message [[1, 3], [2, 6]]; preview ["a", 5]; move ["a", 5]; undo; redo'),
         *draws('message [[1, 6], [2, 3]]; event [1, 4]; message [[2, 9], [1, 1]]'),
         *draws('message [[1, 2], [2, 3]]; message [[2, 5], [1, 6]]; preview ["d", 1]; move ["d", 1]'),
         *draws('event [1, 1]; message [[1, 2], [2, 3]]; message [[2, 4], [3, 5]]; event [3, 1]; choose "a"; '
                'choose "e"; choose "e"; choose "f"'),
         *draws('event [1, 1]; message [[1, 3], [2, 4]]; choose "c"; delete; undo; delete'),
         *draws('event [1, 2]; event [2, 4]; message ["a", "b"]; message ["a", [3, 4]]; message [[1, 5], [1, 7]]'),
         *draws('message [[1, 1], [2, 6]]; message [[1, 2], [2, 4]]; move ["d", 8]; line_up'),
         *draws('message [[1, 1], [2, 2]]; message [[2, 3], [3, 4]]; add_process; add_process; add_process; '
                'add_process; rename [2, " the  <b>broker</b> "]; rename [2, ""]; rename [2, "P1"]; '
                'remove_process 2; remove_process 4; remove_process 5; remove_process 6; remove_process 1')],
        ("error", "facts", "says", "table"),
    ),
}  # fmt: skip


def settle(widget):
    """Wait until a widget's proof or run is complete."""
    if isinstance(widget.model, AdversaryModel):
        assert widget.model.work.join(60)
    elif isinstance(widget.model, BackgroundWork):
        assert widget.model.wait(60)


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.some(day=2)
def test_what_a_reader_sees_is_what_was_approved(name):
    make, presses, *only = SCRIPTS[name]
    seen, file = script_of(make(), presses, settle, *only), APPROVED / f"{name}.txt"
    if os.environ.get("APPROVE"):
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")
