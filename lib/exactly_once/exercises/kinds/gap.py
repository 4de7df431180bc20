"""The gaps of the chapters: a few lines that the learner writes in a chapter, and the library's version of them."""

from collections.abc import Callable
from dataclasses import dataclass

from ...solutions import library_code, library_of
from .kind import Kind
from .reply import Reply, unsolved, wrong


@dataclass(frozen=True)
class Gap:
    """The gap that an item judges: a function or, where the library's version is one, a class.

    An answer that uses the library's version, or one of what the item refuses, does not count.
    """

    item: Kind

    @property
    def name(self) -> str:
        """The name, such as "04-promise"."""
        return self.item.name

    @property
    def refuses(self) -> tuple[Callable, ...]:
        """Functions of the library that do the same."""
        return self.item.refuses

    @property
    def library(self) -> Callable:
        """The library's version, for a learner without an answer. The solved cell passes this version on."""
        return library_of(self.name)

    @property
    def code(self) -> str:
        """The source text of the library's version."""
        return library_code(self.name)

    def check(self, answer: object) -> Reply:
        """Return the `Reply` to an answer; for an answer of the wrong type, the reply names the right type.

        May raise `CourseError` for an answer of another form.
        """
        kind = "class" if isinstance(self.library, type) else "function"
        if answer is ...:
            return unsolved(f"your {kind}")
        fits = isinstance(answer, type) if kind == "class" else callable(answer)
        if not fits and not isinstance(answer, self.item.takes):
            name = self.library.__name__
            return wrong(f"The answer is {answer!r:.60}; give the {kind} {name} itself, without brackets.")
        return self.item.check(answer)  # type: ignore[attr-defined]
