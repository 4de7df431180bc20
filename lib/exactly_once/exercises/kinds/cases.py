"""Exercises whose answer is a function: it is tried on cases, the smallest that shows a mistake first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .kind import Kind
from .reply import right, unsolved, wrong
from .run_answer import answers


def sketched(drawn: Callable, example: Sequence) -> Callable:
    """Return the `sketch` of a task: it draws the example with the learner's answer, without the right answer."""

    def sketch(told):
        if told is None:
            return drawn(*example, None, told=False)
        [(fine, said)] = told
        return drawn(*example, said if fine or said is None else f"fails with {said}", told=False)

    return sketch


@dataclass(frozen=True, kw_only=True)
class Cases(Kind):
    """One exercise that compares a learner's function with `oracle`, case by case.

    A case is a tuple; each function here takes its entries. `arguments(*case)` returns the arguments for the
    learner's function, `oracle(*case)` the right answer. `objection(*case, said)` returns a sentence on a mistake, or
    None, `fails(*case, said)` a sentence on an exception, `draw(*case, said)` the picture; for an exception `said`
    is None. With `sees_all` these three get all answers, too, as (True, answer) or (False, exception). The reply to
    a right answer is `praise` with the picture of `example`. `sketch(told)` draws the answers to `shown` without the
    right answers; `told` is None while there is no function. `cases` may be a function that returns the cases, and
    `praise` may name their `{count}`.
    """

    cases: Sequence | Callable
    oracle: Callable
    objection: Callable
    fails: Callable
    draw: Callable
    sketch: Callable
    praise: str
    example: tuple
    arguments: Callable = lambda *case: list(case)
    shown: Sequence = ()
    sees_all: bool = False

    def check(self, answer):
        """Try the function on all cases; the first that it gets wrong is drawn."""
        if not self.is_there(answer):
            return unsolved(self.asks)
        cases = self.cases() if callable(self.cases) else self.cases
        told = self._told(answer, cases)
        if all(fine and said is None for fine, said in told):
            return unsolved(f"the body of {self.asks}")
        more = (told,) if self.sees_all else ()
        for case, (fine, said) in zip(cases, told, strict=True):
            if sentence := (self.objection if fine else self.fails)(*case, said, *more):
                return wrong(sentence, picture=self.draw(*case, said if fine else None, *more))
        praise = self.praise.format(count=len(cases))
        return right(praise, picture=self.draw(*self.example, self.oracle(*self.example), *more))

    def show(self, answer):
        """Draw the function's answer to the example; without a function, the example alone."""
        return self.sketch(self._told(answer, self.shown or [self.example]) if self.is_there(answer) else None)

    def _told(self, answer, cases):
        return answers(answer, [self.arguments(*case) for case in cases])
