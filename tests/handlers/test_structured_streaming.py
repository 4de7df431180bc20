"""The micro-batch engine: right with the batch id beside the rows, doubled at D without it, wrong in each mutant."""

import inspect
import random

import pytest

from exactly_once import Numbers
from exactly_once.explore import prove, replay
from exactly_once.faults import POINTS, SURE, Fault, FaultPlan
from exactly_once.handlers import at_least_once, structured_streaming, structured_streaming_appending
from exactly_once.handlers.stream import structured_streaming as module
from exactly_once.node.program import Program, deployed_with
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.simulate.places import places
from exactly_once.stores.codec import encode
from exactly_once.verdict import ideal_outcomes, judge
from exactly_once.verdict.outcome import multiset
from exactly_once.verdict.prefix import Beginning

SMALL = Job(3, 2, 2)  # an hour below or at the threshold, an hour above, and an hour that leaves the window
AS_IT_COMES = Job(2, 2, 1, "as it comes")
BOTH = pytest.mark.parametrize("handler", [structured_streaming, structured_streaming_appending])


@BOTH
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("item", [1, 3, 6])
def test_every_letter_is_reached_and_the_appending_sink_is_doubled_at_d_alone(handler, point, item):
    run = simulate(handler, FaultPlan.crash(point, item))
    verdict = judge(run, at_least_once)
    assert verdict.reached
    assert verdict.consistent == (handler is structured_streaming or point != "D"), verdict.sentence
    assert verdict.damage.duplicated == (() if verdict.consistent else (item,))
    again = [event for event in run.trace if (event.life, event.text) == (2, f"read hour {item}")]
    # A replay reads the batch for its tasks alone; a batch that is planned anew is asked for before that, too.
    assert len([event for event in again if event.kind == "send"]) == {"A": 2, "E": 0}.get(point, 1)


def test_a_replay_has_the_same_id_and_the_same_rows():
    run = simulate(structured_streaming, FaultPlan.crash("C", 2), SMALL)
    first, second = ([one.text for one in run.trace if one.life == life and one.kind == "send"] for life in (1, 2))
    planned = [text for text in first if text.startswith("cas offsets")]
    assert planned[-1] == "cas offsets, version 1: [offset 1, offset 2]"
    assert not [text for text in second if text.startswith("cas offsets, version 1")]
    assert "cas state, version 1: [window of hour 1, window of hours 1–2]" in second
    assert [push.item for push in run.pushes] == [1, 2, 3]
    assert [len(push.inputs) for push in run.pushes] == [2, 4, 4], "the readings of its window are behind each row"


def test_every_fault_at_every_step_of_every_hour():
    ideals, struck = ideal_outcomes(at_least_once, SMALL), set()
    for kind, several in places(structured_streaming, SMALL).items():
        for place in several:
            if place.at in SURE and not place.kind.startswith("crash") and kind != "pause":
                continue
            run = simulate(structured_streaming, FaultPlan((Fault(place.at, place.item, place.kind),)), SMALL)
            verdict = judge(run, at_least_once, ideals)
            assert (verdict.reached, verdict.consistent) == (True, True), (place, verdict.sentence)
            struck.add((place.at, place.kind))
    assert {at for at, _ in struck} >= {"store.read", "store.cas", "input.read", "database.transact"}


@pytest.mark.parametrize(
    "faults",
    [{"crashes": 2, "pauses": 1}, {"crashes": 1, "lost_replies": 1}, {"crashes": 1, "late_requests": 1},
     {"crashes": 0, "duplicates": 1}, {"crashes": 1, "job": AS_IT_COMES},
     {"crashes": 0, "pauses": 1, "job": AS_IT_COMES}],
)  # fmt: skip
def test_proved(faults):
    proof = prove(structured_streaming, **{"job": SMALL, **faults})
    assert proof.ok, str(proof)


def test_without_the_batch_id_the_simplest_schedule_is_a_crash_at_d():
    proof = prove(structured_streaming_appending, crashes=1)
    (death,) = proof.counterexample.run.trace.deaths()
    assert (proof.ok, death.detail["at"], death.item) == (False, "D", 1)
    assert replay(proof.counterexample.token, structured_streaming_appending).run.outcome.outputs[:2] == (
        proof.counterexample.run.outcome.outputs[:1] * 2
    )
    right = [ideal.outcome for ideal in ideal_outcomes(at_least_once, SMALL)]
    unharmed = {
        "output": lambda view: tuple(map(encode, view.outputs)) in [one.outputs for one in right],
        "counter": lambda view: view.counter in [one.counter for one in right],
        "state": lambda view: multiset(view.state) in [one.state for one in right],
        "positions": lambda view: encode(view.positions) in [one.positions for one in right],
    }
    found = {
        part: prove(
            structured_streaming_appending, job=SMALL, crashes=1,
            invariant=lambda view, fine=fine: not view.done or fine(view),
        )
        for part, fine in unharmed.items()
    }  # fmt: skip
    assert [part for part, proof in found.items() if not proof.ok] == ["output", "counter"]


def test_random_plans_of_crashes_do_what_is_predicted():
    dice, met = random.Random("micro-batches"), set()
    for _ in range(150):
        faults = [Fault(dice.choice(POINTS), dice.randint(1, 6)) for _ in range(dice.randint(1, 4))]
        for handler in (structured_streaming, structured_streaming_appending):
            run = simulate(handler, FaultPlan(faults))
            doubled = {one.item for one in run.trace.deaths() if one.detail["at"] == "D"}
            verdict = judge(run, handler)
            wanted = doubled if handler is structured_streaming_appending else set()
            assert set(verdict.damage.duplicated) == wanted, verdict.sentence
            assert verdict.consistent == (not wanted)
            met.add((handler, bool(doubled)))
    assert len(met) == 4


def test_a_run_that_goes_on_is_judged_as_a_beginning():
    run = simulate(structured_streaming, FaultPlan.crash("D", 3), Job(8))
    assert Beginning(structured_streaming, Job(8)).judge(run).consistent
    twice = simulate(structured_streaming_appending, FaultPlan.crash("D", 3), Job(8))
    assert Beginning(structured_streaming, Job(8)).judge(twice).damage.duplicated == (3,)


# -- mutants ---------------------------------------------------------------------------------------------------------


def rows_then_id(node, batch, average, counted):
    """The rows in one transaction, the batch id in the next."""
    version, _ = node.database.read(module.BATCH)
    if version == batch:
        node.database.transact(*module.saved_rows(average, counted))
        node.database.cas(module.BATCH, batch, batch)


def id_then_rows(node, batch, average, counted):
    """The batch id in one transaction, the rows in the next."""
    if node.database.cas(module.BATCH, batch, batch):
        node.database.transact(*module.saved_rows(average, counted))


def engine(*changes):
    """Return the engine with lines of its source changed: pairs (line, line in its place), each of which is there."""
    source = inspect.getsource(module.micro_batches)
    for line, other in changes:
        assert source.count(line) == 1, line
        source = source.replace(line, other)
    made = dict(vars(module))
    exec(source, made)
    return made["micro_batches"]


SAVE = '        save(node, batch, window.average(), len(window) > node.threshold)\n        node.crash_point("D")\n'
COMMIT = '        add(checkpoint, "commits", batch, batch)\n        node.crash_point("E")\n'
PLAN = '            add(checkpoint, "offsets", batch, [start, end])\n'
LATE_PLAN = '        checkpoint.cas("offsets", batch, [start, end])\n'
MUTANTS = {
    "rows, then the id": (module.micro_batches, rows_then_id, SMALL, (1, "before database.cas")),
    "the id, then rows": (module.micro_batches, id_then_rows, SMALL, (1, "before database.transact")),
    "commits before the sink": (engine((SAVE + COMMIT, COMMIT + SAVE)), module.save_once, SMALL, (3, "E")),
    "no versions of the state": (engine(("before if versions > batch else after", "after")), module.save_once, SMALL,
                                 (2, "C")),
    "the plan after the work": (engine((PLAN, ""), (COMMIT, LATE_PLAN + COMMIT)), module.save_once, AS_IT_COMES,
                                (1, "D")),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_each_mutant_is_refuted_by_one_crash(name):
    loop, save, job, place = MUTANTS[name]

    @deployed_with(None, at_least_once, protocol=None, checkpoint="checkpoint", own=(("database", module.BATCH),))
    def mutant(node):
        loop(node, save)

    assert prove(mutant, job=job, crashes=0).ok, "without a crash nobody could tell"
    proof = prove(mutant, job=job, crashes=1)
    (death,) = proof.counterexample.run.trace.deaths()
    assert not proof.ok
    assert (death.item, death.detail["at"]) == place, str(proof)


def test_only_a_job_can_be_read_until_given_positions():
    def reads_again(node):
        node.read(node.start, node.start)

    run = simulate(Program(reads_again, Numbers(2)))
    assert "cannot read until given positions" in run.error
