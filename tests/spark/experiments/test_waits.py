"""Records wait on one side only: twins beside one node with Spark's retry, and beside two-phase commit."""

import pytest

from exactly_once import show
from exactly_once.spark import waits, waits_of_two_phase

pytestmark = [pytest.mark.cluster, pytest.mark.slow, pytest.mark.timeout(300)]

SECONDS = 1.0


def each_hour_once(found):
    """Assert that both sides have a wait for each hour that arrived, in order."""
    for series in (found.twins, found.other):
        assert [one.hour for one in series] == list(range(1, len(series) + 1))
        assert all(one.seconds > 0 for one in series)
        assert series[-1].arrived > found.struck


def test_behind_one_node_that_is_stopped_records_wait_as_long_as_the_stop_and_behind_twins_they_do_not(four):
    found = waits("stop", SECONDS)
    each_hour_once(found)
    assert found.gap > 0.8 * SECONDS, "Spark does not notice"
    assert found.longest[1] < found.gap
    assert found.most_waiting[0] < found.most_waiting[1]
    figure, table = show.waits_figure(found), show.waits_table(found)
    assert [trace.name for trace in figure.data][-1] == "one node with Spark's retry"
    assert table["most waiting, twins and other"].tolist() == ["{} and {}".format(*found.most_waiting)]
    assert {one.node for one in found.twins if found.struck + 0.5 < one.ended < min(found.back)} == {2}


def test_behind_one_node_that_is_killed_records_wait_for_sparks_retry(four):
    found = waits("kill")
    each_hour_once(found)
    assert 0 < found.away[1] < 30
    assert found.gap > 0.5 * found.away[1]


def test_behind_one_node_that_runs_half_of_each_second_records_wait_and_behind_twins_they_do_not(four):
    found = waits("slow", 3)
    each_hour_once(found)
    assert found.gap > 0.4, "half a second at least"
    assert found.longest[1] < found.gap
    assert 2 < found.away[1] < 4
    assert show.waits_table(found)["one node is"].tolist() == ["at half speed"]


def test_behind_a_coordinator_that_is_stopped_records_pile_up_and_behind_twins_they_do_not(four):
    found = waits_of_two_phase(SECONDS)
    each_hour_once(found)
    assert found.beside == "two-phase commit"
    assert found.gap > 0.8 * SECONDS
    assert found.longest[1] < found.gap
    assert found.most_waiting[0] < found.most_waiting[1]
