"""Same handler, same verdict: what the explorer found is carried out on the cluster and ends with the same damage."""

import os
import signal

import pytest

from exactly_once import Job, prove, replay_on_cluster, run_on_cluster
from exactly_once.errors import BadInput, CourseError
from exactly_once.handlers import ORDERS, at_least_once, at_most_once, handler_in_order
from exactly_once.lockfree import flawed
from exactly_once.paths import temporary
from exactly_once.spark import replay_many
from exactly_once.spark.cluster.processes import OWNER_VARIABLE
from exactly_once.stores import decode
from tests.spark.comparing import processes, the_same
from tests.spark.run.waiting import gone

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
FLAWED = (flawed.without_preparing, flawed.plain_push, flawed.not_idempotent)


def found(handler, **bounds):
    """Return (token, handler) of the simplest counterexample."""
    proof = prove(handler, **bounds)
    assert proof.counterexample is not None, str(proof)
    return proof.counterexample.token, handler


def all_the_same(cases, crashed):
    """Replay the cases on the cluster and compare each; with `crashed` each must hold real deaths."""
    for (token, handler), run in zip(cases, replay_many(cases), strict=True):
        verdict = the_same(token, handler, run)
        assert not verdict.exactly_once
        if crashed:
            deaths = run.trace.deaths()
            assert deaths
            killed = {
                event.detail["pid"] for event in run.trace.lives() if event.life in {one.life for one in deaths}
            }
            assert all(map(gone, killed))
            assert len(set(processes(run))) == len(run.trace.lives()), "each incarnation is a process of its own"


@pytest.mark.slow
def test_counterexamples_with_crashes_end_with_the_same_damage(spark):
    cases = [found(handler_in_order(order), items=1 + number % 3) for number, order in enumerate(ORDERS)]
    cases += [found(at_most_once, items=items) for items in (1, 2, 3)]
    cases += [found(handler, items=items) for handler in FLAWED for items in (1, 2)]
    assert len(set(cases)) >= 30
    all_the_same(cases, crashed=True)


def test_as_it_comes_the_cluster_reads_in_the_order_of_the_schedule(spark):
    job, both = Job(items=2, arrival="as it comes"), Job(items=1, arrival="as it comes", time="processing")
    all_the_same([found(at_least_once, job=job), found(at_least_once, job=both)], crashed=True)


def chooser(node):
    """Choose before each read, which makes two choices itself; push the choice and the read item."""
    positions = node.positions.load()
    while node.running():
        word = node.choose(["a", "b"])
        items, positions = node.read(positions)
        node.output.push([word, items[0].stream, items[0].read])
        node.positions.save(positions)


@pytest.mark.slow
def test_choices_that_follow_one_another_are_each_made_as_scheduled(spark):
    wanted = ["b", "san_francisco", 1], ["a", "seattle", 2]
    for one in wanted:
        job = Job(items=1, arrival="as it comes", time="processing")
        proof = prove(chooser, crashes=0, job=job, invariant=lambda view, one=one: one not in view.outputs)
        run = replay_on_cluster(proof.counterexample.token, chooser)
        assert run.outcome == proof.counterexample.run.outcome
        assert decode(run.outcome.outputs[-1]) == one


@pytest.mark.parametrize("bounds", [{"lost_replies": 1}, {"lost_requests": 1}, {"duplicates": 1}], ids=str)
@pytest.mark.some(ci=1)
def test_other_misfortunes_end_with_the_same_damage(spark, bounds):
    handlers = [at_most_once if "lost_requests" in bounds else at_least_once, flawed.plain_push]
    cases = []
    for handler in handlers:
        proof = prove(handler, items=2, crashes=0, **bounds)
        if proof.counterexample is not None:
            cases.append((proof.counterexample.token, handler))
    assert cases
    all_the_same(cases, crashed=False)


def test_two_nodes_take_their_steps_in_turn(spark):
    cases = [found(handler, nodes=2, items=1, crashes=0) for handler in (*FLAWED, at_least_once)]
    cases.append(found(flawed.compared_by_value, nodes=2, items=2, crashes=0))
    for (token, handler), run in zip(cases, replay_many(cases), strict=True):
        assert not the_same(token, handler, run).consistent
        assert len(set(processes(run))) == 2


def test_a_life_that_sleeps_wakes_up_as_a_zombie_in_a_process_of_its_own(spark):
    cases = [found(handler, items=1, crashes=0, pauses=1) for handler in FLAWED]
    cases.append(found(flawed.compared_by_value, items=2, crashes=0, pauses=1))
    before = set(temporary("runs").iterdir())
    for (token, handler), run in zip(cases, replay_many(cases), strict=True):
        assert not the_same(token, handler, run).consistent
        assert len(set(processes(run))) == 2
    assert set(temporary("runs").iterdir()) <= before, "nothing is left behind"


@pytest.mark.slow
def test_a_handler_that_fails_shows_its_own_traceback(spark):
    def fails_in_its_second_life(node):
        version, _ = node.registers.read("lives")
        if version:
            raise ZeroDivisionError("in its second incarnation")
        node.registers.cas("lives", version, "one")

    token, handler = found(fails_in_its_second_life, items=1)
    run = replay_on_cluster(token, handler)
    assert "ZeroDivisionError: in its second incarnation" in run.error
    assert run.outcome == replay_on_cluster(token, handler).outcome


def test_a_token_of_another_handler_and_a_schedule_too_wide_are_refused(spark):
    token, _ = found(at_least_once, items=1)
    with pytest.raises(BadInput, match="another handler"):
        replay_on_cluster(token, at_most_once)
    with pytest.raises(BadInput, match="slots is 18; it must be between 2 and 16"):
        run_on_cluster([at_least_once] * 17)
    with pytest.raises(BadInput, match="number of runs is 0"):
        replay_many([])


def test_a_handler_that_takes_another_way_on_the_cluster_is_told(spark):
    def homesick(node):
        node.output.push("away" if OWNER_VARIABLE in os.environ else "at home")
        node.state.save(1)

    token, _ = found(homesick, items=1)
    with pytest.raises(CourseError, match=r"does not follow the schedule.*'push away'.*'push at home'"):
        replay_on_cluster(token, homesick)


def test_a_process_killed_from_outside_is_no_replay(spark):
    def unlucky(node):
        node.output.push(1)
        if OWNER_VARIABLE in os.environ:
            os.kill(os.getpid(), signal.SIGKILL)
        node.output.push(2)

    token, _ = found(unlucky, items=1)
    with pytest.raises(CourseError, match="Incarnation 1 was killed from outside"):
        replay_on_cluster(token, unlucky)
