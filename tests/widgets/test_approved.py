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
from exactly_once.widgets import adversary, debugger
from exactly_once.widgets.adversary.model import AdversaryModel

APPROVED = Path(__file__).parent / "approved"
SCRIPTS = {
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
}  # fmt: skip


def settle(widget):
    """Wait until a widget's proof is complete."""
    if isinstance(widget.model, AdversaryModel):
        assert widget.model.work.join(60)


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.some(day=2)
def test_what_a_reader_sees_is_what_was_approved(name):
    make, presses = SCRIPTS[name]
    seen, file = script_of(make(), presses, settle), APPROVED / f"{name}.txt"
    if os.environ.get("APPROVE"):
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")
