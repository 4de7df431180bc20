"""The player, by the scene of the page "How to write a scene": its own code, pressed as a reader presses it."""

import re

import pytest
from screen import Screen, press

from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.paths import ROOT
from exactly_once.widgets import Debugger
from exactly_once.widgets.player.scene import Choice, Scene
from exactly_once.widgets.player.widget import play

PAGE = (ROOT / "docs" / "how-to-write-a-scene.md").read_text(encoding="utf-8")
CODE = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
MOST_LINES = 60


@pytest.fixture
def page():
    """Give the names that the page's code defines."""
    names = {"__name__": "a_scene"}
    exec(compile(CODE, "how-to-write-a-scene.md", "exec"), names)  # the page's code is what is tested
    return names


def seen(widget):
    return "\n".join(Screen(widget.says).lines + Screen(widget.picture).lines)


def test_the_page_counts_its_lines_and_a_scene_has_few():
    lines = sum(bool(line.strip()) for line in CODE.splitlines())
    assert f"It is {lines} lines long" in PAGE
    assert lines <= MOST_LINES


def test_an_update_is_lost_and_compare_and_set_loses_none(page):
    widget = play(page["Seats"]())
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


def test_a_crash_after_the_write_sells_a_seat_twice_and_the_token_is_replayed(page):
    widget = play(page["Seats"](), how="cas")
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


def test_one_that_runs_stops_where_it_has_to_wait():
    widget = play(Locks())
    for named in ("Step node 1", "Run node 2"):
        press(widget, named)
    assert widget.model.state.error is None
    assert widget.model.state.position.nodes[1].waits


@pytest.mark.parametrize("wrong", [{"how": "by hand"}, {"sellers": 4}])
def test_a_value_that_is_no_choice_is_refused(page, wrong):
    with pytest.raises(BadInput):
        play(page["Seats"](), **wrong)


def test_what_makes_no_sense_changes_nothing(page):
    widget = play(page["Seats"]())
    for do, value in (("step", "9"), ("step", None), ("go", "there"), ("story", "none"), ("token", "x"), ("how", 7)):
        before = widget.model.state.way
        widget.model.do(do, value)
        assert widget.model.state.error is not None, (do, value)
        assert widget.model.state.way == before
