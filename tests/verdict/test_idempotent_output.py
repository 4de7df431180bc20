"""The preview of the repair: the damage that own places repair, and the damage that stays, by the verdict."""

import pytest

from exactly_once import Job, judge, simulate
from exactly_once.faults import POINTS, FaultPlan
from exactly_once.handlers import idempotent_output

JOB = Job(items=4, duration=2, threshold=3)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("hour", [2, 3])
def test_wherever_it_dies_the_output_is_right_and_only_the_counter_is_not(point, hour):
    verdict = judge(simulate(idempotent_output, FaultPlan.crash(point, hour), JOB), idempotent_output)
    damage = verdict.damage
    assert not damage.outputs
    assert not damage.state_differs
    assert damage.counter - damage.expected_counter == (point in "CD")
    assert verdict.consistent == (point not in "CD")
