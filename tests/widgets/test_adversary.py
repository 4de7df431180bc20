"""The adversary's model and screen: which moves there are, when nothing can be right any more, undo, errors."""

import random

import pytest

from exactly_once.adversary import told
from exactly_once.errors import BadInput, CourseError, HandlerStuck
from exactly_once.explore import prove, replay
from exactly_once.handlers import at_least_once, at_most_once
from exactly_once.widgets import Debugger, adversary


def pushes(node):
    """Push without a look at what is there: two nodes double, and so does a crash after the push."""
    node.output.push(node.choose([1, 2]))


def failing(node):
    node.positions.load()
    if node.output.read():
        raise ValueError("there is <something> already")
    node.output.push(1)


def hangs_later(node):
    node.positions.load()
    if node.output.read():
        while True:
            pass
    node.output.push(1)


def always_fails(node):
    raise ValueError("I am <broken>")


def asked(widget, *messages):
    """Return the widget's state after the page has sent these messages, each (do, value)."""
    for number, (do, value) in enumerate(messages):
        widget._heard(widget, {"do": do, "value": value, "number": number}, [])
    return widget.model.state


def moved(widget, *names):
    return asked(widget, *(("move", name) for name in names))


def proved(widget):
    assert widget.model.work.join(60)
    return widget.model.state


def test_a_fault_that_is_spent_cannot_strike_again():
    widget = adversary(at_least_once, crashes=1, lost_replies=0)
    state = moved(widget, "0s", "0c")
    assert {told(decision) for decision in state.position.look.open} == {"0s", "1s"}
    assert state.position.look.left == {"crashes": 0}
    assert "crash × 0" in widget.table
    state = moved(widget, "1c")
    assert "cannot be made here" in state.error.message
    assert state.at == 2
    assert moved(widget, "1s").error is None


def test_two_nodes_that_read_the_same_hour_can_be_saved_by_a_fault_only_until_both_have_pushed():
    widget = adversary(at_least_once, crashes=1, lost_replies=0)
    passes = 5  # two loads, the read, crash point A, the push
    state = moved(widget, *["0s"] * passes, "1s")
    assert state.position.look.outlooks == ("open",) * 6 + ("fault",)
    assert "Only a fault can still save it" in widget.says
    assert "more than once" in widget.says
    state = moved(widget, *["1s"] * 4)
    assert state.position.look.outlook == "broken"
    assert state.broken_at == 10
    assert "Broken after 10 moves and 0 faults" in widget.says
    assert "Hour 1 is in the output twice" in widget.says
    assert "From move 6 on" in widget.says
    assert "✗ twice" in widget.table
    state = moved(widget, "0s")
    assert state.broken_at == 10, "it was broken then, and stays so"
    assert state.cost.steps == 10


def test_a_crash_that_loses_an_hour_breaks_it_at_once_and_not_at_the_end():
    widget = adversary(at_most_once, nodes=1, crashes=1, lost_replies=0)
    state = moved(widget)
    while "save positions" not in state.position.replay.pending[0].event.text:
        state = moved(widget, "0s")
    state = moved(widget, "0s")
    assert state.position.look.outlook == "open"
    state = moved(widget, "0c")
    assert state.position.look.outlook == "broken"
    assert not state.position.look.ended
    assert "no way to go on ends right" in widget.says


def test_the_token_performs_the_way():
    widget = adversary(at_least_once, pauses=1, lost_replies=1)
    state = moved(widget, "0s", "0r", "1s", "0p", "2s", "0s")
    assert state.error is None
    token = widget.model.token
    assert token in widget.tools
    again = replay(token, at_least_once)
    assert tuple(again.schedule) == state.way
    assert again.run.outcome == state.position.replay.run.outcome
    assert [event.text for event in again.run.trace] == [event.text for event in state.position.replay.run.trace]
    widget._heard(widget, {"do": "open", "number": 1}, [])
    assert isinstance(widget.opened, Debugger)
    assert widget.opened.model.steps.trace.events == state.position.replay.run.trace.events


@pytest.mark.not_by_day
def test_the_way_is_compared_with_the_simplest_which_is_shown_when_asked_for():
    widget = adversary(at_least_once, crashes=1, lost_replies=0)
    state = proved(widget)
    schedule, cost = state.simplest
    assert cost == (0, 1, 10)
    moved(widget, *["0s", "1s"] * 5)
    state = widget.model.state
    assert state.position.look.outlook == "broken"
    assert tuple(state.cost) == (0, 9, 10)
    assert "0 faults, 9 switches, 10 steps; 0, 1 and 10 are enough" in widget.says
    own = state.way
    state = asked(widget, ("simplest", None))
    assert (state.way, state.at) == (schedule, 10)
    assert state.position.look.outlook == "broken"
    assert tuple(state.cost) == tuple(cost)
    assert "Back to my way" in widget.tools
    state = asked(widget, ("undo", None), ("own", None))
    assert (state.way, state.own) == (own, None)


@pytest.mark.not_by_day
def test_the_simplest_way_is_not_longer_than_what_prove_shows_and_breaks_with_its_last_move():
    for handler, bounds in ((at_most_once, {}), (at_least_once, {"nodes": 1}), (pushes, {"items": 1})):
        widget = adversary(handler, lost_replies=0, **bounds)
        schedule, cost = proved(widget).simplest
        state = asked(widget, ("simplest", None))
        assert state.position.look.outlooks.index("broken") == len(schedule) == cost.steps
        assert cost.steps <= len(state.proof.counterexample.schedule)


def crossed(node):
    """Take two locks, each node in its own order."""
    with node.lock("ab"[node.number - 1]), node.lock("ba"[node.number - 1]):
        node.output.push(node.number)


def test_where_all_wait_nobody_comes_to_an_end():
    widget = adversary(crossed, items=1, lost_replies=0)
    state = asked(widget, ("move", "0s"), ("move", "1s"), ("all", None))
    assert "Nobody comes to an end from here without a fault" in state.error.message


def test_late_requests_arrive_and_any_sender_may_come_first():
    def sends(node):
        if node.number < 3:
            node.send(3, "hello")
        else:
            node.output.push([node.receive()[0], node.receive()[0]])

    widget = adversary(
        sends, nodes=3, items=1, crashes=0, lost_replies=0, late_requests=1, invariant=lambda view: True
    )
    state = moved(widget, "0s", "1l")
    assert "arrives" in widget.nodes
    assert any(decision.kind == "a" for decision in state.position.look.open)
    arrival = next(decision for decision in state.position.look.open if decision.kind == "a")
    state = moved(widget, told(arrival))
    assert state.error is None
    options = {
        told(decision) for decision in state.position.look.open if decision.actor == 2 and decision.kind == "s"
    }
    assert options == {"2s1", "2s2"}
    assert "receive from node 1" in widget.nodes
    assert "receive from node 2" in widget.nodes


def test_a_choice_is_offered_by_its_values():
    widget = adversary(pushes, nodes=1, items=1, crashes=0, lost_replies=0)
    state = moved(widget)
    assert [told(decision) for decision in state.position.look.open] == ["0o", "0o1"]
    assert ">1<" in widget.nodes
    assert ">2<" in widget.nodes
    state = moved(widget, "0o1", "0s")
    assert state.position.look.ended
    assert state.position.look.outlook == "open"


def test_what_a_handler_raises_breaks_it_and_is_told():
    widget = adversary(failing, items=1, crashes=0, lost_replies=0)
    state = asked(widget, ("move", "0s"), ("move", "1s"), ("move", "0s"), ("move", "0s"), ("move", "1s"))
    assert state.position.look.outlook == "broken"
    assert "there is &lt;something&gt; already" in widget.says


def test_a_handler_that_fails_when_nothing_goes_wrong_is_refused():
    with pytest.raises(CourseError, match="Without any fault this handler fails"):
        adversary(always_fails)


@pytest.mark.not_by_day
def test_a_handler_that_hangs_on_some_way_is_stopped():
    """Alone it ends; the second node would look at an output that is not empty, and never come back."""
    with pytest.raises(HandlerStuck, match="The code was stopped after 5 seconds"):
        adversary(hangs_later, items=1, crashes=0, lost_replies=0)


def test_a_handler_that_is_left_to_chance_is_told_so():
    def by_chance(node):
        node.positions.load()
        node.output.push(random.random())

    with pytest.raises(CourseError, match="not deterministic"):
        adversary(by_chance, items=1)


@pytest.mark.parametrize("wrong", [{"nodes": 0}, {"crashes": -1}, {"items": 0}, {"nodes": "two"}, {"pauses": 99}])
def test_bounds_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadInput):
        adversary(at_least_once, **wrong)
    with pytest.raises(BadInput):
        adversary(3)


@pytest.mark.not_by_day
def test_what_is_right_may_be_said_by_an_invariant_or_a_reference():
    def one(node):
        node.output.push(1)

    widget = adversary(one, items=1, crashes=0, lost_replies=0, invariant=lambda view: len(view.outputs) < 2)
    state = moved(widget, "0s", "1s")
    assert state.position.look.outlook == "broken"
    assert "the invariant does not hold" in widget.says
    assert "the invariant does not hold" in widget.choices
    widget = adversary(pushes, items=1, nodes=1, crashes=0, lost_replies=0, reference=one)
    assert moved(widget, "0o1").position.look.outlook == "broken"
    assert prove(pushes, items=1, crashes=0, reference=one).counterexample is not None
