"""The console's screen, without a browser: its fragments, its messages, its display in a headless notebook."""

import re

import pytest
from fakes import until

from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets import crash_console
from exactly_once.widgets.base.widget import HERE


def hear(console, do, value=None):
    console._heard(console, {"do": do, "value": value}, [])
    assert console.model.wait(20)


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


def test_what_was_said_stays_when_the_same_place_runs_again():
    console = crash_console()
    hear(console, "guess", "loses")
    for do, value in (("point", "B"), ("item", "3"), ("simulate", None), ("point", "B")):
        hear(console, do, value)
        assert re.search(r"You said: .*○ loses.*✗", console.said), do
    hear(console, "point", "C")
    assert "You said" not in console.said, "another place"
    hear(console, "point", "B")
    assert "You said" not in console.said, "what was said of it was passed over"


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


def test_before_the_first_hour_the_controls_and_the_matrix_say_hour_1():
    console = crash_console()
    hear(console, "item", "4")
    hear(console, "point", "B")
    hear(console, "place", 0)
    assert 'value="1"' in re.search(r"<input[^>]*eo-item[^>]*>", console.toolbar)[0]
    assert "hour 1" in re.search(r"Each cell is one run[^<]*", console.matrix)[0]


def test_a_place_of_the_strip_moves_code_tape_verdict_and_diagram():
    console = crash_console()
    hear(console, "place", 28)
    assert "SIGKILL before positions.save" in console.diagram
    assert "✖<i> dies</i>" in console.code
    assert "≠ wrong" in console.tape
    assert console.place == 28
    hear(console, "kind", "lost reply")
    assert "reply lost" in console.diagram
    hear(console, "place", "nowhere")
    assert "The place is None" in console.error


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
    with pytest.raises(BadInput, match="The cluster is 'x'; give a session of Spark"):
        crash_console(cluster="x")
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
