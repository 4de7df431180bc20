"""The player, by the scene of the page "How to write a scene", whose buttons are pressed as a reader presses them."""

import pytest
from screen import Screen, press
from tests.scene import CODE, PAGE, seats

from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.lockfree.progress import locked
from exactly_once.widgets import Debugger
from exactly_once.widgets.player.player_widget import play
from exactly_once.widgets.player.scene import Choice, Scene

MOST_LINES = 60


def seen(widget):
    return "\n".join(Screen(widget.says).lines + Screen(widget.picture).lines)


def test_the_page_counts_its_lines_and_a_scene_has_few():
    lines = sum(bool(line.strip()) for line in CODE.splitlines())
    assert f"It is {lines} lines long" in PAGE
    assert lines <= MOST_LINES


def test_an_update_is_lost_and_compare_and_set_loses_none():
    widget = seats()
    for named in ("Step seller 1", "Step seller 2", "Run all"):
        press(widget, named)
    assert "✗ The counter is wrong. 2 seats are sold, and the counter says 1." in seen(widget)
    press(widget, "Undo")
    assert "Sold: 1. The counter says: 1." in seen(widget)
    press(widget, "compare and set")
    for named in ("Sellers / 3", "Step seller 1", "Step seller 2", "sleep: seller 3", "Run all"):
        press(widget, named)
    assert "asleep before" in widget.nodes
    press(widget, "Wake: seller 3")
    press(widget, "Run all")
    assert "✓ Every seat is counted. 3 seats are sold, and the counter says 3." in seen(widget)


def test_a_crash_after_the_write_sells_a_seat_twice_and_the_token_is_replayed():
    widget = seats(how="cas")
    for named in ("Run seller 1", "Steps taken / 1 ", "Kill seller 1", "Run all"):
        press(widget, named)
    assert [move.kind for move in widget.model.state.position.moves].count("c") == 1
    run = replay(widget.token, widget.handlers).run
    assert run.outcome == widget.model.state.position.replay.run.outcome
    token, before = widget.token, seen(widget)
    press(widget, "Start again")
    press(widget, f"token = {token}")
    assert seen(widget) == before
    press(widget, "Open in the debugger")
    assert isinstance(widget.opened, Debugger)
    press(widget, "read, then write")
    press(widget, f"token = {token}")
    assert "is for another handler" in widget.model.state.refused["token"][1]
    assert 'aria-invalid="true"' in widget.tools


def locks(node):
    """Take two locks, each node in its own order, and push."""
    first, second = ("a", "b") if node.number == 1 else ("b", "a")
    with node.lock(first), node.lock(second):
        node.output.push(node.number)


OF = {"of": Choice("Of", {name: name for name in "abcdef"})}


class Locks(Scene):
    """Two nodes that take two locks in different orders; a story shows them wait for each other."""

    choices = OF

    def __init__(self, stories=()):
        self.stories = dict(stories)

    def programs(self, chosen):
        return [locks, locks]

    def verdict(self, state):
        waiting = [one.node for one in state.position.nodes if one.waits]
        return ("bad", "Deadlock.", "") if len(waiting) == 2 else ("none", "Go on.", "")


def test_nodes_that_wait_are_told_and_cannot_step_and_a_story_shows_it():
    widget = play(Locks())
    for named in ("Step node 1", "Step node 2"):
        press(widget, named)
    assert "✗ Deadlock." in seen(widget)
    assert widget.nodes.count(">waits: acquire lock") == 2
    with pytest.raises(AssertionError):
        press(widget, "Run all")
    widget.model.do("all")
    assert "Nobody is left" in widget.model.state.error.message
    widget.model.do("step", 0)
    assert "Node 1 has to wait" in widget.model.state.error.message
    assert "select" in widget.choices, "six values are a list"
    told = play(Locks({"They wait for each other": widget.token}))
    press(told, "They wait for each other")
    assert "✗ Deadlock." in seen(told)
    press(told, "Kill node 1")
    press(told, "Run node 2")
    assert "has ended" in told.nodes


@pytest.mark.parametrize("wrong", [{"how": "by hand"}, {"sellers": 4}])
def test_a_value_that_is_no_choice_is_refused(wrong):
    with pytest.raises(BadInput):
        seats(**wrong)


def test_what_makes_no_sense_changes_nothing():
    widget = seats()
    for do, value in (("step", "9"), ("step", None), ("go", "there"), ("story", "none"), ("token", "x"), ("how", 7)):
        before = widget.model.state.way
        widget.model.do(do, value)
        assert widget.model.state.error is not None, (do, value)
        assert widget.model.state.way == before


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("sleep 0, step 0", "Seller 1 is asleep"),
        ("run 0, step 0", "Seller 1 has ended"),
        ("run 0, kill 0", "nobody left to strike"),
        ("run 0, sleep 0", "no use for sleep"),
        ("run 0, run 1, all", "Nobody is left"),
        ("step 7", "between 0 and 1"),
        ("kill 0, " * Scene.most_faults + "kill 0", "faults are enough"),
        ("token nothing", "is no token"),
    ],
)
def test_what_cannot_be_done_is_said(actions, said):
    widget = seats()
    *before, last = (action.split(" ") for action in actions.split(", "))
    for do, value in (each if len(each) == 2 else (*each, None) for each in before):
        widget.model.do(do, value)
        assert widget.model.state.error is None
    taken = widget.model.state.way
    widget.model.do(*last)
    assert said in widget.model.state.error.message
    assert widget.model.state.way == taken


def test_what_was_undone_is_kept_if_the_same_is_done_again():
    widget = seats(how="cas")
    for named in ("Run seller 1", "Run seller 2", "Steps taken / 1 "):
        press(widget, named)
    whole = widget.model.state.way
    assert "3 steps undone" in widget.way
    press(widget, "Run seller 1")
    assert widget.model.state.way == whole
    press(widget, "Kill seller 2")
    assert len(widget.model.state.way) == 3, "another step drops what was undone"


def test_there_is_an_end_to_the_steps(monkeypatch):
    monkeypatch.setattr(Scene, "most_steps", 2)
    widget = seats()
    for named in ("Step seller 1", "Step seller 2"):
        press(widget, named)
    for do in ("step", "run", "all"):
        widget.model.do(do, 0)
        assert "as many as there may be" in widget.model.state.error.message


class Spinning(Scene):
    """Two pushers that take a spinlock."""

    def programs(self, chosen):
        return [locked, locked]


def test_one_that_asks_in_vain_spins():
    widget = play(Spinning())
    for named in ("Step node 1", "Step node 1", "sleep: node 1", "Run node 2"):
        press(widget, named)
    assert "spins: read lock" in widget.nodes
    assert widget.model.state.position.ended == []
