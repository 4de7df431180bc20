"""The gaps of chapter 10: how the lines that a learner writes in it are judged."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

from ...errors import OutcomeUnknown
from ...lockfree import Queue
from ...lockfree.general import HANDLING, WRITING, compute
from ...lockfree.general import next_stage as of_general
from ...node.world import QUEUES
from ...pipeline import Job
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, called, proved
from .form import Machine, filled, follow, following, holds, values_in
from .form import said as in_words


def refused(programs, rule, harm, **bounds):
    """Explore the nodes' programs; return None if all is right, or the `Reply` with the schedule that breaks them.

    `harm` is the beginning of the reply, before the mistake.
    """
    proof = proved(programs, rule, None, **({"crashes": 0} | bounds))
    if proof.counterexample is not None:
        return wrong(f"{harm}{proof.counterexample.sentence}", proof.counterexample, programs)
    if not proof.ok:
        return wrong(f"{harm}Not all schedules could be explored: {proof.stopped}.")
    return None


# 10-handling: the step out of HANDLING fixes all later writes.


def readings_so_far(state, inputs):
    """Count the readings so far: the pure function inside the machine."""
    seen = (state or 0) + len(inputs)
    return seen, [seen]


@gap("10-handling", refuses=(compute,))
def check_handling(answer):
    """Explore the machine with the learner's lines: one node, then two, with a crash and a lost reply."""
    if untouched(answer):
        return unsolved("your lines")
    one, short = (Machine(readings_so_far, Job(items=hours), handling=answer).program for hours in (2, 1))
    rule, rule_of_short = (partial(holds, wanted={"output": seen}) for seen in ([2, 4], [2]))
    return (
        refused([one], rule, "One node that counts the readings of two hours, and nothing goes wrong: ")
        or refused([one], rule, "One node, and one crash: ", crashes=1)
        or refused([short] * 2, rule_of_short, "Two nodes at once, and one reply is lost: ", lost_replies=1)
        or right("State, positions and outputs are fixed together, by the one write that leaves HANDLING.")
    )


# 10-no-outputs: the stage that follows where an output is none, or where there are none at all.

AT = {"orders": 1}
NO_OUTPUTS_CASES = (  # outputs, k, and the k of the output that is next; None for HANDLING
    (["a"], 0, 0),
    (["a"], 1, None),
    ([], 0, None),
    ([None], 0, None),
    ([None, "b"], 0, 1),
    (["a", None], 0, 0),
    (["a", None], 1, None),
    (["a", None, "c"], 1, 2),
    ([0, "b"], 0, 0),
    (["a", False], 1, 1),
    ([None, None, None], 0, None),
)


def some(state, inputs):
    """A function that sends an order to one of two queues, or to none."""
    [order] = inputs
    return state, {1: ["a"], 2: [], 3: [None, "c"]}[order]


@gap(
    "10-no-outputs",
    refuses=(
        following,
        of_general,
    ),
)
def check_no_outputs(answer):
    """Run the learner's lines in a machine; then try cases."""
    if untouched(answer):
        return unsolved("your lines")
    queues = filled(orders=[1, 2, 3])
    one = Machine(some, queues, outputs=("first", "second"), following=answer).program
    rule = partial(holds, wanted={"first": ["a"], "second": ["c"]})
    told = answers(answer, [["state", AT, outputs, k] for outputs, k, _ in NO_OUTPUTS_CASES])
    broken = refused([one], rule, "One order has an output for the first queue, one has none, one for the second. ")
    if broken is not None:
        return broken
    for (outputs, k, wanted), (fine, said) in zip(NO_OUTPUTS_CASES, told, strict=True):
        stage = ["HANDLING", "state", AT] if wanted is None else ["PREPARING", "state", AT, outputs, wanted]
        if not fine:
            return wrong(f"With the outputs {outputs} and k = {k} your function fails with {said}.")
        if said != stage:
            return wrong(
                f"With the outputs {outputs} and k = {k} your function returns {said!r}; right is {stage!r}."
            )
    return refused([one] * 2, rule, "Two nodes at once: ") or right(
        f"An output that is None is passed over, and a step without outputs goes back to HANDLING "
        f"({len(NO_OUTPUTS_CASES)} cases)."
    )


# 10-pure: a function that remembers something outside its state, and is to keep it in the state.

ORDERS, INVOICES = ["tea", "milk", "tea"], [[1, "tea"], [2, "milk"], [3, "tea"]]


def twice(theirs, orders):
    """Call a function for each order, each time twice with the same state; return the list of both answers."""
    state, found = None, []
    for order in orders:
        pair = [deepcopy(theirs(deepcopy(state), [order])) for _ in range(2)]
        found.append(pair)
        state = pair[0][0] if isinstance(pair[0], tuple) and pair[0] else None
    return found


@gap("10-pure")
def check_pure(answer):
    """Call the learner's function twice with the same; then explore it in the machine, on two nodes."""
    pairs = called(twice, answer, ORDERS)
    if all(one is None for pair in pairs for one in pair):
        return unsolved("your lines")
    for order, (first, second) in zip(ORDERS, pairs, strict=True):
        for one in (first, second):
            if not isinstance(one, tuple) or len(one) != 2 or not isinstance(one[1], (list, tuple)):
                return wrong(f"Your function returns {one!r}; return (state, outputs), and outputs is a list.")
        if first != second:
            return wrong(
                f"Called twice with the same state and with {order!r}, your function gives {first[1]!r}, and then "
                f"{second[1]!r}: it remembers the first call. A twin that calls it again may be the one whose answer "
                "counts."
            )
    one = Machine(answer, filled(orders=ORDERS)).program
    rule, rule_of_two = (partial(holds, wanted={"output": INVOICES[:count]}) for count in (3, 2))
    return (
        refused([one], rule, "One node, which dies: ", crashes=1)
        or refused([replace(one, source=filled(orders=ORDERS[:2]))] * 2, rule_of_two, "Two nodes at once: ")
        or right("Your function remembers nothing outside its state, so any node may call it, any number of times.")
    )


# 10-writing: what follows WRITING, when the cell holds the value, and when it holds a stranger's message.


def two_texts(name):
    """Return the function of a handler that sends two texts of its own to two queues."""

    def function(state, inputs):
        return state, [f"{name} to the first", f"{name} to the second"]

    return function


def writes(answer, name):
    """Return the program of a handler whose WRITING is the learner's."""

    def taken(node, machine, stage):
        if stage[0] != WRITING:
            return follow(node, replace(machine, follow=None), stage)
        _, state, positions, outputs, k, index = stage
        messages = [[each] for each in outputs]
        stage = answer(Queue(node.store(QUEUES), machine.outputs[k]), state, positions, messages, k, index)
        return [*stage[:3], outputs, *stage[4:]] if isinstance(stage, list) and len(stage) > 3 else stage

    def told(node, name, step, value):
        return [value]

    return Machine(two_texts(name), Job(items=1), outputs=BOTH, name=name, message=told, follow=taken).program


BOTH = ("first", "second")


def all_texts(names):
    """Return the invariant: in the end each handler's text is in each queue once, and never twice."""

    def rule(view):
        for queue in BOTH:
            wanted = sorted(f"{name} to the {queue}" for name in names)
            found = sorted(values_in(view, queue))
            if found != wanted if view.done else any(found.count(one) > wanted.count(one) for one in found):
                return f"the queue {queue!r} holds {in_words(found)}; right is {in_words(wanted)}"
        return True

    return rule


@gap("10-writing")
def check_writing(answer):
    """Explore one handler with two outputs; then a stranger in the same queues; then twins, with a crash."""
    if untouched(answer):
        return unsolved("your lines")
    one, other = writes(answer, "one"), writes(answer, "other")
    return (
        refused([one], all_texts(["one"]), "One node, one step with two outputs: ", lock_free=True)
        or refused([one, other], all_texts(["one", "other"]), "Two handlers in the same queues: ", lock_free=True)
        or refused([one] * 2, all_texts(["one"]), "Twins, one of which dies: ", crashes=1, lock_free=True)
        or right(
            "After a stranger's message the node looks for a new place, and each output is written once. Whether "
            "this call, an earlier one or a twin has filled the cell makes no difference to the next stage."
        )
    )


# 10-loop: the machine is read, the stage followed, the next one tried; after a refusal the machine is read again.


def looping(answer, items):
    """Return the program of a node that runs the learner's loop until no input is left."""
    machine = Machine(readings_so_far, Job(items=items))

    def handler(node):
        def step(stage):
            return None if stage[0] == HANDLING and not node.running(stage[2]) else follow(node, machine, stage)

        first, ended = [HANDLING, None, node.start], False
        while not ended:
            try:
                answer(node.store(machine.store), machine.name, list(first), step)
                ended = True
            except OutcomeUnknown:
                pass  # the learner's loop is called again, as by a new process
        stage = node.store(machine.store).read(machine.name)[1] or first
        node.registers.cas(f"left.{node.number}", 0, [stage[0] != HANDLING or node.running(stage[2])])

    return replace(machine.program, handler=handler)


def looped(wanted):
    """Return the invariant of the output, and that no node has ended before all inputs were handled."""

    def rule(view):
        early = [name for name, held in view.registers.items() if name.startswith("left.") and held == [True]]
        if early:
            return "a node's loop has ended although inputs are left; if the other node stops, nobody handles them"
        return holds(view, {"output": wanted})

    return rule


@gap("10-loop")
def check_loop(answer):
    """Explore one node, then two; with a crash, a lost reply and a late request."""
    if untouched(answer):
        return unsolved("your lines")
    one, short = looping(answer, 2), looping(answer, 1)
    return (
        refused([one], looped([2, 4]), "One node, two hours, and nothing goes wrong: ", lock_free=True)
        or refused([short] * 2, looped([2]), "Two nodes at once, one hour: ", lock_free=True)
        or refused([short] * 2, looped([2]), "Two nodes at once, and one dies: ", crashes=1)
        or refused([short] * 2, looped([2]), "Two nodes at once, and a request arrives late: ", late_requests=1)
        or right(
            "A node whose `cas` was refused drops the stage that it wanted to write, and reads the machine again. So "
            "each stage is written by one node, and follows the stage before it."
        )
    )
