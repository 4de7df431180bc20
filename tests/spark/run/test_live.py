"""Live runs: points are armed and processes are killed while the handler works, and stopping always works."""

import os

import pytest

from exactly_once import Job
from exactly_once.errors import BadInput, CourseError
from exactly_once.handlers import at_least_once
from exactly_once.paths import temporary
from exactly_once.spark import LiveRun
from tests.spark.run.waiting import gone

pytestmark = pytest.mark.cluster


@pytest.fixture
def live(spark):
    run = LiveRun(at_least_once, pace=0.05)
    run.start()
    yield run
    run.stop()
    assert list(temporary("runs").iterdir()) == []


def hours(shot):
    return len(shot.verdict.run.pushes)


@pytest.mark.not_by_day
def test_it_goes_on_until_it_is_stopped_and_a_pass_in_progress_is_no_damage(live):
    for count in (2, 4, 8):
        shot = live.wait(lambda shot, count=count: hours(shot) >= count)
        assert shot.running
        assert not shot.verdict.damage.any
        assert shot.last_line is None or 1 <= shot.last_line <= 20
    verdict = live.stop()
    assert verdict.consistent
    assert not live.snapshot().running


@pytest.mark.not_by_day
def test_waiting_ends_when_the_run_does_or_the_time(live):
    with pytest.raises(CourseError, match="did not happen within 0 seconds"):
        live.wait(lambda shot: False, seconds=0)
    live.stop()
    with pytest.raises(CourseError, match="ended before what was waited for"):
        live.wait(lambda shot: False)


@pytest.mark.parametrize(("point", "counted_twice"), [("B", False), ("C", True)])
@pytest.mark.some(day=1, ci=1)
def test_an_armed_point_strikes_once_and_the_damage_appears(live, point, counted_twice):
    live.wait(lambda shot: hours(shot) >= 3)
    live.arm(point)
    assert live.snapshot().armed in (point, None)
    shot = live.wait(lambda shot: shot.current_life == 2 and shot.verdict.damage.duplicated)
    assert shot.armed is None
    (item,) = shot.verdict.damage.duplicated
    later = live.wait(lambda shot: hours(shot) >= item + 4)
    assert later.current_life == 2
    verdict = live.stop()
    assert verdict.damage.duplicated == (item,)
    assert (verdict.damage.counter - verdict.damage.expected_counter) == counted_twice
    assert f"killed at {point}, in the pass of hour {item}" in verdict.sentence


@pytest.mark.parametrize("kill", ["executor", "worker"])
@pytest.mark.some(day=1)
def test_kill_now_kills_at_once_and_another_life_takes_over(live, kill):
    shot = live.wait(lambda shot: hours(shot) >= 2)
    where = shot.verdict.run.trace.lives()[-1].detail
    assert live.kill_now(kill)
    assert gone(where["pid"])
    assert gone(where["jvm"], 5 if kill == "executor" else 0) == (kill == "executor")
    live.wait(lambda shot: shot.current_life == 2 and shot.running)
    assert "killed from outside" in live.stop().sentence


@pytest.mark.not_by_day
def test_nonsense_is_refused_and_the_run_goes_on(live):
    with pytest.raises(BadInput, match="'Z'"):
        live.arm("Z")
    with pytest.raises(BadInput, match="'gpu'"):
        live.kill_now("gpu")
    with pytest.raises(CourseError, match="-1"):
        live.set_pace(-1)
    with pytest.raises(CourseError, match="started before"):
        live.start()
    live.wait(lambda shot: hours(shot) >= 2)


def test_a_handler_that_never_asks_whether_it_may_go_on_is_refused_before_it_starts(spark):
    def deaf(node):
        while True:
            node.crash_point("A")

    live = LiveRun(deaf)
    with pytest.raises(CourseError, match=r"node\.running"):
        live.start()
    assert list(temporary("runs").iterdir()) == []


@pytest.mark.slow
def test_a_handler_that_gets_stuck_later_is_stopped_by_force(spark):
    def stuck(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            node.output.push(items[0].value)
            if items[0].hour == 20 and "EXACTLY_ONCE_OWNER" in os.environ:  # on the cluster alone
                while True:
                    pass

    live = LiveRun(stuck, Job(items=60), pace=0)
    live.start()
    live.wait(lambda shot: hours(shot) >= 20)
    live.stop()
    assert list(temporary("runs").iterdir()) == []
