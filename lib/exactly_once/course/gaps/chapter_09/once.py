"""Gap 09-once: what is right of a queue to which two nodes push, one of which may die, as an invariant."""

from types import SimpleNamespace

from ....lockfree import pushers
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..chapter_01.runs import untouched
from ..registry import Gap

MOMENTS = (  # (the cells, whether both have ended): a text is the cells in order
    ("", False), ("a", False), ("aa", False), ("aab", False), ("abab", True), ("aabb", True), ("aaab", False),
    ("aaabb", True), ("aababb", True), ("ababb", True), ("", True), ("ab", True), ("aab", True), ("abb", True),
    ("aaaab", False), ("abbbb", False), ("aaaabb", True), ("aabbbb", True), ("abba", True), ("aaba", False),
)  # fmt: skip
NODES, MOST = 2, 3


def once(view):
    """Each value is there at most three times: once for each node and once for a crash; at the end at least twice."""
    cells = pushers.cells_of(view.registers)
    return all((2 if view.done else 0) <= cells.count(value) <= 3 for value in ("a", "b"))


def is_right(cells, done):
    """Tell whether two nodes that push "a" and "b" each, one of them cut off at most once, can leave these cells."""
    return all(NODES * done <= cells.count(value) <= MOST for value in "ab")


def check(answer):
    """Ask the invariant about moments that are right, and about others."""
    if untouched(answer):
        return unsolved("your lines")
    views = [
        SimpleNamespace(registers={f"queue.{place}": value for place, value in enumerate(cells)}, done=done)
        for cells, done in MOMENTS
    ]
    for (cells, done), (went, said) in zip(MOMENTS, answers(answer, views), strict=True):
        told = f"The cells hold {', '.join(cells) or 'nothing'}, and {'both have ended' if done else 'they go on'}"
        if not went:
            return wrong(f"{told}: your invariant fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(f"{told}: your invariant returns {said!r}. It returns True, or False, or a text.")
        if (said is True) != is_right(cells, done):
            return wrong(f"{told}: {_why(cells, done)}. Your invariant returns {said!r}.")
    return right(f"It tells {len(MOMENTS)} moments apart, those that can be and those that must not.")


def _why(cells, done):
    for value in "ab":
        count = cells.count(value)
        if count > MOST:
            return f"{value!r} is there {count} times, and two nodes with one crash make at most {MOST}"
        if done and count < NODES:
            return f"{value!r} is there {count} times, though both nodes have a push of it that returned"
    return "this can be"


GAP = Gap(
    title="what is right of many pushes",
    judge=check,
    library=once,
    refuses=(pushers.each_push_once,),
    hints=(
        "How often is a value in the queue at least, once both nodes have come to their end? And how often at"
        " most, if one life is cut off and the next one pushes all again?",
        '`cells = cells_of(view.registers)` and `cells.count("a")`. The lower bound holds at the end only, '
        "when `view.done` is True; the upper one always.",
        '`least = 2 if view.done else 0`, and `return all(least <= cells.count(value) <= 3 for value in ("a",'
        ' "b"))`.',
    ),
)
