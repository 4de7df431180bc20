"""The console on its screen, without a browser: its fragments and messages; proving: bounds, Stop, what is opened."""

import functools
import re

import pytest
from fakes import until

from exactly_once.errors import BadInput
from exactly_once.explore.case import Bounds
from exactly_once.faults import FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.pipeline import Job
from exactly_once.sandbox import prove_safely
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets import Debugger, crash_console
from exactly_once.widgets.base.widget import HERE


def hear(console, do, value=None):
    console._heard(console, {"do": do, "value": value}, [])
    assert console.model.wait(300)


@pytest.mark.parametrize("message", [None, "run", {"do": None}, {"do": "item", "value": {"a": 1}}, {"value": "B"}])
def test_a_strange_message_is_answered_in_place(message):
    console = crash_console()
    console._heard(console, message, [])
    assert "eo-says" in console.error or "eo-field-says" in console.toolbar


def test_the_width_of_the_page_is_the_width_of_the_diagram():
    console = crash_console()
    hear(console, "simulate")
    for width, drawn in ((1200, 1200), (10_000, 1900)):
        hear(console, "width", width)
        assert f'width="{drawn}"' in console.diagram
    hear(console, "width", "wide")
    assert 'width="1900"' in console.diagram


def test_a_matrix_that_is_being_filled_has_its_bar_and_the_one_stop_is_on():
    console = crash_console()
    console.model.update(busy="running", progress=(3, 10), status="Filling")
    assert 'value="3"' in console.matrix
    assert not re.search(r'class="eo-button eo-stop"[^>]*aria-disabled', console.toolbar)
    console.model.update(busy="idle", progress=None)
    assert re.search(r'class="eo-button eo-stop"[^>]*aria-disabled', console.toolbar)


def test_there_is_one_stop_and_one_prove():
    console = crash_console()
    page = "".join(value for value in console.get_state().values() if isinstance(value, str) and "<" in value)
    assert len(re.findall(r"<button[^>]*>■", page)) == 1
    assert len(re.findall(r"<button[^>]*>[^<]*Prove", page)) == 1


def test_a_token_that_cannot_be_read_says_so_under_its_field_and_stands_in_nobodys_way():
    console = crash_console()
    hear(console, "replay", "eo1-B3w-AAAA")
    assert re.search(r'eo-field-says" role="alert">[^<]*eo1-B3w-AAAA', console.matrix)
    assert 'value="eo1-B3w-AAAA"' in console.matrix, "what was typed stays"
    assert (console.error, console.replayed) == ("", 0)
    hear(console, "simulate")
    assert "Not exactly once" in console.verdict
    assert "eo-field-says" not in console.matrix
    hear(console, "replay", "eo2-B3w-" + FaultPlan.crash("B", 3).token.rpartition("-")[2])
    assert console.replayed == 1


def test_a_cell_of_the_tape_names_its_step_and_line():
    console = crash_console()
    hear(console, "point", "B")
    cell = re.search(r'class="eo-cell eo-again"[^>]*data-step="([^"]*)" data-line="(\d+)" tabindex="0"', console.tape)
    step, line = cell.groups()
    assert f'class="trip guilty again" data-step="{step}" data-line="{line}"' in console.diagram
    assert f'data-line="{line}"' in console.code


def test_an_unexpected_error_in_what_runs_ahead_stands_in_place(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("a surprise")

    console = crash_console()
    monkeypatch.setattr(console.model.scrubber, "fill", fail)
    hear(console, "point", "B")
    until(lambda: "The console itself failed (RuntimeError: a surprise)" in console.error)
    assert "raise RuntimeError" in console.error
    assert "<details" in console.error, "the traceback is folded"
    assert "Not exactly once" in console.verdict, "what was asked for is there"


def test_a_live_run_draws_the_death_that_its_verdict_tells():
    console = crash_console()
    run = simulate(handler_for(), FaultPlan.crash("B", 3), Job(items=9))
    console.model.update(verdict=judge(run, handler_for()), live_life=2, busy="live")
    assert "in the pass of hour 3" in console.verdict
    assert "Space–time diagram: hour 3" in console.diagram


def test_kill_now_is_on_only_while_a_process_runs():
    console = crash_console()
    off = r'class="eo-button eo-kill-now"[^>]*aria-disabled="true"'
    assert re.search(off, console.livebar)
    console.model.update(busy="live")
    assert re.search(off, console.livebar), "the cluster is starting"
    console.model.update(live_life=1)
    assert not re.search(off, console.livebar)
    assert re.search(r'eo-live"[^>]*data-do="stop"[^>]*>■ End the live run<', console.livebar)
    console.model.update(busy="idle", live_life=0)
    assert re.search(off, console.livebar)


def test_what_a_learner_wrote_is_escaped():
    def angry(node):
        raise ValueError("<script>alert(1)</script>")

    console = crash_console(angry)
    hear(console, "simulate")
    assert "<script>" not in console.verdict
    assert "&lt;script&gt;" in console.verdict


def test_nonsense_is_refused_in_one_sentence():
    with pytest.raises(BadInput, match="give a function"):
        crash_console(7)
    with pytest.raises(BadInput, match="strategy"):
        crash_console(strategy="none")
    with pytest.raises(BadInput, match="Job"):
        crash_console(job=6)
    with pytest.raises(BadInput, match="cannot be called with one argument, the node"):
        crash_console(lambda: None)
    with pytest.raises(BadInput, match=r"two.* cannot be called with one argument"):
        crash_console(two)


def two(node, more):
    """A handler that nobody can call with one argument."""


def test_nothing_comes_from_the_network():
    files = [path.read_text(encoding="utf-8") for path in HERE.glob("*/*.[jc]s*")]
    assert len(files) > 20
    assert not re.search(r"https?://|//cdn|import .* from", "".join(files))


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
    assert console.proving.wait(300)
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
    assert console.proving.wait(300)
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
    for request in ("open_proof", "open_run"):
        assert "debugger cannot open" in done(crash_console(), (request, None)).error


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
