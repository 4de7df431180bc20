"""Gap 05-in-order: once each and in order, as a rule for the explorer."""

from ..registry import Gap
from ..sides import judged_by_moments

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
    moments = [
        (outputs, done, not broken, f"The promise is broken: {broken}." if broken else "The promise is kept so far.")
        for outputs, done, broken in MOMENTS
    ]
    praise = "It sees what is doubled, what is out of order and, at the end, what is lost."
    return judged_by_moments(answer, moments, praise)


GAP = Gap(
    title="once each and in order, as a rule",
    judge=check,
    library=in_order,
    hints=(
        "While the producer is at work, which logs can still become 1, 2, 3, 4 by appending alone?",
        "A beginning of [1, 2, 3, 4]: `[1, 2, 3, 4][: len(view.outputs)]` is the one of that length. In the end, "
        "`view.done`, it has to be all four.",
        "`wanted = [1, 2, 3, 4] if view.done else [1, 2, 3, 4][: len(view.outputs)]`, and `return view.outputs == "
        "wanted`.",
    ),
)
