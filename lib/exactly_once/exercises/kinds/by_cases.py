"""Ask a learner's function about all cases in one call of the sandbox, and report the first wrong answer."""

from collections.abc import Callable, Container, Sequence
from typing import Any

from .reply import Reply, unsolved, wrong
from .run_answer import answers


def by_cases(
    answer: Callable,
    cases: Sequence[tuple],
    told: Callable[..., str],
    objection: Callable[..., str | Reply | None],
    *,
    arguments: Callable[..., Any] = lambda *case: list(case),
    fails: str = " fails with {}.",
    nothing: Container = (None, ...),
    asks: str = "your lines",
) -> Reply | None:
    """Return the reply to the first wrong answer of a function to `cases`; or None.

    Each of these functions takes the entries of a case. `arguments` returns the arguments of the learner's function,
    `told` the case in words: the call as text, or a moment. `objection(*case, said)` returns None for a right answer,
    a `Reply`, or the rest of the reply after the words for the case, with its first blank or colon; `fails` is such a
    rest, with {} for the exception. A function that returns one of `nothing` for each case is unsolved: `asks` is
    missing. Raises `CourseError` for an endless function.
    """
    found = answers(answer, [arguments(*case) for case in cases])
    if all(went and said in nothing for went, said in found):
        return unsolved(asks)
    for case, (went, said) in zip(cases, found, strict=True):
        wrongly = objection(*case, said) if went else fails.format(said)
        if isinstance(wrongly, Reply):
            return wrongly
        if wrongly:
            return wrong(f"{told(*case)}{wrongly}")
    return None
