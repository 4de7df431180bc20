"""The gaps of chapter 11: how the lines that a learner writes in it are judged."""

from copy import deepcopy
from math import isclose

from ...chapters.ch10.form import filled, holds, machine
from ...errors import OutcomeUnknown, is_number
from ...lockfree.estimate import YEAR, Estimate
from ...node import Program
from ..ch08.bank import accounts
from ..kinds.by_cases import by_cases
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, proved


def refused(programs, rule, harm, **bounds):
    """Explore the nodes' programs; return None if all is right, or the `Reply` with the schedule that breaks them."""
    proof = proved(programs, rule, None, **({"crashes": 0} | bounds))
    if proof.counterexample is not None:
        return wrong(f"{harm}{proof.counterexample.sentence}", proof.counterexample, programs)
    return None if proof.ok else wrong(f"{harm}Not all schedules could be explored: {proof.stopped}.")


# 11-aside: an input that the function cannot digest is set aside, and the state stays as it was.


def digest(state, inputs):
    """Add an order to the list in the state, and send the list's length; fails for 0, after it has been added."""
    [order] = inputs
    state = {"seen": []} if state is None else state
    state["seen"].append(order)
    return state, [f"{len(state['seen'])} orders, {12 // order} each"]


def sends_nothing(state, inputs):
    """A function with no output."""
    return state, []


ASIDE_CASES = (  # the function, state, inputs, right result
    (digest, None, [3], ({"seen": [3]}, ["1 orders, 4 each", None])),
    (digest, {"seen": [3]}, [0], ({"seen": [3]}, [None, [0]])),
    (digest, None, [0], (None, [None, [0]])),
    (digest, {"seen": [3]}, ["x"], ({"seen": [3]}, [None, ["x"]])),
    (digest, {"seen": [3]}, [], ({"seen": [3]}, [None, []])),
)


def wrapped(answer):
    """Return a function that wraps ours with the learner's, calls it, and returns the result as lists."""

    def tried(number):
        function, state, inputs, _ = ASIDE_CASES[number]
        found = answer(function)(deepcopy(state), list(inputs))
        return None if found is None else [found[0], list(found[1])]

    return tried


@gap("11-aside")
def check_aside(answer):
    """Try the wrapped function on cases; then explore it in the machine, on two nodes with a crash."""
    if untouched(answer):
        return unsolved("your lines")
    found = answers(wrapped(answer), list(range(len(ASIDE_CASES))))
    for (_, state, inputs, (after, outputs)), (fine, said) in zip(ASIDE_CASES, found, strict=True):
        case = f"With the state {state!r} and the inputs {inputs!r} your function"
        if not fine:
            return wrong(f"{case} fails with {said}.")
        if said is None:
            return unsolved("what your function returns")
        if said[0] != after:
            return wrong(f"{case} leaves the state {said[0]!r}; right is {after!r}.")
        if said[1] != outputs:
            return wrong(f"{case} has the outputs {said[1]!r}; right is {outputs!r}.")
    queues = filled(orders=[3, 0, 4])

    def function(state, inputs):
        return answer(digest)(state, inputs)

    one = machine(function, queues, ("output", "letters"))

    def rule(view):
        return holds(view, {"output": ["1 orders, 4 each", "2 orders, 3 each"], "letters": [[0]]})

    return refused([one], rule, "Three orders, the second of which is 0: ") or refused(
        [one] * 2, rule, "Two nodes at once, of which one dies: ", crashes=1
    ) or right("No twin stops at the input: it is in the second queue, and the state is as it was.")  # fmt: skip


# 11-decide: each node gets the same decision, at each call.

WISHES = ("commit", "abort")


def deciding(answer, wish):
    """Return the program of a node that asks for the decision, and writes the answer down."""

    def handler(node):
        for again in range(2):
            told = None
            while told is None:
                try:
                    told = [answer(node.registers, wish)]
                except OutcomeUnknown:
                    continue
            node.registers.cas(f"told.{node.number}.{again}", 0, told)

    return Program(handler, accounts([]))


def one_decision(*wishes):
    """Return the invariant: all nodes get the same decision, and the decision is one node's wish."""

    def rule(view):
        told = [held[0] for name, held in view.registers.items() if name.startswith("told.")]
        if any(one not in wishes for one in told):
            return f"a node was told {next(one for one in told if one not in wishes)!r}, which nobody wished"
        return len(set(told)) <= 1 or "one node was told 'commit', and another one 'abort'"

    return rule


@gap("11-decide")
def check_decide(answer):
    """Explore one node with faults; then two that wish the same; then two with different wishes, with faults."""
    if untouched(answer):
        return unsolved("your lines")
    commit, abort = (deciding(answer, wish) for wish in WISHES)
    either = one_decision(*WISHES)
    return (
        refused([abort], one_decision("abort"), "One node that wishes to abort: ", lock_free=True)
        or refused([commit], one_decision("commit"), "One node that wishes to commit: ", lock_free=True)
        or refused([commit, abort], either, "Two nodes with different wishes: ", lock_free=True)
        or refused([commit, abort], either, "Two nodes with different wishes, of which one dies: ", crashes=1)
        or refused([commit, abort], either, "Two nodes with different wishes, and a lost reply: ", lost_replies=1)
        or refused([commit, abort], either, "Two nodes with different wishes, and a late request: ", late_requests=1)
        or right(
            "The first `cas` decides. The answer is what the register holds, whatever a node's own `cas` returned. "
            "No node waits for another."
        )
    )


# 11-grows: an observer of a queue sees it grow, and nothing else.

GROWS_CASES = (  # an observer's view, and whether the queue only grew
    ([], True),
    ([["a"]], True),
    ([["a"], ["a", "b"]], True),
    ([["a"], []], False),
    ([["a"], ["a"]], True),
    ([["a"], ["b", "a"]], False),
    ([["a", "b"], ["a", "c", "d"]], False),
    ([[], ["a"], [], ["a"]], False),
    ([["a"], ["a", "b"], ["a", "b", "c"], ["a", "c", "b"]], False),
    ([[], ["a", "b"], ["a", "b", "c"]], True),
)


@gap("11-grows")
def check_grows(answer):
    """Try observations of right queues and of wrong queues."""
    refusal = by_cases(
        answer,
        GROWS_CASES,
        lambda seen, _: f"An observer saw {seen}; your function",
        lambda seen, grew, said: None if bool(said) == grew else f" says {said!r}; right is {grew}.",
        arguments=lambda seen, _: [seen],
        nothing=(None,),
    )
    return refusal or right("Each look begins with all that the look before it saw. That is the whole check.")


# 11-years: until some pair of a fleet is struck in one batch.

YEARS_CASES = ((1, 10, 1), (1, 10, 1000), (2, 10, 1), (1, 60, 1), (4, 30, 50))  # mishaps a day, batch in s, pairs


def years_of(mishaps, batch, pairs):
    """Return the library's estimate."""
    return Estimate(nodes=2, batch=batch, a_day=mishaps).years / pairs


@gap("11-years")
def check_years(answer):
    """Compare the learner's number with the estimate's, to one percent."""
    refusal = by_cases(
        answer,
        YEARS_CASES,
        lambda mishaps, batch, pairs: (
            f"With {mishaps} mishaps a day, batches of {batch} s and {pairs} pairs your function"
        ),
        _objection_years,
        nothing=(None,),
    )
    return refusal or right("One pair is struck every 23.7 years, one of a thousand pairs every 8.6 days.")


def _objection_years(mishaps, batch, pairs, said):
    wanted = years_of(mishaps, batch, pairs)
    if not is_number(said):
        return f" returns {said!r}; return a number of years."
    for factor, remark in ((86_400, "days in place of seconds?"), (YEAR / 86_400, "days in place of years?")):
        if isclose(said, wanted * factor, rel_tol=0.01) or isclose(said, wanted / factor, rel_tol=0.01):
            return f" returns {said:,.4g}; right is {wanted:,.4g}. Is it {remark}"
    return None if isclose(said, wanted, rel_tol=0.01) else f" returns {said:,.4g}; right is {wanted:,.4g}."
