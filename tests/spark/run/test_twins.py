"""Twins on the cluster: their result is exactly once after kills and stops while hours arrive."""

import re
import time
from collections import Counter
from dataclasses import replace

import pytest

from exactly_once import Fault, FaultPlan, Job, deployment_of, judge, simulate
from exactly_once.errors import BadInput, CourseError
from exactly_once.faults import POINTS
from exactly_once.handlers import lock_free
from exactly_once.lockfree import general
from exactly_once.paths import temporary
from exactly_once.spark import Prepared, Twins, in_turn
from tests.node.world_conformance import untruths
from tests.spark.run.killing import struck_at_random
from tests.spark.run.waiting import gone, is_stopped

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(300)]

PAIR = replace(deployment_of(lock_free), twins=2)  # and the node that keeps the counter
FIRST = general(lambda state, items: (state, [items[0].value]))
JOB = Job(items=3, threshold=2)
STAGES = {"A": "HANDLING", "B": "WRITING", "C": "WRITING", "D": "HANDLING", "E": "HANDLING"}


def until(twins, condition, seconds=60.0):
    """Return the first state that meets a condition."""
    deadline = time.monotonic() + seconds
    while not condition(state := twins.state()):
        assert time.monotonic() < deadline, state.sentence
        time.sleep(0.02)
    return state


def lost(happening):
    """Return (node, the version that it expected, the version that it found) of a refused compare-and-swap."""
    expected, found = re.search(r"lost: (\d+) ≠ (\d+)$", happening.text).groups()
    assert happening.version == int(found)
    return happening.node, int(expected), int(found)


def exact(result):
    """Assert that each hour that arrived has one output, in order, and that the rest is right."""
    assert result.right, result.sentence
    assert [cell.hour for cell in result.tape] == list(range(1, result.arrived + 1))
    assert result.counter == result.counter_due


def test_in_a_calm_run_both_make_transitions_and_the_counter_follows(four):
    with Twins(pace=10) as twins:
        state = until(twins, lambda state: len(state.tape) >= 40)
        assert state.right
        assert len({twin.where["executor"] for twin in state.twins}) == 2
        result = twins.end()
    exact(result)
    assert result.counter > 30
    won = Counter(version.node for version in result.versions)
    assert min(won[1], won[2]) >= 0.2 * won.total(), won
    assert [won[1], won[2]] == [twin.won for twin in result.twins]
    assert [version.version for version in result.versions] == list(range(1, sum(won.values()) + 1))
    assert all(expected < found for _, expected, found in map(lost, result.happened("lost")))
    assert all(cell.wait > 0 for cell in result.tape)
    stamps = [happening.stamp for happening in result.happenings]
    assert stamps == sorted(stamps)


def test_one_that_is_stopped_is_not_missed_and_wakes_up_to_a_refusal(four):
    with Twins(FIRST, pace=20) as twins:
        until(twins, lambda state: len(state.tape) > 5)
        assert twins.stop(1)
        assert not twins.stop(1), "it is stopped already"
        stopped = twins.state()
        assert stopped.twins[0].status == "stopped"
        later = until(twins, lambda state: len(state.tape) > len(stopped.tape) + 10)
        mine = [version for version in later.versions[len(stopped.versions) + 1 :] if version.node == 1]
        assert mine == [], "it stands still"
        assert twins.resume(1)
        assert not twins.resume(1)
        awake = until(
            twins,
            lambda state: (
                any(node == 1 and found > expected + 3 for node, expected, found in map(lost, state.happened("lost")))
                or state.twins[0].won > later.twins[0].won
            ),
        )
        assert awake.twins[0].status == "running"
        result = twins.end()
    exact(result)
    assert (len(result.happened("killed")), len(result.happened("stopped"))) == (0, 1)


def test_a_killed_one_comes_back_by_sparks_retry_and_a_third_may_join(four):
    with Twins(FIRST, pace=20) as twins:
        before = until(twins, lambda state: len(state.tape) > 5).twins[1]
        twins.set_pace(50)
        twins.add()
        assert twins.kill(2)
        assert gone(before.where["pid"])
        after = until(twins, lambda state: state.twins[1].status == "running" and state.twins[1].life > before.life)
        assert (after.twins[1].lives, after.twins[1].where["pid"] != before.where["pid"]) == (2, True)
        until(twins, lambda state: len(state.twins) == 3 and state.twins[2].won > 5)
        with pytest.raises(BadInput, match="There are 3 nodes already"):
            twins.add()
        result = twins.end()
    exact(result)
    assert [twin.number for twin in result.twins] == [1, 2, 3]
    assert (result.counter, len(result.happened("killed"))) == (0, 1)


@pytest.mark.slow
def test_all_may_stand_still_and_the_end_wakes_them_up(four):
    with Twins(pace=20) as twins:
        until(twins, lambda state: len(state.tape) > 5)
        for number in (1, 2):
            assert twins.stop(number)
        stopped = twins.state()
        state = until(twins, lambda state: len(state.waiting) > 5)
        assert len(state.tape) <= len(stopped.tape) + 1
        result = twins.end()
    exact(result)
    assert max(cell.wait for cell in result.tape) > 5 / 20 - 0.1


def test_nothing_is_left_behind_when_the_block_fails_and_what_a_handler_raises_is_told(four):
    def breaks(state, items):
        if items[0].hour == 5:
            raise ValueError("no fives")
        return state, [items[0].value]

    with Twins(pace=20) as twins:
        until(twins, lambda state: len(state.tape) > 2)
        workers = [twin.where["pid"] for twin in twins.state().twins]
        twins.stop(1)
    assert list(temporary("runs").iterdir()) == []
    assert not any(map(is_stopped, workers))
    with pytest.raises(CourseError, match="have ended"):
        twins.kill(1)
    with pytest.raises(CourseError, match="no fives"):  # it fails without any fault: told before anything starts
        Twins(general(breaks), pace=20, hours=9).__enter__()


@pytest.mark.slow
def test_a_twin_stops_and_dies_at_each_point_and_the_other_goes_on(four):
    with Twins(pace=20) as twins:
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


@pytest.mark.slow
def test_what_is_armed_is_taken_back_and_the_end_wakes_who_is_stopped(four):
    with Twins(pace=20) as twins:
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


@pytest.mark.slow
def test_a_handler_without_points_is_refused(four):
    with (
        Twins(general(lambda state, items: (state, [items[0].value]))) as twins,
        pytest.raises(BadInput, match="passes no crash points"),
    ):
        twins.strike_at(1, "A", "stop")


def all_exact(plans):
    """Run the lock-free strategy on two twins and the database's node, under each plan; check what each left."""
    runs = in_turn([Prepared(PAIR, plan, JOB, served=True) for plan in plans], patience=90)
    right = simulate(PAIR, None, JOB).outcome
    for plan, run in zip(plans, runs, strict=True):
        assert judge(run, lock_free).exactly_once, plan.token
        assert run.outcome == right, plan.token
        assert untruths(run) == [], plan.token
    return runs


@pytest.mark.slow  # chapter 11 strikes twins at a step, too
def test_faults_at_a_step_strike_twins_as_they_strike_others(four):
    plans = [
        FaultPlan((Fault("store.cas", 2, "crash before", node=1), Fault("store.cas", 2, "crash after", node=2))),
        FaultPlan((Fault("D", 1, node=1), Fault("database.transact", None, "crash after", node=3))),
        FaultPlan((Fault("E", 2, kill="executor", node=2),)),
        FaultPlan((Fault("store.cas", 1, "pause", node=1),)),
        FaultPlan((Fault("store.cas", 1, "lost reply", node=1), Fault("store.cas", 1, "late request", node=2))),
    ]
    reached = 0
    for _ in range(5):  # a twin may be overtaken before it gets there
        reached += sum(run.reached for run in all_exact(plans))
        if reached >= 3:
            return
    raise AssertionError(f"{reached} of these struck in five rounds")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("nodes", [2, 3])
def test_two_hundred_kills_and_stalls(four, nodes):
    done, hours, seed = Counter(), 0, 100 * nodes
    while done.total() < 200:
        with Twins(nodes=nodes, pace=10) as twins:
            done += struck_at_random(twins, 25, seed)
            result = twins.end()
        exact(result)
        hours, seed = hours + result.arrived, seed + 1
    print(f"{nodes} nodes: {dict(done)}, {hours} hours, each once")
    assert min(done.values()) >= 10
