"""Proving from the crash console: bounds, progress, Stop, the verdict in words, what is opened, endless loops."""

import functools

import pytest
from fakes import until

from exactly_once.explore.bounds import Bounds
from exactly_once.sandbox import prove_safely
from exactly_once.widgets import Debugger, crash_console

LARGE = (("nodes", "3"), ("items", "8"))


def endless(node):
    node.positions.load()
    while True:
        pass


def raising(node):
    raise ValueError("I am <broken>")


def done(console, *messages):
    for do, value in messages:
        console._heard(console, {"do": do, "value": value}, [])
    assert console.proving.wait(120)
    return console


def test_a_broken_handler_gets_the_simplest_schedule_drawn_and_it_opens():
    console = done(crash_console(), ("prove", None))
    assert "✗ Broken." in console.proof
    assert "1 node, 3 items, 1 crash" in console.proof
    assert "<svg" in console.proof
    assert "× twice" in console.proof
    done(console, ("open_proof", None))
    assert isinstance(console.opened, Debugger)
    assert console.opened.model.opened.sentence == console.proving.state.proof.counterexample.sentence
    assert "at_least_once" in console.opened.code


def test_a_sound_handler_is_proved_with_a_count_and_its_bounds():
    console = crash_console(strategy="lock_free")
    done(console, ("nodes", "2"), ("items", "2"), ("prove", None))
    proof = console.proving.state.proof
    assert proof.ok
    assert "✓ Proved: no violation within these bounds." in console.proof
    assert f"{proof.states:,} states" in console.proof
    assert '<div class="eo-found"></div>' in console.proof


def test_what_was_not_exhausted_is_never_called_proved(monkeypatch):
    monkeypatch.setattr("exactly_once.widgets.base.model.PATIENCE_SECONDS", 60)
    console = done(crash_console(strategy="lock_free"), *LARGE)
    console.proving.do("prove")
    until(lambda: "a second" in console.proof)
    assert "<progress" in console.proof
    assert "Searching … " in console.proof
    console._heard(console, {"do": "stop", "value": None}, [])
    assert console.proving.wait(60)
    assert console.proving.state.proof.stopped == "it was stopped"
    assert "Not proved." in console.proof
    assert "✓" not in console.proof
    assert "<progress" not in console.proof
    assert console.proving.state.status == ""


def test_the_limit_of_seconds_is_kept_and_said():
    console = done(crash_console(strategy="lock_free"), *LARGE, ("seconds", "1"), ("prove", None))
    assert "the 1 seconds were over" in console.proof
    assert "Not proved." in console.proof


@pytest.mark.not_by_day
def test_an_endless_handler_is_stopped_at_once_and_the_console_goes_on():
    console = crash_console(endless)
    console.proving.do("prove")
    until(lambda: console.proving.state.elapsed > 0.3)
    console.proving.do("stop_proof")
    assert console.proving.wait(60)
    assert "its process was ended" in console.proof
    assert "Broken" in done(console, ("strategy", "at_least_once"), ("prove", None)).proof


@pytest.mark.slow
def test_an_endless_handler_is_ended_by_itself_and_said():
    console = done(crash_console(endless), ("prove", None))
    assert "without a step and without an end" in console.proof
    assert "Proved" not in console.proof


def test_what_a_learner_wrote_is_escaped_and_shown():
    console = done(crash_console(raising), ("prove", None))
    assert "I am &lt;broken&gt;" in console.proof
    assert "<broken>" not in console.proof
    assert '<pre class="eo-traceback"' in console.proof


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
    console = done(crash_console(), (name, value))
    assert words in console.proof
    assert console.proving.state.bounds == Bounds()
    done(console, ("prove", None))
    assert console.proving.state.proof is None, "nothing runs until the field is put right"
    assert done(console, ("nodes", " 2 ")).proving.state.bounds.nodes == 2
    assert console.error == ""


def test_to_open_what_is_not_there_is_told():
    console = done(crash_console(), ("open_proof", None))
    assert "debugger cannot open" in console.proof
    console = done(crash_console(), ("open_run", None))
    assert "debugger cannot open" in console.error


def fine(view):
    return True


def by_two(handler):
    """Return a console that has proved a handler on two nodes, without a fault; whatever it leaves is right."""
    console = crash_console(handler)
    console.proving.prover = functools.partial(prove_safely, invariant=fine)
    return done(console, ("nodes", "2"), ("items", "1"), ("crashes", "0"), ("prove", None))


def holding(node):
    with node.lock("all"):
        node.output.push(node.number)


def test_what_holds_a_lock_is_proved_and_not_called_lock_free():
    console = by_two(holding)
    assert "✓ Proved: no violation within these bounds." in console.proof
    assert "not lock-free" in console.proof
    assert "Not lock-free: the simplest schedule that shows it" in console.proof
    assert "<svg" in console.proof
    done(console, ("open_proof", None))
    assert "waits for another" in console.opened.about


def crossed(node):
    first, second = ("a", "b") if node.number == 1 else ("b", "a")
    with node.lock(first), node.lock(second):
        pass


def test_a_deadlock_is_told_and_opens():
    console = by_two(crossed)
    assert "Deadlock: " in console.proof
    done(console, ("open_proof", None))
    assert "nobody can go on" in console.opened.about
