"""Gap 06-agree: output and positions change together, as an invariant."""

from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

MOMENTS = (  # (averages that can be seen, hours that the positions say are done, None before any was saved)
    ([], None),
    ([], 0),
    ([43.6], 1),
    ([43.6, 43.5], 2),
    ([43.5, 43.5, 43.2], 3),
    ([43.6], None),
    ([], 1),
    ([43.6, 43.5], 1),
    ([43.6], 2),
    ([43.6, 43.5, 43.5], 2),
)


class Moment:
    """What an invariant is asked about: the averages that can be seen, and the saved positions."""

    def __init__(self, outputs, hours):
        self.outputs, self.done = list(outputs), False
        self.positions = None if hours is None else {"seattle": hours, "san_francisco": hours}


def agree(view):
    """The averages that can be seen are as many as the hours that the positions say are done."""
    hours = view.positions["seattle"] if view.positions else 0
    return len(view.outputs) == hours


def check(answer):
    """Ask the invariant about moments at which output and positions agree, and about others."""
    found = answers(answer, [Moment(*moment) for moment in MOMENTS])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (outputs, hours), (went, said) in zip(MOMENTS, found, strict=True):
        positions = Moment(outputs, hours).positions
        when = f"view.outputs is {outputs}, view.positions is {positions}"
        if not went:
            return wrong(f"{when}: your invariant fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(f"{when}: your invariant returns {said!r}. It returns True, or False, or a text.")
        if (said is True) != (len(outputs) == (hours or 0)):
            seen = f"{len(outputs)} can be seen, and by the positions it should be {hours or 0}"
            return wrong(f"{when}: {seen}. Your invariant returns {said!r}.")
    return right("It tells moments at which output and positions agree from those at which they do not, ten in all.")


GAP = Gap(
    title="output and positions agree",
    judge=check,
    library=agree,
    hints=(
        "Each hour pushes one average. What do the positions say of the number of hours that are done, and what if "
        "there are none yet?",
        '`view.positions` is None at first, and then a dictionary with "seattle": the offset of its next reading, '
        "which is the number of hours that are done.",
        '`hours = view.positions["seattle"] if view.positions else 0`, and `return len(view.outputs) == hours`.',
    ),
)
