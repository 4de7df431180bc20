"""The same handlers on the cluster, unchanged, over PostgreSQL and etcd: verdicts as in the simulated world."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from exactly_once import Job, judge, simulate
from exactly_once.faults import POINTS, FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.servers import STARTED
from exactly_once.spark import Prepared, in_turn, run_many
from tests.node.world_conformance import CASES, mismatches, untruths
from tests.servers.conftest import had

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(600)]
JOB = Job(items=4)
STRATEGIES = ("at_least_once", "at_most_once", "transactional", "offset_in_sink", "two_phase", "lock_free")
EXACTLY_ONCE = ("transactional", "two_phase", "lock_free")
SCHEMES = re.compile("[a-z]+(?=:)")
STORES = ("postgresql:", "etcd:", pytest.param("etcd:,postgresql:", marks=pytest.mark.slow))


@pytest.fixture(params=STORES)
def stores(request):
    for scheme in SCHEMES.findall(request.param):
        had(STARTED[scheme])
    return request.param


def said(verdict):
    return verdict.consistent, verdict.sentence


def leave_what_the_simulation_leaves(strategy, stores):
    """Kill a worker at each point, over these stores, and compare what is left to the simulation."""
    cases = [(handler_for(strategy), FaultPlan.crash(at, 2), JOB) for at in POINTS]
    runs = run_many(cases, stores=stores)
    for (handler, plan, job), run in zip(cases, runs, strict=True):
        simulated = simulate(handler, plan, job)
        assert run.outcome == simulated.outcome, (plan, run.error)
        assert said(judge(run, handler)) == said(judge(simulated, handler)), plan
        assert untruths(run) == []


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.some(day=0, ci=2)
def test_a_worker_killed_at_each_point_leaves_what_the_simulation_leaves(shared_cluster, stores, strategy):
    leave_what_the_simulation_leaves(strategy, stores)


def meet(cases, stores):
    """Carry out cases of the conformance suite over these stores, and look at each."""
    runs = run_many([(case.handler, case.plan, case.job) for case in cases], stores=stores)
    assert {case.name: found for case, run in zip(cases, runs, strict=True) if (found := mismatches(case, run))} == {}
    assert [case.name for case, run in zip(cases, runs, strict=True) if untruths(run)] == []


@pytest.mark.slow
def test_each_case_of_the_conformance_suite_is_met(shared_cluster, stores):
    meet(CASES[::8], stores)


class Striker:
    """Kills the servers of a run, by SIGKILL, at numbers of recorded events, and starts them again on their data.

    It looks from a thread of its own, within a `with`: a run may take less time than two looks of its driver.
    """

    def __init__(self, run, servers, moments):
        self.run, self.servers, self.moments, self.struck = run, servers, moments, 0
        self._over, self._pool = threading.Event(), ThreadPoolExecutor(1)

    def __enter__(self):
        self._work = self._pool.submit(self._strike)
        return self

    def _strike(self):
        for moment in self.moments:
            while self.run.folder.events() < moment:
                if self._over.wait(0.002):
                    return
            for server in self.servers:
                server.kill()
                server.start()
            self.struck += 1

    def __exit__(self, *_):
        self._over.set()
        self._pool.shutdown()
        self._work.result()


@pytest.mark.parametrize(
    "moments", [(9, 60), *(pytest.param((at, at + 40), marks=pytest.mark.slow) for at in range(1, 82, 5))], ids=str
)
@pytest.mark.parametrize("strategy", EXACTLY_ONCE)
@pytest.mark.some(day=0, ci=1)
def test_servers_killed_in_mid_run_and_started_again_harm_nobody(shared_cluster, stores, strategy, moments):
    """As in the simulation, where any request or reply is lost: what is right there is right here."""
    servers = [STARTED[scheme].shared() for scheme in SCHEMES.findall(stores)]
    for server in servers:
        server.start()  # should an earlier test have failed and left it dead
    handler, job = handler_for(strategy), Job(items=12)
    run = Prepared(handler, None, job, stores=stores)
    with Striker(run, servers, moments) as striker:
        (done,) = in_turn([run])
    assert striker.struck == 2, "a run of twelve hours has more events than that"
    assert done.error is None
    simulated = simulate(handler, None, job)
    assert judge(done, handler).consistent
    if "postgresql:" in stores:  # its connection is open between requests; etcd may be back before the next request
        assert len(done.trace.lives()) > 1, "a connection was lost"
    assert (done.outcome.outputs, done.outcome.counter) == (simulated.outcome.outputs, simulated.outcome.counter)
    assert untruths(done) == []
