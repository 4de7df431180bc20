"""Gap 10-no-outputs: the stage that follows where an output is none, or where there are none at all."""

from functools import partial

from ....lockfree.general import next_stage as of_general
from ...tasks.chapter_10.form import Machine, filled, following, holds
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused

AT = {"orders": 1}
CASES = (  # outputs, k, and the k of the output that is next; None for HANDLING
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


def next_stage(state, positions, outputs, k):
    """Return the stage in which the next output, from k on, is to be written; HANDLING where there is none."""
    while k < len(outputs) and outputs[k] is None:
        k += 1
    if k == len(outputs):
        return ["HANDLING", state, positions]
    return ["PREPARING", state, positions, outputs, k]


def some(state, inputs):
    """A function that sends an order to one of two queues, or to none."""
    [order] = inputs
    return state, {1: ["a"], 2: [], 3: [None, "c"]}[order]


def check(answer):
    """Run the learner's lines in a machine; then try cases."""
    if untouched(answer):
        return unsolved("your lines")
    queues = filled(orders=[1, 2, 3])
    one = Machine(some, queues, outputs=("first", "second"), following=answer).program
    rule = partial(holds, wanted={"first": ["a"], "second": ["c"]})
    told = answers(answer, [["state", AT, outputs, k] for outputs, k, _ in CASES])
    broken = refused([one], rule, "One order has an output for the first queue, one has none, one for the second. ")
    if broken is not None:
        return broken
    for (outputs, k, wanted), (fine, said) in zip(CASES, told, strict=True):
        stage = ["HANDLING", "state", AT] if wanted is None else ["PREPARING", "state", AT, outputs, wanted]
        if not fine:
            return wrong(f"With the outputs {outputs} and k = {k} your function fails with {said}.")
        if said != stage:
            return wrong(
                f"With the outputs {outputs} and k = {k} your function returns {said!r}; right is {stage!r}."
            )
    return refused([one] * 2, rule, "Two nodes at once: ") or right(
        f"What is none is passed over, and a step without outputs goes back to HANDLING ({len(CASES)} cases)."
    )


GAP = Gap(
    title="an output that is none",
    judge=check,
    library=next_stage,
    refuses=(following, of_general),
    hints=(
        "The article's PREPARING takes `outputs[k]` whatever `outputs` is. For which `k` is there nothing to take? "
        "And what is to be done with an output that is `None`?",
        "Look for the first `k`, from the one that you were given, whose output is not None. `0` and `False` are "
        "outputs like others. If there is none up to `len(outputs)`, the step is done.",
        'While `k < len(outputs)` and `outputs[k] is None`, add one to `k`. If `k == len(outputs)`, '
        'return `["HANDLING", state, positions]`, else `["PREPARING", state, positions, outputs, k]`.',
    ),
)  # fmt: skip
