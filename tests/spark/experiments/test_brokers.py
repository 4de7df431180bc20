"""The leader of three broker processes killed by SIGKILL, with a producer on the cluster, and what that leaves."""

import psutil
import pytest

from exactly_once import show
from exactly_once.log import ACKNOWLEDGED
from exactly_once.owned import RUNS
from exactly_once.paths import temporary
from exactly_once.spark import kill_the_leader

pytestmark = pytest.mark.cluster
ALL = tuple(range(1, 31))


def folders():
    return set(temporary(RUNS).glob("brokers-*"))


@pytest.mark.not_by_day
@pytest.mark.parametrize("acks", [1, "all"])
def test_acks_1_loses_what_was_acknowledged_and_all_does_not(spark, acks):
    before = folders()
    run = kill_the_leader(acks, records=30, at=12)
    assert run.acknowledged == ALL
    assert run.lost == run.missing == ((12,) if acks == 1 else ())
    assert run.doubled == ()
    assert run.readable == run.logs[1] == run.logs[2] == tuple(one for one in ALL if one not in run.lost)
    assert run.logs[0] == ALL[:12], "the dead leader's own file has record 12"
    assert run.came_back == run.readable, "and gives it up when it comes back"
    assert (run.leader_before, run.leader_after) == (0, 1)
    assert run.leaderless > 0.2
    assert len(set(run.pids.values())) == 4
    assert not any(psutil.pid_exists(pid) for who, pid in run.pids.items() if who != "producer")
    assert folders() == before
    picture = show.leader_death(run)
    assert ("✗ Acknowledged and lost: record 12." in picture.html) == (acks == 1)
    assert ("✓ All that was acknowledged is there, once." in picture.html) == (acks == "all")
    assert list(picture.table["what"]) == [one.text for one in run.timeline]


@pytest.mark.some(day=1)
@pytest.mark.parametrize("acks", [1, "all"])
def test_killed_anywhere_the_counts_agree_with_what_was_acknowledged(spark, acks):
    run = kill_the_leader(acks, 30, 12, "anywhere")
    assert set(run.acknowledged) - set(run.readable) == set(run.lost)
    assert run.acknowledged == ALL, "the producer sends again what was not acknowledged"
    if acks == "all":
        assert run.lost == ()
    else:
        assert set(run.lost) <= set(run.logs[0])
    assert set(run.doubled) <= {one.number for one in run.attempts if one.what != ACKNOWLEDGED}
