"""Gap 07-ahead: the counter may lag behind the output, and never runs ahead of it, as an invariant."""

from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

MOMENTS = (  # (averages in the output, counter)
    ([], 0),
    ([43.6], 0),
    ([43.6, 43.5], 1),
    ([43.6, 43.5], 0),
    ([43.6, 43.5, 43.1], 0),
    ([43.6, 43.5, 43.1], 2),
    ([], 1),
    ([43.6], 1),
    ([43.6, 43.5], 2),
    ([43.6, 43.5, 43.1], 3),
)


class Moment:
    """What an invariant is asked about: the averages that can be seen, and the counter."""

    def __init__(self, outputs, counter):
        self.outputs, self.counter = list(outputs), counter


def never_ahead(view):
    """The counter counts no hour whose average is not in the output; the first hour is not counted."""
    return view.counter <= max(0, len(view.outputs) - 1)


def check(answer):
    """Ask the invariant about moments at which the counter agrees, lags behind, or runs ahead."""
    found = answers(answer, [Moment(*moment) for moment in MOMENTS])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for moment, (went, said) in zip(MOMENTS, found, strict=True):
        outputs, counter = moment
        when, most = f"view.outputs is {outputs}, view.counter is {counter}", max(0, len(outputs) - 1)
        if not went:
            return wrong(f"{when}: your invariant fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(f"{when}: your invariant returns {said!r}. It returns True, or False, or a text.")
        if (said is True) != never_ahead(Moment(*moment)):
            may = f"of the {len(outputs)} hours {most} may be counted"
            return wrong(f"{when}: {may}, and {counter} are. Your invariant returns {said!r}.")
    return right("It lets the counter lag behind, and tells when it runs ahead, at ten moments.")


GAP = Gap(
    title="the counter is never ahead",
    judge=check,
    library=never_ahead,
    hints=(
        "Each hour pushes one average. How many of the hours in the output are above the threshold, if only the "
        "first one is not?",
        "All but one, and none while the output is empty. The counter may be smaller: it may lag behind.",
        "`return view.counter <= max(0, len(view.outputs) - 1)`.",
    ),
)
