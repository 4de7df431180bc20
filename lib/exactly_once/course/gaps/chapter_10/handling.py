"""Gap 10-handling: what leaves HANDLING fixes all that is to be written."""

from functools import partial

from ....lockfree.general import compute
from ....pipeline import Job
from ...tasks.chapter_10.form import Machine, holds
from ...tasks.reply import right, unsolved
from ..chapter_01.runs import untouched
from ..registry import Gap
from .common import refused


def handling(node, function, state, positions):
    """Read the inputs at the positions, call the function once, and return the stage that follows HANDLING."""
    inputs, positions = node.read(positions)
    state, outputs = function(state, inputs)
    return ["PREPARING", state, positions, outputs, 0]


def readings_so_far(state, inputs):
    """The function that is driven: how many readings there were until now."""
    seen = (state or 0) + len(inputs)
    return seen, [seen]


def check(answer):
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


GAP = Gap(
    title="leave HANDLING",
    judge=check,
    library=handling,
    refuses=(compute,),
    hints=(
        "Three things go into the stage that follows: the state that the function returned, the positions after "
        "the inputs, and the outputs. Which output is written first?",
        "`node.read(positions)` returns the inputs and the positions after them; `function(state, inputs)` the next "
        "state and the outputs. The loop makes the compare-and-swap, not you.",
        '`inputs, positions = node.read(positions)`; `state, outputs = function(state, inputs)`; '
        '`return ["PREPARING", state, positions, outputs, 0]`.',
    ),
)  # fmt: skip
