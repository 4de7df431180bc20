"""Handlers on the cluster over a real Kafka: its coordinator fences and decides, and what is left is as simulated."""

import pytest

from exactly_once import Job, judge, simulate
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import handler_for
from exactly_once.servers.kafka import Kafka
from exactly_once.servers.kinds import PostgreSQL
from exactly_once.spark import Prepared, in_turn, run_many
from tests.node.world_conformance import CASES, untruths
from tests.servers.conftest import had
from tests.servers.kafka.conftest import skipped_markers
from tests.spark.run import test_servers
from tests.spark.run.test_servers import JOB, Striker, leave_what_the_simulation_leaves, meet
from tests.spark.run.test_transactional import DEPLOYED, MESSAGES, surplus

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster, pytest.mark.timeout(900)]
ALONE, APART = "kafka:", "kafka:,postgresql:"  # everything on Kafka; the database on PostgreSQL
STRATEGIES = (*test_servers.STRATEGIES, "idempotent_output")
SEVERAL = [(strategy, stores) for strategy in STRATEGIES for stores in (ALONE, APART)]
NOT_FOR_CLIENTS = ["what the log answers"]  # its handler kills brokers and elects leaders


@pytest.fixture
def kafka():
    had(PostgreSQL)
    return had(Kafka)


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "stores"), SEVERAL)
def test_a_worker_killed_at_each_point_leaves_what_the_simulation_leaves(shared_cluster, kafka, strategy, stores):
    leave_what_the_simulation_leaves(strategy, stores)


def refusals(run, life):
    """Return the refusals of a broker that an incarnation heard."""
    return {event.text for event in run.trace if event.life == life and event.text.startswith("refused: ")}


@pytest.mark.slow
@pytest.mark.parametrize("step", ["init", "send", "offsets", "end", "positions"])
def test_a_message_that_is_lost_doubled_or_late_harms_nobody(shared_cluster, kafka, step):
    plans = [FaultPlan((Fault(f"transaction.{step}", None, kind, node=1),)) for kind in MESSAGES]
    runs = run_many([(DEPLOYED, plan, JOB) for plan in plans], stores=APART, patience=90)
    assert {plan.token: surplus(run) for plan, run in zip(plans, runs, strict=True)} == {
        plan.token: 0 for plan in plans
    }


@pytest.mark.parametrize("at", ["A", "C", "transaction.offsets", "transaction.end"])
@pytest.mark.some(day=0, ci=1)
def test_a_zombie_is_fenced_by_kafkas_own_coordinator(shared_cluster, kafka, at):
    """It sleeps in its transaction, its successor begins, and it wakes up when that one has ended."""
    deployed = handler_for("transactional")
    plan = FaultPlan((Fault(at, 4, "pause"),))
    (run,) = run_many([(deployed, plan, JOB)], stores=APART)
    simulated = simulate(deployed, plan, JOB)
    assert run.error is None
    assert judge(run, deployed).damage == judge(simulated, deployed).damage
    assert (run.outcome.outputs, run.outcome.counter) == (simulated.outcome.outputs, simulated.outcome.counter)
    assert refusals(run, 1) & {"refused: ProducerFenced", "refused: InvalidProducerEpoch"}
    assert untruths(run) == []


@pytest.mark.parametrize(
    "moments", [(9, 60), *(pytest.param((at, at + 40), marks=pytest.mark.slow) for at in range(1, 82, 10))], ids=str
)
@pytest.mark.parametrize(
    ("strategy", "stores"),
    [
        ("transactional", ALONE),
        *(
            pytest.param(one, APART, marks=pytest.mark.slow)
            for one in ("transactional", "offset_in_sink", "lock_free")
        ),
    ],
)
def test_a_broker_killed_in_mid_run_and_started_again_harms_nobody(shared_cluster, kafka, strategy, stores, moments):
    """As in the simulation, where any request or reply is lost: what is right there is right here.

    But a broker that starts again may forget a decided transaction (KAFKA-20734), and says so.
    """
    handler, job = handler_for(strategy), Job(items=8)
    run = Prepared(handler, None, job, stores=stores)
    prefix = run.folder.store("log").log.prefix
    with Striker(run, [kafka], moments) as striker:
        (done,) = in_turn([run], patience=90)
    assert striker.struck == 2, "a run of eight hours has more events than that"
    assert done.error is None
    simulated = simulate(handler, None, job)
    verdict = judge(done, handler)
    if not verdict.consistent and skipped_markers(kafka, prefix):
        pytest.skip(f"Kafka skipped the marker of a decided transaction. {verdict.sentence}")
    assert verdict.consistent
    assert (done.outcome.outputs, done.outcome.counter) == (simulated.outcome.outputs, simulated.outcome.counter)
    assert untruths(done) == []


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_each_case_of_the_conformance_suite_is_met(shared_cluster, kafka, every):
    meet([case for case in CASES if case.name not in NOT_FOR_CLIENTS][::every], APART)


def test_what_no_client_can_have_a_broker_do_is_refused_in_a_sentence(shared_cluster, kafka):
    (case,) = [case for case in CASES if case.name in NOT_FOR_CLIENTS]
    (run,) = run_many([(case.handler, case.plan, case.job)], stores=APART)
    assert "A handler cannot have a broker of a real Kafka 'kill'" in run.error
