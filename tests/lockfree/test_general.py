"""The general form: pure functions over streams, with state, any number of outputs, and two queues to read."""

import re

import pytest

from exactly_once import CellSource
from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import counter_sink
from exactly_once.lockfree import mean
from exactly_once.lockfree.general import general
from exactly_once.node.program import Program
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.stores.codec import decode


def means(state, readings):
    return state, [mean(readings)]


def counted(state, readings):
    """The mean, and every other time how many there were."""
    return state + 1, [mean(readings), None if state % 2 else state + 1]


MEANS = general(means)
COUNTED = general(counted, 0, outputs=("output", "counts"))


@pytest.mark.parametrize(("handler", "nodes", "items"), [(MEANS, 2, 3), (MEANS, 3, 2), (COUNTED, 2, 2)])
def test_proved_with_twins_and_a_crash(handler, nodes, items):
    proof = prove(handler, nodes=nodes, items=items)
    assert (proof.ok, proof.lock_free) == (True, True), str(proof)


@pytest.mark.parametrize(
    "faults", [{"lost_replies": 1}, {"lost_requests": 1}, {"late_requests": 1}, {"duplicates": 1}, {"pauses": 1}]
)
def test_proved_with_twins_and_each_other_fault(faults):
    proof = prove(MEANS, nodes=2, items=1 if "pauses" in faults else 2, crashes=0, **faults)
    assert proof.ok, str(proof)


def test_a_step_without_outputs_goes_from_handling_to_handling():
    only_even = general(lambda seen, readings: (seen + 1, [seen] if seen % 2 else []), 0)
    silent = general(lambda seen, readings: (seen + 1, []), 0, outputs=())
    assert [decode(text) for text in simulate(only_even, job=Job(4)).outcome.outputs] == [1, 3]
    run = simulate(silent, job=Job(4))
    assert (run.outcome.outputs, run.outcome.state) == ((), "4")
    assert prove(only_even, nodes=2, items=2).ok
    assert prove(silent, nodes=2, items=2).ok


@pytest.mark.not_by_day
def test_several_inputs_in_one_step_are_single_values_for_readers():
    """A cell holds what a step of three inputs sent; nobody who reads sees that."""
    single, batched = (
        simulate(COUNTED, job=Job(7)),
        simulate(general(counted, 0, outputs=("output", "counts"), batch=3), job=Job(7)),
    )
    assert batched.outcome.outputs == single.outcome.outputs
    assert (batched.outcome.state, batched.outcome.positions) == (single.outcome.state, single.outcome.positions)
    steps = [sum(event.verb == "cas" and event.kind == "send" for event in run.trace) for run in (single, batched)]
    assert steps[1] < steps[0] * 0.6
    assert prove(general(counted, 0, outputs=("output", "counts"), batch=2), nodes=2, items=3).ok


def joined(state, inputs):
    """Keep what came of each queue; say how much there is."""
    state = [[*held] if one is None else [*held, one] for held, one in zip(state, inputs, strict=True)]
    return state, [sum(map(len, state))]


def filled(queue, *values):
    """Return a program that fills a queue."""
    numbers = list(values)
    return general(lambda at, readings: (at + 1, [numbers[at]]), 0, outputs=(queue,), name=f"fills {queue}")


@pytest.mark.not_by_day
def test_two_queues_in_any_order():
    """Twins may see different contents of two queues: the inputs of the first twin to leave HANDLING count."""
    join = general(joined, [[], []], inputs=("left", "right"), outputs=("output",), name="join")

    def all_of_each(view):
        if not view.done:
            return True
        return (view.state == [[1], [2]] and view.outputs in ([2], [1, 2])) or f"{view.state} and {view.outputs}"

    proof = prove([join, join, filled("left", 1), filled("right", 2)], items=1, crashes=0, invariant=all_of_each)
    assert proof.ok, str(proof)


def test_a_chain_of_machines_and_the_database():
    first = general(lambda state, readings: (state, [mean(readings)]), outputs=("means",), name="means")
    second = general(
        lambda seen, inputs: (seen + 1, [inputs[0] * 2, seen + 1]), 0, inputs=("means",),
        outputs=("output", "increments"), name="doubles",
    )  # fmt: skip
    sink = Program(counter_sink, CellSource(("increments",)), name="sink")
    run = simulate([second, first, sink], FaultPlan((Fault("store.cas", 1, "crash after", node=2),)), Job(3))
    assert (len(run.outcome.outputs), run.outcome.counter) == (3, 3)
    assert dict(run.outcome.others)["machines.means"]
    assert prove([second, first, sink], items=1).ok


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda state, inputs: 5, "return \\(state, outputs\\)"),
        (lambda state, inputs: (state, 5), "a list with a value, or None"),
        (lambda state, inputs: (state, [1, 2]), "a list with a value, or None"),
        (lambda state, inputs: (object(), [1]), "cannot keep"),
        (lambda state, inputs: (state, [object()]), "cannot keep"),
    ],
)
def test_a_wrong_answer_of_the_function_is_told(function, words):
    run = simulate(general(function), job=Job(1))
    assert run.error is not None
    assert re.search(words, run.error), run.error
