"""The micro-batch timeline: what it draws is what the simulated run passed, and the real run stands beside it."""

import re
import threading

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.faults import POINTS, FaultPlan
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark import streaming
from exactly_once.spark.streaming.driver.places import Mark
from exactly_once.verdict import judge
from exactly_once.widgets import BatchesModel, batch_timeline
from exactly_once.widgets.batches.model import JOB, SINKS, plan_of, replays, run_batches
from exactly_once.widgets.batches.view import fragments, steps_table, told

PLACES = [(letter, batch) for batch in range(JOB.items) for letter in POINTS]


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("kill", PLACES, ids=lambda kill: f"{kill[0]}{kill[1]}")
def test_a_kill_at_each_place_is_the_simulated_crash_there(sink, kill):
    letter, batch = kill
    run = run_batches(sink, (kill,))
    plain = simulate(SINKS[sink], FaultPlan.crash(letter, batch + 1), Job(items=6))
    assert run.verdict.damage == judge(plain, SINKS[sink]).damage
    assert run.deaths == ((1, letter, batch),)
    assert run.verdict.exactly_once == (sink == "batch id" or letter != "D")
    assert replays(run) == ({2: batch} if letter in "BCD" else {})
    died = run.letters.index((1, batch, letter))
    again = "BCDE" if letter in "BCD" else "ABCDE"
    after = [(2, number, each) for number in range(batch, 6) for each in (again if number == batch else "ABCDE")]
    assert run.letters[died + 1 :] == (after if letter != "E" else after[5:])


def test_a_replayed_batch_is_found_and_saved_again_or_refused():
    def kinds(sink, place):
        passed = run_batches(sink, (("D", 2),)).passed
        return [(one.life, one.kind) for one in passed if (one.batch, one.place) == (2, place)]

    assert kinds("append", "offsets") == [(1, "written"), (2, "there")]
    assert kinds("append", "tasks") == [(1, "written"), (2, "there")]
    assert kinds("append", "sink") == [(1, "written"), (2, "again")]
    assert kinds("batch id", "sink") == [(1, "written"), (2, "there")]
    assert kinds("append", "commits") == [(2, "written")]


def test_a_replay_may_die_too_before_it_has_read_its_rows():
    kill = (("D", 2), ("B", 2), ("D", 2))
    run = run_batches("append", kill)
    assert run.deaths == ((1, "D", 2), (2, "B", 2), (3, "D", 2))
    assert [fault.item for fault in plan_of(kill).faults] == [3, None, 3]
    assert sum(one.kind == "again" for one in run.passed) == 2
    assert replays(run) == {2: 2, 3: 2, 4: 2}


def test_kills_are_placed_taken_away_undone_and_refused_where_no_life_passes():
    model = BatchesModel()
    for place in ("D2", "B0", "B2"):
        model.do("kill", place)
    assert model.state.kill == (("B", 0), ("D", 2), ("B", 2))
    assert "began batch 2 again" in told(model.state)[2]
    model.do("kill", "E4")
    assert "3 drivers die already" in model.state.error.message
    model.do("kill", "B0")
    assert model.state.kill == (("D", 2), ("B", 2))
    model.do("undo")
    assert model.state.kill[0] == ("B", 0)
    model.do("reset")
    model.do("sink", "batch id")
    assert (model.state.sink, model.state.kill, told(model.state)[1]) == ("batch id", (), "Exactly once.")
    model.do("undo")
    model.do("undo")
    assert (model.state.sink, len(model.state.kill)) == ("append", 3)
    for action, value in (("kill", "F2"), ("kill", "A6"), ("kill", ""), ("kill", None), ("sink", "tea"), ("fly", 1)):
        before = model.state.run
        model.do(action, value)
        assert model.state.error is not None
        assert model.state.run is before
    while model.back.past:
        model.do("undo")
    model.do("undo")
    assert "nothing to undo" in model.state.error.message


def test_the_sink_is_given_by_name():
    with pytest.raises(BadInput, match="batch id"):
        batch_timeline("upsert")
    assert "Exactly once." in repr(batch_timeline("batch id"))


@pytest.mark.parametrize("width", [380, 820, 1200])
def test_the_drawing_has_each_mark_letter_and_death_once(width):
    model = BatchesModel()
    for place in ("D2", "B2"):
        model.do("kill", place)
    drawn = fragments(model, width)
    letters = re.findall(r'data-value="([A-E]\d)" [^>]*aria-pressed="(\w+)"', drawn["stage"])
    assert sorted(place for place, _ in letters) == sorted(f"{letter}{batch}" for letter, batch in PLACES)
    assert {place for place, pressed in letters if pressed == "true"} == {"D2", "B2"}
    run = model.state.run
    rows = [one for one in run.passed if one.place not in POINTS]
    assert len(re.findall("eo-batch-timeline-mark ", drawn["stage"])) == len(rows)
    assert drawn["stage"].count('class="cross"') == len(run.deaths) == 2
    assert drawn["stage"].count('class="tick"') == len(run.letters)
    assert "hour 3 is in the sink more than once" in drawn["says"]
    assert len(steps_table(model.state)) == len(run.passed)


class RealRun:
    """What `run_query` returns, from marks that a test gives."""

    def __init__(self, marks):
        self.marks, self.rows, self.counter = marks, {"hour": [3, 3], "average": [43.3, 43.3]}, 5
        self.lives, self.sentence = (), "The driver was killed at D of batch 2."


def test_the_processes_marks_stand_beside_the_simulated_ones(monkeypatch):
    model, asked, gate, drawn = BatchesModel(), [], threading.Event(), threading.Event()
    model.do("kill", "D2")
    marks = [
        Mark(life, batch, letter, 100.0 + at) for at, (life, batch, letter) in enumerate(model.state.run.letters)
    ]

    def run_query(sink, kill, hours, progress):
        asked.append((sink, kill, hours))
        progress(marks[0])
        drawn.set()
        assert gate.wait(20)
        return RealRun(marks)

    monkeypatch.setattr(streaming, "run_query", run_query)
    model.do("real")
    assert drawn.wait(20)
    assert fragments(model, 900)["stage"].count('class="real"') == 1
    model.do("kill", "A0")
    assert model.state.kill == (("D", 2),), "nothing changes while drivers run"
    gate.set()
    assert model.wait(20)
    assert asked == [("append", [("D", 2)], 6)]
    found = fragments(model, 900)
    assert found["stage"].count('class="real"') == len(marks)
    assert "in the same order" in found["says"]
    assert "twice" in found["tape"]
    model.do("kill", "D2")
    assert 'class="real"' not in fragments(model, 900)["stage"], "it belongs to another choice"
    model.do("undo")
    assert 'class="real"' in fragments(model, 900)["stage"]
    model.state.found.marks[4] = model.state.found.marks[5]
    assert "did not pass the places" in fragments(model, 900)["says"]


def test_a_real_run_is_stopped_at_a_mark_and_an_error_is_said(monkeypatch):
    model, going, gate, ended = BatchesModel(), threading.Event(), threading.Event(), []

    def run_query(sink, kill, hours, progress):
        try:
            going.set()
            assert gate.wait(20)
            progress(Mark(1, 0, "A", 100.0))
        finally:
            ended.append(True)

    monkeypatch.setattr(streaming, "run_query", run_query)
    model.do("real")
    assert going.wait(20)
    model.do("stop")
    gate.set()
    assert model.wait(20)
    assert (ended, model.state.error, model.state.busy) == ([True], None, "idle")
    assert "Stopped" in model.state.status

    def failing(*_):
        raise CourseError("The query failed.")

    monkeypatch.setattr(streaming, "run_query", failing)
    model.do("real")
    assert model.wait(20)
    assert model.state.error.message == "The query failed."
    assert model.state.found is None
