"""Two-phase commit, and the position beside the effect: everything right, the counter in another system included."""

from dataclasses import replace

import pytest

from exactly_once import Fault, FaultPlan, Job, Program, deployed_with, deployment_of, judge, prove, simulate
from exactly_once.explore import KINDS, replay
from exactly_once.handlers import (
    EPOCH,
    at_least_once,
    finish,
    offset_in_sink,
    prepare,
    shared_decision,
    take_over,
    two_phase,
)

BOTH = pytest.mark.parametrize("handler", [two_phase, offset_in_sink])
SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window


@pytest.mark.some(day=1, ci=3)
@BOTH
@pytest.mark.parametrize(
    "faults",
    [{"crashes": 1, "lost_replies": 1}, {"crashes": 2, "pauses": 1}, {"crashes": 1, "late_requests": 1},
     {"crashes": 0, "duplicates": 1, "late_requests": 1}, {"crashes": 0, "pauses": 1, "late_requests": 1}],
)  # fmt: skip
def test_proved(handler, faults):
    proof = prove(handler, job=SMALL, **faults)
    assert proof.ok, str(proof)


def test_the_coordinator_dies_between_the_phases_and_its_next_life_ends_what_is_in_doubt():
    for kind, decided in (("crash before", False), ("crash after", True)):
        run = simulate(two_phase, FaultPlan((Fault("engine.commit", 3, kind),)))
        assert judge(run, two_phase).exactly_once
        (death,) = run.trace.deaths()
        ended = [event.verb for event in run.trace if event.life == 2 and event.verb.endswith("_prepared")]
        assert ended[0] == ("commit_prepared" if decided else "rollback_prepared"), death


def clerk(node):
    """Needs the counter's row as often as the stream handler, and longer."""
    for _ in range(30):
        node.database.increment()


def with_clerk():
    return [*deployment_of(two_phase).programs(Job()), Program(clerk, Job(), name="clerk")]


def test_whoever_needs_the_row_waits_and_readers_see_what_is_committed():
    def reader(node):
        node.store("notes").append("seen", node.database.total("counter"))

    def holds(node):
        node.database.prepare("mine", ("add", "counter", 1))
        node.registers.cas("ready", 0, True)

    def waits_for_it(handler):
        def late(node):
            while not node.registers.read("ready")[0]:
                pass
            handler(node)

        return late

    programs = [Program(one, Job(1), name=name) for one, name in ((holds, "a"), (waits_for_it(reader), "b"))]
    run = simulate(programs, job=Job(1))
    assert dict(run.outcome.others)["notes.seen"] == "[0]"
    assert run.outcome.in_doubt == (("database", "mine"),)
    found = prove([holds, waits_for_it(clerk)], job=Job(1), crashes=0, invariant=lambda view: True)
    assert "waits to increment, and the prepared transaction 'mine' holds that row" in found.counterexample.sentence


@pytest.mark.parametrize("at", ["C", "D", "engine.commit", "database.commit_prepared"])
def test_a_coordinator_that_is_gone_for_good_blocks(at):
    """Neither right nor a hang: the row is in doubt, and whoever needs it waits."""
    plan = FaultPlan((Fault(at, 3, "crash-stop"),))
    assert FaultPlan.parse(plan.token) == plan
    verdict = judge(simulate(two_phase, plan), two_phase)
    assert (verdict.blocked, verdict.consistent) == (True, False)
    assert verdict.sentence.startswith("Blocked, neither right nor wrong: the transaction '1.3' is prepared")
    run = simulate(with_clerk(), plan)
    assert run.blocked.startswith("node 2 waits for the row counter, and the transaction '1.3'")
    recovered = simulate(with_clerk(), FaultPlan((Fault(at, 3, "crash" if len(at) == 1 else "crash before"),)))
    assert (recovered.blocked, recovered.outcome.in_doubt, recovered.outcome.counter) == (None, (), 34)


@pytest.mark.parametrize("at", ["A", "C", "engine.commit"])
def test_nobody_waits_for_a_life_that_holds_nothing(at):
    verdict = judge(simulate(offset_in_sink, FaultPlan((Fault(at, 3, "crash-stop"),))), offset_in_sink)
    assert (verdict.blocked, verdict.consistent) == (False, False)
    assert "missing" in verdict.sentence


def _of(rest):
    """Return the handler with another beginning, preparing and ending: (begin, prepare, end), None as it is."""
    begin, phase_one, end = rest

    @deployed_with(None, at_least_once, protocol=None, own=(("database", EPOCH),))
    def mutant(node):
        engine = node.engine()
        epoch = begin(node, engine)
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            engine.begin()
            engine.push(window.average())
            prepared = None
            if len(window) > node.threshold:
                prepared = phase_one(node, engine, items[0].hour, epoch)
            engine.save_state(window)
            engine.save_positions(next_positions)
            engine.commit(prepared)
            if prepared:
                node.database.commit_prepared(prepared)
            positions = next_positions
        end(node, engine)

    return mutant


def _begin(node, engine):
    epoch = take_over(node, engine)
    finish(node, engine)
    return epoch


def _prepare(node, engine, hour, epoch):
    prepare(node, f"{engine.epoch}.{hour}", epoch)
    return f"{engine.epoch}.{hour}"


def _unfenced(node, engine):
    engine.fence()
    finish(node, engine)


def _prepare_unfenced(node, engine, hour, epoch):
    node.database.prepare(f"{engine.epoch}.{hour}", ("add", "counter", 1))
    return f"{engine.epoch}.{hour}"


def _nothing(node, engine):
    pass


@pytest.mark.parametrize(
    ("mutant", "faults", "said"),
    [
        ((_begin, _prepare, _nothing), {"crashes": 0, "pauses": 1}, "nobody has ended it"),
        ((_unfenced, _prepare_unfenced, finish), {"crashes": 0, "pauses": 1}, "nobody has ended it"),
    ],
    ids=["not at the end", "not fenced"],
)
@pytest.mark.some(day=1)
def test_each_line_is_needed(mutant, faults, said):
    whole = prove(_of((_begin, _prepare, finish)), job=SMALL, **faults)
    assert whole.ok, str(whole)
    broken = prove(_of(mutant), job=SMALL, **faults)
    assert not broken.ok
    assert said in broken.counterexample.sentence
    assert replay(broken.counterexample.token, _of(mutant)).run.outcome == broken.counterexample.run.outcome


def test_what_a_dead_client_asked_to_prepare_is_prepared():
    """PostgreSQL does not look at the connection while it works: only the fence keeps a late PREPARE out."""
    for until, ended in ((2, "rollback_prepared"), (9, None)):
        plan = FaultPlan((Fault("database.prepare", 2, "late request", until=until),))
        run = simulate(two_phase, plan, SMALL)
        assert judge(run, two_phase).exactly_once
        came = [event.text for event in run.trace if event.kind == "receive" and event.verb == "prepare"]
        assert ("1.2" in came) == (ended is not None)
        rolled_back = [event for event in run.trace if event.verb == "rollback_prepared"]
        assert bool(rolled_back) == (ended is not None)
    unfenced = prove(_of((_unfenced, _prepare_unfenced, finish)), job=SMALL, crashes=0, late_requests=1)
    assert "the prepared transaction '1.2' holds that row" in unfenced.counterexample.sentence


@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.some(day=2)
def test_a_decision_that_two_nodes_share_blocks_neither_of_them(fault):
    two = replace(deployment_of(shared_decision), twins=2)
    proof = prove(two, nodes=2, job=Job(items=2, duration=1, threshold=1), **{"crashes": 0, fault: 1})
    assert proof.ok, str(proof)
    assert proof.lock_free
