"""Gap 05-in-order: once each and in order, as a rule for the explorer."""

from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..chapter_03.nothing_lost import View
from ..chapter_03.sides import no_function
from ..registry import Gap

MOMENTS = (
    ([], False, ""),
    ([1], False, ""),
    ([1, 2], False, ""),
    ([1, 2, 3, 4], False, ""),
    ([1, 2, 3, 4], True, ""),
    ([1, 2, 3, 4, 1], False, "record 1 is there twice"),
    ([1, 1], False, "record 1 is there twice"),
    ([1, 3], False, "record 3 is there and record 2 is not: if record 2 comes, it comes behind it"),
    ([2], False, "record 2 is there and record 1 is not: if record 1 comes, it comes behind it"),
    ([2, 3, 4, 1], True, "record 1 stands behind record 4"),
    ([1, 2, 3], True, "record 4 is lost"),
    ([], True, "all four are lost"),
)


def in_order(view):
    """At every moment the log is a beginning of 1, 2, 3, 4, and in the end all of it."""
    wanted = [1, 2, 3, 4] if view.done else [1, 2, 3, 4][: len(view.outputs)]
    return list(view.outputs) == wanted


def check(answer):
    """Ask the rule about moments that keep the promise, and about moments that break it."""
    refused = no_function(answer, "your rule")
    if refused:
        return refused
    found = answers(answer, [View(outputs, done) for outputs, done, _ in MOMENTS])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (outputs, done, broken), (went, said) in zip(MOMENTS, found, strict=True):
        when = f"The log holds {outputs}, and the producer {'has come to its end' if done else 'is still at work'}"
        if not went:
            return wrong(f"{when}: your rule fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(
                f"{when}: your rule returns {said!r}. It returns True, or False, or a text that says what is wrong."
            )
        if (said is True) != (not broken):
            why = f"The promise is broken: {broken}." if broken else "The promise is kept so far."
            return wrong(f"{when}. {why} Your rule returns {said!r}.")
    return right("It sees what is doubled, what is out of order and, at the end, what is lost.")


GAP = Gap(
    title="once each and in order, as a rule",
    check=check,
    library=in_order,
    hints=(
        "While the producer is at work, which logs can still become 1, 2, 3, 4 by appending alone?",
        "A beginning of [1, 2, 3, 4]: `[1, 2, 3, 4][: len(view.outputs)]` is the one of that length. In the end, "
        "`view.done`, it has to be all four.",
        "`wanted = [1, 2, 3, 4] if view.done else [1, 2, 3, 4][: len(view.outputs)]`, and `return view.outputs == "
        "wanted`.",
    ),
)
