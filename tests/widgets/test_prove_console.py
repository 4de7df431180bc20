"""Proving from the consoles: bounds, progress, Stop, the verdict in words, what is opened; learners' endless
loops.
"""

import threading
import time

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore.bounds import Bounds
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.widgets import Debugger, ProveModel, crash_console, prove_console

LARGE = {"nodes": 3, "items": 8, "crashes": 1}


def endless(node):
    node.positions.load()
    while True:
        pass


def raising(node):
    raise ValueError("I am <broken>")


def done(console, *messages):
    for do, value in messages:
        console._heard(console, {"do": do, "value": value}, [])
    assert getattr(console, "proving", console.model).wait(120)
    return console


def test_a_broken_handler_gets_the_simplest_schedule_drawn_and_it_opens():
    console = done(prove_console(), ("prove", None))
    assert "✗ Broken." in console.verdict
    assert "1 node, 3 items, 1 crash" in console.verdict
    assert "<svg" in console.found
    assert "× twice" in console.found
    done(console, ("open_proof", None))
    assert isinstance(console.opened, Debugger)
    assert console.opened.model.opened.sentence == console.model.state.proof.counterexample.sentence
    assert "at_least_once" in console.opened.code


def test_a_sound_handler_is_proved_with_a_count_and_its_bounds():
    console = done(prove_console(hourly_means, nodes=2, items=2), ("prove", None))
    proof = console.model.state.proof
    assert proof.ok
    assert "✓ Proved: no violation within these bounds." in console.verdict
    assert f"{proof.states:,} states" in console.verdict
    assert console.found == ""


def test_what_was_not_exhausted_is_never_called_proved(monkeypatch):
    monkeypatch.setattr("exactly_once.widgets.base.model.PATIENCE_SECONDS", 60)
    console = prove_console(hourly_means, **LARGE)
    console.model.do("prove")
    wait_for(lambda: "a second" in console.status)
    assert "<progress" in console.status
    assert "Searching … " in console.status
    console.model.do("stop_proof")
    assert console.model.wait(60)
    assert console.model.state.proof.stopped == "it was stopped"
    assert "Not proved." in console.verdict
    assert "✓" not in console.verdict
    assert console.status == ""


def test_the_limit_of_seconds_is_kept_and_said():
    console = done(prove_console(hourly_means, **LARGE), ("seconds", "1"), ("prove", None))
    assert "the 1 seconds were over" in console.verdict
    assert "Not proved." in console.verdict


def test_an_endless_handler_is_stopped_at_once_and_the_console_goes_on():
    console = prove_console(endless)
    console.model.do("prove")
    wait_for(lambda: console.model.state.elapsed > 0.3)
    console.model.do("stop_proof")
    assert console.model.wait(60)
    assert "its process was ended" in console.status
    assert "Broken" in done(prove_console(), ("prove", None)).verdict


def test_an_endless_handler_is_ended_by_itself_and_said():
    console = done(prove_console(endless), ("prove", None))
    assert "without a step and without an end" in console.error
    assert "Proved" not in console.verdict


def test_what_a_learner_wrote_is_escaped_and_shown():
    console = done(prove_console(raising), ("prove", None))
    assert "I am &lt;broken&gt;" in console.verdict + console.error
    assert "<broken>" not in console.verdict + console.found + console.error
    assert '<pre class="eo-traceback"' in console.error


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("nodes", "0", "Nodes is 0; it must be between 1 and 4"),
        ("items", "-1", "must be between 1 and 24"),
        ("crashes", "many", "Crashes is &#x27;many&#x27;"),
        ("crashes", "", "Crashes is empty"),
        ("pauses", "99", "Pauses is 99"),
        ("seconds", None, "Seconds at most is &#x27;None&#x27;"),
        ("lost_replies", "9" * 50, "Lost replies is"),
    ],
)
def test_nonsense_in_a_bound_is_answered_in_place_and_changes_nothing(name, value, words):
    console = done(prove_console(), (name, value))
    assert words in console.toolbar
    assert console.model.state.bounds == Bounds()
    assert done(console, ("nodes", " 2 ")).model.state.bounds.nodes == 2
    assert console.error == ""


@pytest.mark.parametrize("message", [None, "prove", {"do": None}, {"do": "dance"}, {"do": "strategy", "value": 7}])
def test_a_strange_message_is_answered_in_place(message):
    console = prove_console()
    console._heard(console, message, [])
    assert "eo-says" in console.error


def test_to_open_what_is_not_there_is_told():
    console = done(prove_console(), ("open_proof", None))
    assert "debugger cannot open" in console.error
    console = done(crash_console(), ("open_run", None))
    assert "debugger cannot open" in console.error


def test_a_second_click_during_a_search_is_ignored():
    gate, began = threading.Event(), []

    def prover(*_, **__):
        began.append(1)
        gate.wait(10)

    model = ProveModel(lambda: (at_least_once,), prover=prover)
    model.do("prove")
    first = model.work
    model.do("prove")
    assert model.work is first
    assert model.state.error is None
    gate.set()
    assert model.wait(60)
    assert began == [1]


def test_the_crash_console_proves_the_handler_that_is_chosen():
    console = done(crash_console(), ("strategy", "at_most_once"), ("prove", None))
    assert "at_most_once" in console.proof
    assert "Broken" in console.proof
    assert {"eo-prove", "eo-stop", "eo-pauses", "eo-lost_replies"} <= set(
        (console.toolbar + console.proof).replace('"', " ").split()
    )
    done(console, ("open_proof", None))
    assert "at_most_once" in console.opened.code


def test_the_crash_console_opens_its_run():
    console = crash_console()
    console.model.do("simulate")
    assert console.model.wait(10)
    done(console, ("open_run", None))
    assert "at_least_once" in console.opened.code
    assert "SIGKILL at B" in console.opened.faults


def test_different_programs_on_different_nodes():
    def idle(node):
        node.positions.load()

    console = prove_console([at_least_once, idle], invariant=lambda view: True)
    assert console.model.state.bounds.nodes == 2
    assert "idle" in console.code
    assert "Proved" in done(console, ("prove", None)).verdict


def holding(node):
    with node.lock("all"):
        node.output.push(node.number)


def test_what_holds_a_lock_is_proved_and_not_called_lock_free():
    console = done(prove_console(holding, nodes=2, items=1, crashes=0, invariant=lambda view: True), ("prove", None))
    assert "✓ Proved: no violation within these bounds." in console.verdict
    assert "not lock-free" in console.verdict
    assert "Not lock-free: the simplest schedule that shows it" in console.verdict
    assert "<svg" in console.found
    done(console, ("open_proof", None))
    assert "waits for another" in console.opened.about


def crossed(node):
    first, second = ("a", "b") if node.number == 1 else ("b", "a")
    with node.lock(first), node.lock(second):
        pass


def test_a_deadlock_is_told_and_opens():
    console = done(prove_console(crossed, nodes=2, items=1, crashes=0, invariant=lambda view: True), ("prove", None))
    assert "Deadlock: " in console.verdict
    done(console, ("open_proof", None))
    assert "nobody can go on" in console.opened.about


def test_nonsense_is_refused_in_one_sentence():
    for bad, words in ((7, "give a function"), ("x", "give a function"), ([at_least_once, 3], "give a function")):
        with pytest.raises(BadInput, match=words):
            prove_console(bad)
    with pytest.raises(BadInput, match="strategy"):
        prove_console(strategy="none")
    with pytest.raises(BadInput, match="number of nodes"):
        prove_console(nodes=0)
    with pytest.raises(BadInput, match="give a Job"):
        prove_console(job=3)


def wait_for(true, seconds=20):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
