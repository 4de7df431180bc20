"""Gap 03-nothing-lost: the promise at-least-once, as a rule for the explorer."""

from ....delivery.run import key_of
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap
from .sides import no_function

MOMENTS = (
    ([], False, True),
    ([1], False, True),
    ([1, 2, 3], False, True),
    ([1, 2, 3], True, True),
    ([1, 2, 2, 3], True, True),
    ([1, 1, 2, 2, 3], True, True),
    ([1, 3], True, False),
    ([1, 1, 3], True, False),
    ([1, 2], True, False),
    ([], True, False),
)


class View:
    """What a rule is asked about: what is in the log, and whether the producer has come to its end."""

    def __init__(self, outputs, done):
        self.outputs, self.done = list(outputs), done

    def look(self, store, part, kind):
        """Return the records of the partition as `View.look` does."""
        return [[offset, key_of(value), value, value] for offset, value in enumerate(self.outputs)]


def nothing_lost(view):
    """In the end each of the records 1, 2 and 3 is in the log."""
    return not view.done or set(view.outputs) >= {1, 2, 3}


def check(answer):
    """Ask the rule about moments at which the promise is kept, and at which it is broken."""
    refused = no_function(answer, "your rule")
    if refused:
        return refused
    found = answers(answer, [View(outputs, done) for outputs, done, _ in MOMENTS])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (outputs, done, kept), (went, said) in zip(MOMENTS, found, strict=True):
        when = f"The log holds {outputs}, and the producer {'has come to its end' if done else 'is still at work'}"
        if not went:
            return wrong(f"{when}: your rule fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(
                f"{when}: your rule returns {said!r}. It returns True, or False, or a text that says what is wrong."
            )
        if (said is True) != kept:
            return wrong(f"{when}. {_why(outputs, done, kept)} Your rule returns {said!r}.")
    return right("It asks at the end, it asks for each of the three records, and it does not mind repetitions.")


def _why(outputs, done, kept):
    if not kept:
        return "At-least-once is broken: a record is lost."
    if not done:
        return "At-least-once is kept: what is not there yet may still come."
    return "At-least-once is kept: " + ("repetitions are allowed." if len(outputs) > 3 else "each record is there.")


GAP = Gap(
    title="at-least-once as a rule",
    check=check,
    library=nothing_lost,
    hints=(
        "At which moment is a record lost, rather than not there yet?",
        "`view.done` tells whether the producer has come to its end. Before that, the rule returns True.",
        "`set(view.outputs)` is what is in the log, without its repetitions; `>=` between sets asks whether one "
        "contains the other. `return not view.done or …`",
    ),
)
