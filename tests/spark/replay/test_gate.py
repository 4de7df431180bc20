"""The gate by itself: whose turn it is, and what is said when nobody takes it."""

import pytest

from exactly_once.spark.replay import gate as module
from exactly_once.spark.replay.gate import ScheduledStep, ScheduleGate
from exactly_once.spark.task.folder import RunFolder

pytestmark = pytest.mark.not_by_day


class Killed(BaseException):
    pass


@pytest.fixture
def deadly(monkeypatch):
    """Stand in for the SIGKILL, which would take the tests with it."""

    def kill():
        raise Killed

    monkeypatch.setattr(module, "kill_worker", kill)
    monkeypatch.setattr(module, "LIMIT", 0.05)


def test_turns_are_counted_for_all_who_look(tmp_path):
    one, other = (ScheduleGate(RunFolder(tmp_path), (ScheduledStep(1), ScheduledStep(2))) for _ in range(2))
    assert (one.passed(), one.over()) == (0, False)
    one.pass_on()
    assert other.passed() == 1
    other.wait_for(1, "Incarnation 2")
    other.pass_on()
    assert one.over()


def test_a_turn_that_nobody_takes_is_told_after_a_while(tmp_path, deadly):
    gate = ScheduleGate(RunFolder(tmp_path), (ScheduledStep(1, "push 7"), ScheduledStep(2)))
    with pytest.raises(Killed):
        gate.wait_for(1, "Incarnation 2")
    assert "Incarnation 2 waited" in gate.why_diverged()
    assert "the step of incarnation 1 (push 7), decision 1 of 2" in gate.why_diverged()


def test_who_waits_leaves_when_another_diverged_and_the_first_sentence_stays(tmp_path, deadly):
    gate = ScheduleGate(RunFolder(tmp_path), (ScheduledStep(1), ScheduledStep(2)))
    for sentence in ("first", "second"):
        with pytest.raises(Killed):
            gate.diverged(sentence)
    with pytest.raises(Killed):
        ScheduleGate(RunFolder(tmp_path), gate.steps).wait_for(1, "Incarnation 2")
    assert gate.why_diverged() == "first"
