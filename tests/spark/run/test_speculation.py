"""Spark's own copy of a slow task as the twin: two attempts on two hosts, and what each of them wrote."""

import contextlib
from fractions import Fraction

import psutil
import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once, lock_free
from exactly_once.lockfree import hourly_means
from exactly_once.lockfree.general import general
from exactly_once.pipeline import Job
from exactly_once.spark import cluster
from exactly_once.spark.cluster.cluster import two_hosts
from exactly_once.spark.cluster.processes import our_processes
from exactly_once.spark.cluster.settings import HOSTS, owns
from exactly_once.spark.run import speculation
from exactly_once.spark.run.speculation import Attempt, Speculated, run_speculatively
from exactly_once.spark.run.tasks import SparkTask
from exactly_once.verdict import judge

JOB = Job(items=4)
TWO_HOSTS = pytest.mark.skipif(not all(map(owns, HOSTS)), reason="this machine has no 127.0.0.2, as Linux has")


def total(state, readings):
    """Return the sum of all readings so far, as state and output."""
    state += sum(Fraction(reading.value) for reading in readings)
    return state, [state]


def stopped(at):
    """Return the plan in which the first attempt that gets to a step of hour 2 is stopped there."""
    return FaultPlan((Fault(at, 2, "pause"),))


TOTALS = general(total, first=Fraction(0))
TRANSITIONS = {hourly_means: 2, TOTALS: 3}  # an hour
CASES = [
    (hourly_means, stopped("register.cas"), JOB),
    (TOTALS, stopped("store.cas"), JOB),
    (at_least_once, stopped("output.push"), JOB),
]


def listening_here():
    """Yield the (address, port) on which this process and its cluster listen."""
    for process in [psutil.Process(), *our_processes()]:
        with contextlib.suppress(psutil.NoSuchProcess):  # a worker that has ended meanwhile
            for connection in process.net_connections(kind="inet"):
                if connection.status == psutil.CONN_LISTEN:
                    yield connection.laddr.ip, connection.laddr.port


def check(found, handlers):
    """Check what the two attempts of each run left: the last handler doubles, the others do not.

    On a busy machine the copy may begin before the task has come far, and be the one that is stopped.
    """
    for one, handler in zip(found, handlers, strict=True):
        (stopped_life,) = {event.life for event in one.run.trace if event.verb == "fault"}
        asleep, twin = sorted(one.attempts, key=lambda attempt: attempt.life != stopped_life)
        verdict = judge(one.run, handler)
        assert len({attempt.pid for attempt in one.attempts}) == len(one.attempts) == 2
        assert twin.end == "ended"
        assert twin.late == 0
        assert verdict.reached
        if handler is at_least_once:
            assert not verdict.consistent
            assert asleep.late >= 2, one.attempts
            assert len(one.run.pushes) > JOB.items
            assert set(verdict.damage.duplicated) >= {4}, "the one that was stopped at hour 2 wrote it once more"
        else:
            assert verdict.consistent, verdict.sentence
            assert len(one.run.outcome.outputs) == JOB.items
            assert twin.transitions >= TRANSITIONS[handler] * (JOB.items - 1), "it alone went on from hour 2"
            assert asleep.transitions + twin.transitions == TRANSITIONS[handler] * JOB.items
            assert asleep.late == 0, "the machine refused what it wrote too late"


@pytest.mark.cluster
@pytest.mark.timeout(300)
@TWO_HOSTS
def test_spark_copies_a_stopped_task_to_the_other_host_and_only_the_naive_handler_doubles(spark):
    before = cluster().sparkContext.master
    with two_hosts() as session:
        listening = set(listening_here())
        assert {ip for ip, _ in listening} == {"127.0.0.1", *HOSTS}
        assert not {port for _, port in listening} & {6066, 7077, 8080, 8081}, "no port that everybody knows"
        with pytest.raises(BadInput, match="starts a copy of a task that is slow"):
            SparkTask(session, [1])
        found = run_speculatively(CASES)  # on this cluster, since it has two hosts already
    check(found, [handler for handler, _, _ in CASES])
    for one in found:
        assert {attempt.host for attempt in one.attempts} == set(HOSTS)
        assert one.by == "Spark"
        assert "Spark's speculative execution started attempt 1" in one.sentence
    assert cluster().sparkContext.master == before, "the one before runs again"


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.timeout(600)
@TWO_HOSTS
def test_ten_times_a_slow_task_and_a_stopped_one_leave_the_same(shared_cluster):
    doubled = 0
    with two_hosts():
        for _ in range(10):
            check(run_speculatively(CASES), [handler for handler, _, _ in CASES])
        longer = Job(items=12)
        cases = [(hourly_means, None, longer), (at_least_once, None, longer)]
        for _ in range(10):
            free, naive = run_speculatively(cases, slow=0.15)
            assert judge(free.run, hourly_means).consistent
            slow = naive.attempts[0]
            if slow.writes:  # else it loaded its positions when the copy had ended, and had nothing to do
                assert slow.end == "killed", "it writes until Spark ends it"
                assert slow.late >= 5
                assert not judge(naive.run, at_least_once).consistent
                doubled += 1
    assert doubled, "not once in ten times"


@pytest.mark.cluster
@pytest.mark.timeout(300)
def test_without_two_hosts_a_second_job_is_the_twin_and_the_result_says_so(spark, monkeypatch):
    monkeypatch.setattr(speculation, "owns", lambda host: False)
    found = run_speculatively([CASES[0], CASES[-1]])
    check(found, [hourly_means, at_least_once])
    assert {one.by for one in found} == {"two jobs"}
    assert "a second job (this is no speculation) started attempt 1 on 127.0.0.1" in found[0].sentence
    assert cluster() is spark


@pytest.mark.parametrize(
    ("cases", "slow", "said"),
    [
        ([], 0, "the number of runs is 0"),
        ([CASES[0]], -1, "slow is -1"),
        ([CASES[0]], "fast", "slow is 'fast'"),
        ([(hourly_means, FaultPlan((Fault("register.cas", 1, "crash after"),)), JOB)], 0, "repeats one that dies"),
        ([(lock_free, None, JOB)], 0, "'lock_free' needs another node beside it"),
        ([(None, None, JOB)], 0, "The handler is None"),
        ([hourly_means], 0, "give a list of tuples"),
        (None, 0, "A run is given as None"),
    ],
)
def test_what_cannot_be_run_so_is_refused_before_a_cluster_starts(cases, slow, said, monkeypatch):
    monkeypatch.setattr(speculation, "cluster", None)
    monkeypatch.setattr(speculation, "two_hosts", None)
    with pytest.raises(BadInput, match=said):
        run_speculatively(cases, slow)


def test_a_task_that_nothing_made_slow_has_no_copy():
    alone = Attempt(0, 1, "127.0.0.2", "0", 17, 0.0, "ended", 8, 9, 0)
    assert "ended before it had a copy" in Speculated(None, (alone,), "Spark").sentence
