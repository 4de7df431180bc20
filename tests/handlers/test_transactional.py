"""The stream handler in one transaction: what each crash leaves, over the protocol and over the abstract store."""

import pytest

from exactly_once import Deployment, Job, deployment_of, judge, prove, simulate
from exactly_once.explore import replay
from exactly_once.faults import POINTS, Fault, FaultPlan
from exactly_once.handlers import at_least_once, coordinator, transactional
from exactly_once.sandbox.prove_safely import prove_safely

RIGHT, COUNTED_TWICE, NOT_REACHED = "right", "counter + 1", "not reached"
ABOVE = {"A": RIGHT, "B": RIGHT, "C": COUNTED_TWICE, "D": COUNTED_TWICE, "E": RIGHT}
NOT_ABOVE = {"A": RIGHT, "B": NOT_REACHED, "C": RIGHT, "D": RIGHT, "E": RIGHT}
BELOW, OVER = 1, 3  # hours whose windows are below the threshold of the usual job, and above it
SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window


def deployed(protocol, **more):
    return Deployment(transactional, coordinator, at_least_once, protocol, **more)


def found(verdict):
    """Return a verdict in a word. Anything but the counter is right, or the test fails."""
    damage = verdict.damage
    assert not damage.outputs, verdict.sentence
    assert (damage.state_differs, damage.positions_differ, damage.others) == (False, False, ()), verdict.sentence
    if not verdict.reached:
        return NOT_REACHED
    return RIGHT if verdict.consistent else f"counter + {damage.counter - damage.expected_counter}"


@pytest.mark.parametrize("protocol", [1, 2, "abstract"])
@pytest.mark.parametrize(("item", "table"), [(OVER, ABOVE), (BELOW, NOT_ABOVE)])
def test_the_letters_leave_what_the_table_says(protocol, item, table):
    verdicts = {}
    for point in POINTS:
        run = simulate(deployed(protocol), FaultPlan.crash(point, item))
        verdicts[point] = found(judge(run, at_least_once))
    assert verdicts == table


@pytest.mark.parametrize("protocol", [1, 2, "abstract"])
def test_between_the_last_write_and_e_the_decision_tells(protocol):
    """Before it is durable the transaction is aborted, and its hour counted again; after it, nothing is."""
    seen = {}
    for kind in ("crash before", "crash after"):
        run = simulate(deployed(protocol), FaultPlan((Fault("transaction.end", OVER, kind),)))
        seen[kind] = found(judge(run, at_least_once))
    assert seen == {"crash before": COUNTED_TWICE, "crash after": RIGHT}


@pytest.mark.parametrize("crashes", [0, 1])
def test_proved_over_the_protocol_itself(crashes):
    proof = prove(transactional, job=SMALL, crashes=crashes, counter=False)
    assert proof.ok, str(proof)


@pytest.mark.slow
@pytest.mark.parametrize(
    "faults", [{"crashes": 2}, {"crashes": 1, "lost_replies": 1}, {"crashes": 0, "duplicates": 1}]
)
def test_proved_over_the_protocol_itself_with_more_faults(faults):
    proof = prove(transactional, job=SMALL, counter=False, **faults)
    assert proof.ok, str(proof)


def test_the_counter_is_another_system():
    proof = prove(transactional, job=SMALL)
    assert not proof.ok
    assert "the counter is 3 and should be 2" in proof.counterexample.sentence
    again = replay(proof.counterexample.token, transactional)
    assert again.run.outcome.counter == proof.counterexample.run.outcome.counter


@pytest.mark.parametrize(
    "faults",
    [
        {"crashes": 2, "pauses": 1},
        {"crashes": 1, "late_requests": 1, "lost_replies": 1},
        {"crashes": 0, "pauses": 1, "duplicates": 1, "lost_requests": 1},
    ],
)
@pytest.mark.some(day=1, ci=2)
def test_proved_over_the_abstract_store(faults):
    proof = prove(deployed("abstract"), job=SMALL, counter=False, **faults)
    assert proof.ok, str(proof)


def test_without_fencing_a_zombie_commits():
    proof = prove(deployed("abstract", fencing=False), job=SMALL, crashes=0, pauses=1, counter=False)
    assert not proof.ok
    assert "more than once" in proof.counterexample.sentence


def test_what_was_loaded_before_the_others_were_fenced_is_old():
    def hasty(node):
        producer = node.transactions.producer("stream handler")
        positions = node.transactions.positions()
        window = node.transactions.state()
        producer.init_transactions()
        while node.running(positions):
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            producer.begin_transaction()
            producer.send("output", [window.average()])
            producer.send("changelog", [window])
            producer.send_offsets_to_transaction(next_positions, "streams")
            producer.commit_transaction()
            positions = next_positions

    mutant = Deployment(hasty, coordinator, at_least_once, "abstract")
    proof = prove(mutant, job=SMALL, crashes=0, pauses=1, counter=False)
    assert not proof.ok
    assert "more than once" in proof.counterexample.sentence


@pytest.mark.slow
def test_history_the_classic_protocol_lets_a_late_request_into_the_next_transaction():
    """KIP-890's reason: by the classic protocol the epoch stays, and what is late opens the next transaction."""
    job = Job(2, 24, 99)
    classic = prove(deployed(1), job=job, crashes=0, late_requests=1)
    assert not classic.ok
    assert "late" in "\n".join(classic.counterexample.explanation)
    assert prove(deployed(2), job=job, crashes=0, late_requests=1).ok


def test_the_coordinator_dies_at_each_of_its_steps():
    job = Job(3, 2, 2)
    for step in ("recover", "due", "marker", "complete"):
        for kind in ("crash before", "crash after"):
            run = simulate(transactional, FaultPlan((Fault(f"coordinator.{step}", None, kind, node=2),)), job)
            verdict = judge(run, transactional)
            assert (verdict.reached, verdict.consistent) == (True, True), verdict.sentence
            assert len(run.trace.deaths()) == 1


def test_a_learners_copy_is_proved_in_the_child_process_as_well():
    assert deployment_of(transactional) == deployed(2)
    proof = prove_safely(transactional, job=SMALL, crashes=0, counter=False)
    assert proof.ok, str(proof)
