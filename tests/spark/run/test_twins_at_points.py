"""Twins that stop or kill themselves at a crash point, because somebody asked for it while they run."""

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.faults import POINTS
from exactly_once.lockfree import general
from exactly_once.spark import Twins
from tests.spark.run.test_twins import exact, four, until

__all__ = ["four"]
STAGES = {"A": "HANDLING", "B": "WRITING", "C": "WRITING", "D": "HANDLING", "E": "HANDLING"}
pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]


def test_a_twin_stops_and_dies_at_each_point_and_the_other_goes_on(four):
    with Twins(spark=four, pace=20) as twins:
        until(twins, lambda now: len(now.tape) >= 6)
        for number, point in enumerate(POINTS):
            for one, what, status in ((number % 2 + 1, "stop", "stopped"), ((number + 1) % 2 + 1, "kill", "killed")):
                twins.strike_at(one, point, what)
                armed = twins.state().twins[one - 1].armed
                assert armed is None or armed[:2] == (point, what)
                kind = {"stop": "stopped", "kill": "killed"}[what]
                now = until(twins, lambda now, one=one: now.twins[one - 1].armed is None)
                hit = [found for found in now.happenings if found.kind == kind][-1]
                assert (hit.node, f" at {point}," in hit.text) == (one, True)
                if what == "stop":
                    twin = now.twins[one - 1]
                    assert twin.status == status
                    assert now.versions[twin.version - 1].stage == STAGES[point]
                    until(twins, lambda after, now=now: len(after.tape) > len(now.tape) + 2)
                    assert twins.resume(one)
                until(twins, lambda now: all(twin.status == "running" for twin in now.twins))
        result = twins.end()
    exact(result)
    assert [len(result.happened(kind)) for kind in ("stopped", "killed")] == [len(POINTS), len(POINTS)]


def test_what_is_armed_is_taken_back_and_the_end_wakes_who_is_stopped(four):
    with Twins(spark=four, pace=20) as twins:
        until(twins, lambda now: len(now.tape) >= 4)
        twins.kill(1)
        until(twins, lambda now: now.twins[0].status == "running" and now.twins[0].lives == 2)
        twins.stop(2)
        twins.strike_at(2, "B", "kill")
        twins.strike_at(2, "A", "stop")
        assert twins.state().twins[1].armed[:2] == ("A", "stop"), "the newest order of a node counts"
        assert twins.disarm(2)
        assert not twins.disarm(2)
        assert twins.state().twins[1].armed is None
        for number in (1, 2):
            twins.strike_at(number, "C", "stop")
        until(twins, lambda now: now.twins[0].status == "stopped")
        for wrong in ((3, "A", "stop"), (1, "F", "stop"), (1, "A", "pause")):
            with pytest.raises(BadInput):
                twins.strike_at(*wrong)
        result = twins.end()
        with pytest.raises(CourseError, match="have ended"):
            twins.disarm(1)
    exact(result)


def test_a_handler_without_points_is_refused(four):
    with (
        Twins(general(lambda state, items: (state, [items[0].value])), spark=four) as twins,
        pytest.raises(BadInput, match="passes no crash points"),
    ):
        twins.strike_at(1, "A", "stop")
