"""The general form: pure functions over streams, what they read and write, and a handler that is made of parts."""

import re
from dataclasses import replace

import pytest

from exactly_once import CellSource, Fault, FaultPlan, Job, prove, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers import counter_sink
from exactly_once.lockfree import Given, assembled, general, mean, pushers, stale_reads
from exactly_once.node import Program, program_of
from exactly_once.solutions import library_of
from exactly_once.stores import decode
from exactly_once.verdict import IdealFailed, judge


def means(state, readings):
    return state, [mean(readings)]


def counted(state, readings):
    """The mean, and every other time how many there were."""
    return state + 1, [mean(readings), None if state % 2 else state + 1]


MEANS = general(means)
COUNTED = general(counted, 0, outputs=("output", "counts"))


@pytest.mark.parametrize(("handler", "nodes", "items"), [(COUNTED, 2, 2), (MEANS, 2, 3), (MEANS, 3, 2)])
@pytest.mark.some(day=1, ci=2)
def test_proved_with_twins_and_a_crash(handler, nodes, items):
    proof = prove(handler, nodes=nodes, items=items)
    assert (proof.ok, proof.lock_free) == (True, True), str(proof)


@pytest.mark.parametrize(
    "faults", [{"lost_replies": 1}, {"lost_requests": 1}, {"late_requests": 1}, {"duplicates": 1}, {"pauses": 1}]
)
@pytest.mark.some(day=2, ci=4)
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


def test_no_message_looks_like_a_mark():
    """What reads it would say that retention has emptied its cell."""
    with pytest.raises(IdealFailed, match="readers would pass over it"):
        prove(general(lambda state, readings: (state, [{"emptied": "x"}])), items=1)
    with pytest.raises(BadInput, match="readers would pass over it"):
        Given(("q",), (({"emptied": "x"},),))
    held = {"emptied": "x", "more": 1}
    source = Given(("q",), ((held,),))
    echo = program_of(general(lambda state, inputs: (state, inputs), inputs=("q",)), source)
    run = simulate(replace(echo, source=source))
    assert [push.value for push in run.pushes] == [held]


def growing(state, readings):
    """Push the state itself, which the next call changes in place."""
    hours = state or []
    hours.append(readings[0].hour)
    return hours, [hours]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_outputs_are_what_they_were_when_the_function_returned_them(batch):
    run = simulate(general(growing, batch=batch))
    assert [push.value for push in run.pushes] == [list(range(1, hour + 1)) for hour in range(1, 7)]
    assert prove(general(growing, batch=batch), nodes=2, items=2, reference=general(growing)).ok


def test_two_handlers_that_share_a_machine_by_mistake_are_refused():
    chain = [general(growing, outputs=("mid",)), general(growing, inputs=("mid",))]
    with pytest.raises(BadInput, match="Two handlers that read or fill different queues are both called 'handler'"):
        prove(chain, items=1)
    with pytest.raises(BadInput, match="give each a name of its own"):
        simulate(chain)


@pytest.fixture(scope="module")
def machine():
    return assembled(*map(library_of, ("10-handling", "10-writing", "10-loop")))


def total(before, readings):
    after = before + sum(each.value for each in readings)
    return after, [after]


def too_warm(state, readings):
    return state, ["too warm"]


def sent(*carried):
    """Return the maker of a message that carries these of: name, step, value."""
    return lambda node, name, step, value: [{"name": name, "step": step, "value": value}[one] for one in carried]


def all_there(view):
    cells = [view.look("queues", f"alarms.{index}", "cell") for index in range(4)]
    return not view.done or sum(held is not None for held in cells) == 2


def test_two_twins_with_a_crash_are_exactly_once(machine):
    proof = prove(machine(total, 0), nodes=2, items=2, crashes=1)
    assert proof.ok
    assert proof.lock_free


@pytest.mark.parametrize(("carried", "fine"), [(("name", "value"), False), (("name", "step", "value"), True)])
def test_equal_values_of_one_handler_need_the_step_when_a_read_is_stale(machine, carried, fine):
    queue_of = stale_reads("search", most=1)
    handler = machine(too_warm, 0, ("alarms",), "one", sent(*carried), queue_of=queue_of)
    assert prove(handler, items=2, crashes=0, invariant=all_there).ok == fine


@pytest.mark.parametrize(("most", "fine"), [(0, True), (1, False)])
def test_reads_are_stale_only_so_often(most, fine):
    placer = pushers.placer(7, 7, queue_of=stale_reads("search", most=most))
    assert prove(placer, items=1, crashes=0, invariant=pushers.exactly(7, 7, cells=pushers.newest_of)).ok == fine


FILLED = Given(("a", "b"), ((1, 2, 3), (10,)))


def add(state, inputs):
    state += sum(value for value in inputs if value is not None)
    return state, [state]


def over(handler, source=FILLED):
    return replace(program_of(handler, source), source=source)


def reads_one(node):
    node.read(node.start)
    node.output.push(1)


def test_each_read_gives_the_next_of_every_queue_that_has_one():
    program = over(general(add, first=0, inputs=FILLED.queues))
    run = simulate(program)
    assert run.outcome.outputs == ("11", "13", "16")
    verdict = judge(run, program)
    assert verdict.exactly_once
    assert "unread" not in verdict.sentence


def test_what_is_left_unread_is_said():
    program = over(reads_one)
    assert "leaves some of its inputs unread" in judge(simulate(program), program).sentence
    (warning,) = prove(program, crashes=0).warnings
    assert warning == "When nothing goes wrong the handler leaves input of a unread."


def test_a_value_may_be_a_list_or_a_dictionary():
    source = Given(("orders",), (([1, 2], {"left": [3]}),))
    handler = general(lambda state, inputs: (state, [inputs[0]]), inputs=source.queues)
    proof = prove(over(handler, source), nodes=2, crashes=0)
    assert proof.ok
    assert simulate(over(handler, source)).outcome.outputs == ("[1,2]", '{"left":[3]}')
