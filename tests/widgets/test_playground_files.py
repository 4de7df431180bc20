"""Runs that the clock playground loads and saves, and texts that it refuses."""

import json

import pytest

from exactly_once.clocks import Event, History
from exactly_once.clocks.formats.files import read_text
from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.simulate import simulate
from exactly_once.widgets import ClockPlaygroundModel
from exactly_once.widgets.playground.run import EVENTS
from exactly_once.widgets.playground.widget import screen


@pytest.mark.parametrize("form", ["jsonl", "shiviz"])
def test_what_is_saved_is_loaded_again(form):
    made = ClockPlaygroundModel()
    _, text = made.saved(form)
    other = ClockPlaygroundModel(text)
    first, second = made.state.drawing.history, other.state.drawing.history
    assert sorted(first.lamport) == sorted(second.lamport)
    assert first.concurrent_pairs() == second.concurrent_pairs()
    assert [line.name for line in other.state.drawing.lines] == ["P1", "P2", "P3"]


def test_a_run_of_the_flight_recorder_is_drawn():
    trace = simulate(at_least_once, FaultPlan.crash("B", 2)).trace
    drawing = ClockPlaygroundModel(trace).state.drawing
    assert len(drawing.dots) == len(trace)
    assert drawing.arrows


def test_an_event_of_several_messages_keeps_them_all():
    history = History([Event("p", "send"), Event("q", "receive"), Event("r", "receive")], [(0, 1), (0, 2)])
    made = ClockPlaygroundModel(history)
    assert len(made.state.drawing.history.arrows) == 2
    assert not any(event.redelivery for event in made.state.drawing.history)
    with pytest.raises(BadInput, match="ShiViz"):
        made.saved("jsonl")
    assert len(read_text(made.saved("shiviz")[1])[0][1].arrows) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is nothing"),
        ("hello", "line 1"),
        ('{"process": "a", "kind": "recieve", "message": "m"}', "'recieve'"),
        ('{"process": "a", "kind": "receive", "message": "m"}', "nobody sends it"),
        ("\n".join(json.dumps({"process": f"p{n}", "kind": "local"}) for n in range(7)), "7 processes"),
        ("\n".join([json.dumps({"process": "p", "kind": "local"})] * (EVENTS + 1)), f"{EVENTS + 1} events"),
        ("x" * 2_000_001, "2000001 characters"),
    ],
)
def test_a_bad_text_is_told_at_its_box_and_the_run_stays(text, words):
    made = ClockPlaygroundModel()
    before = made.state.drawing
    made.do("load", text)
    assert words in made.state.text_error
    assert made.state.error is None
    assert made.state.drawing is before
    assert "Not loaded" in screen(made)["files"]
    made.do("choose", "a")
    assert made.state.text_error == ""


def test_a_message_that_nobody_receives_is_drawn_and_told():
    made = ClockPlaygroundModel('{"process": "p", "kind": "send", "message": "m"}')
    assert made.state.drawing.lost == {"a"}
    assert [line.name for line in made.state.drawing.lines] == ["p", "P1"]
    shown = screen(made)
    assert "1 message, 1 ✕ received by nobody" in shown["facts"]
    assert "sends a message that nobody receives" in shown["table"]
    assert json.loads(made.saved()[1])["kind"] == "send"
    made.do("move", ["a", 3])
    assert made.state.drawing.lost == {"a"}
    made.do("delete", "a")
    assert made.state.drawing.lost == frozenset()
