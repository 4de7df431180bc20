"""Exercises whose answer is a function: it is tried on cases, the smallest that shows a mistake first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...errors import BadInput
from .reply import has_dots, right, unsolved, wrong
from .run_answer import answers


def sketched(drawn: Callable, example: Sequence) -> Callable:
    """Return the `sketch` of a task that draws the example, with what an answer says of it and not what is right."""

    def sketch(told):
        if told is None:
            return drawn(*example, None, told=False)
        [(fine, said)] = told
        return drawn(*example, said if fine or said is None else f"fails with {said}", told=False)

    return sketch


@dataclass(frozen=True)
class CasesTask:
    """One exercise that compares a learner's function with `oracle`, case by case; the rest as in `Task`.

    `signature` says in words what the function takes. A case is a tuple, and everything here is called with its
    entries: `arguments` gives what the learner's function is called with, `oracle` what is right,
    `objection(*case, said)` what is wrong with an answer, or None, `fails(*case, said)` what is said of an
    exception, `draw(*case, said)` the picture, where `said` is None for an exception. With `sees_all` these three
    get all answers, too, as (True, answer) or (False, exception). A right answer is met with `praise` and the picture
    of `example`. `sketch(told)` draws what the function answers to `shown`, without what is right; `told` is None
    while there is no function. `cases` may be a function that makes them, and `praise` may name their `{count}`.
    """

    title: str
    answer: str
    signature: str
    cases: Sequence | Callable
    oracle: Callable
    objection: Callable
    fails: Callable
    draw: Callable
    sketch: Callable
    praise: str
    example: tuple
    hints: tuple
    tier: str = "task"
    arguments: Callable = lambda *case: list(case)
    shown: Sequence = ()
    sees_all: bool = False

    def check(self, answer):
        """Try the function on all cases; the first that it gets wrong is drawn."""
        if has_dots(answer):
            return unsolved("your function")
        cases = self.cases() if callable(self.cases) else self.cases
        told = self._told(answer, cases)
        if all(fine and said is None for fine, said in told):
            return unsolved("the body of your function")
        more = (told,) if self.sees_all else ()
        for case, (fine, said) in zip(cases, told, strict=True):
            if sentence := (self.objection if fine else self.fails)(*case, said, *more):
                return wrong(sentence, picture=self.draw(*case, said if fine else None, *more))
        praise = self.praise.format(count=len(cases))
        return right(praise, picture=self.draw(*self.example, self.oracle(*self.example), *more))

    def show(self, answer):
        """Draw what the function does with the example, or that there is none yet."""
        return self.sketch(None if has_dots(answer) else self._told(answer, self.shown or [self.example]))

    def _told(self, answer, cases):
        if not callable(answer):
            raise BadInput(f"The answer is {answer!r}; it is {self.signature}.")
        return answers(answer, [self.arguments(*case) for case in cases])
