"""Exercises whose answer is a class: a model that calls its methods is explored, world by world, the smallest first.

The search is `exercises/model_checker.py`, and its loop the one that a learner writes in chapter 01.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd

from ...errors import BadInput
from ...show import Picture, table_html
from ..model_checker import Action, Found, Model, carried_out, explore
from .kind import Kind, called
from .reply import Reply, right, unsolved, wrong

World = Mapping[str, Any]
FIRST_SECONDS = 5.0  # for the smallest world: code that does not end mostly shows it there
SHARED = (
    "Your {objects} share something outside of themselves, such as a global variable or an attribute of the class. "
    "Another one knows nothing of that: keep in self all that each of them knows."
)
NOT_THE_SAME = (
    "The same arrivals do not always lead to the same deliveries: your {objects} share something outside of "
    "themselves, such as a global variable or an attribute of the class, or they go by chance or by the time of day. "
    "Keep in self all that each of them knows."
)


@dataclass(frozen=True, kw_only=True)
class Explored(Kind):
    """One exercise whose answer is a class with `methods`, or a function, with no methods.

    - `model(answer, **world)` is a `Model`; `worlds` are bounds for it, the smallest first. No more than `states` of
      one are looked at; `seconds` are for all together. `keep` is the advice for a class with states without end;
      without it, the longest schedules may be cut.
    - `first(model)` is the example that `show` draws, in the world `calm`, with the title `shown`. Where it is
      `judged`, nothing goes wrong in it, and a check begins with it. `sketch()` is drawn while there is no class.
    - `draw(found, title)` is the picture of a schedule, and `said(**world)` the words before the mistake.
    - `praise` may name the {states} and what was {cut}; with `praised`, the example is drawn below it.
    - `objects` names the instances of the class.
    """

    model: Callable[..., Model[Any]]
    methods: Sequence[str]
    worlds: Sequence[World]
    first: Callable[[Any], Sequence[Action]]
    calm: World
    draw: Callable[[Found, str], Picture]
    shown: str
    sketch: Callable[[], Picture]
    praise: str
    asks: str = "your class"
    states: int = 8_000
    seconds: float = 90.0
    objects: str = "brokers"
    keep: str = ""
    judged: bool = True
    said: Callable[..., str] = lambda **world: ""
    praised: bool = False

    def check(self, answer: Any) -> Reply:
        """Let nothing go wrong first; then explore every world, and carry out what breaks the class once more."""
        if not self.is_there(answer):
            return unsolved(self.asks)
        found, share = self._calm(answer)
        if share:
            return self._wrong(SHARED.format(objects=self.objects), found)
        if self.judged and found.sentence:
            return self._wrong(f"Even when nothing goes wrong: {found.sentence}", found)
        told = called(explored, answer, self.model, self.worlds[:1], self.states, seconds=FIRST_SECONDS)
        if not told[-1].sentence and told[-1].whole:
            told += called(explored, answer, self.model, self.worlds[1:], self.states, seconds=self.seconds)
        last = told[-1]
        if last.sentence:
            world = self.worlds[len(told) - 1]
            again = called(again_carried_out, answer, self.model, world, last.schedule, seconds=FIRST_SECONDS)
            if again.sentence != last.sentence:
                return wrong(NOT_THE_SAME.format(objects=self.objects))
            return self._wrong(f"{self.said(**world)}{again.sentence}", again)
        if self.keep and not all(found.whole for found in told):
            return wrong(f"After {self.states:,} states there are still new ones. {self.keep}")
        cuts = [found.depth for found in told if not found.whole]
        cut = f" Of the longest schedules only those of up to {min(cuts)} steps were tried." if cuts else ""
        praise = self.praise.format(states=f"{sum(found.states for found in told):,}", cut=cut)
        return right(praise, picture=self.draw(self._calm(answer)[0], self.shown) if self.praised else None)

    def show(self, answer: Any) -> Picture:
        """Draw the class with the example; without one, the task."""
        return self.draw(self._calm(answer)[0], self.shown) if self.is_there(answer) else self.sketch()

    def _calm(self, kind: Any) -> tuple[Found, bool]:
        told: tuple[Found, bool] = called(calm, kind, self.model, self.calm, self.first, self.judged)
        return told

    def _wrong(self, sentence: str, found: Found) -> Reply:
        picture = self.draw(found, "The shortest schedule against it")
        if "(" not in sentence.partition(" ")[0]:  # a call keeps its small letter
            sentence = sentence[:1].upper() + sentence[1:]
        return wrong(sentence, picture=picture, traceback=found.traceback)

    def is_there(self, answer: Any) -> bool:
        """Tell whether the class has a method; False for the dots. Raises `BadInput` for one of another form."""
        if not self.methods:
            return super().is_there(answer)
        if answer is ...:
            return False
        if not isinstance(answer, type):
            raise BadInput(f"The answer is {repr(answer)[:60]}; it is {self.described}.")
        if not any(callable(held) for held in vars(answer).values()):
            return False
        if missing := [name for name in self.methods if not callable(getattr(answer, name, None))]:
            raise BadInput(f"Your class has no method {missing[0]}; it needs {', '.join(self.methods)}.")
        return True


def schedule_drawn(
    title: str, lines: Sequence[str], left: pd.DataFrame | None, said: str, above: str = ""
) -> Picture:
    """Return the picture of a schedule, line by line, of what is left in the end, and a sentence on it.

    `above` is a fragment of HTML that stands above the lines.
    """
    listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
    table = "" if left is None else table_html(left)
    told = f"<p><b>{escape(said)}</b></p>" if said else ""
    text = [*lines, *([] if left is None else [left.to_string(index=False)]), *([said] if said else [])]
    return Picture(f'<p class="eo-h">{title}</p>{above}<ol>{listed}</ol>{table}{told}', text="\n".join(text))


def explored(kind: Any, model: Callable[..., Model[Any]], worlds: Sequence[World], states: int) -> list[Found]:
    """Return the results of the worlds up to the first that breaks the class."""
    told = []
    for world in worlds:
        told.append(explore(model(kind, **world), states))
        if told[-1].sentence:
            break
    return told


def again_carried_out(kind: Any, model: Callable[..., Model[Any]], world: World, schedule: Sequence[Action]) -> Found:
    """Carry out a schedule of a search in a process without the search's memory, and return the result."""
    return carried_out(model(kind, **world), schedule)


def calm(
    kind: Any, model: Callable[..., Model[Any]], world: World, first: Callable[[Any], Sequence[Action]], judged: bool
) -> tuple[Found, bool]:
    """Return the result of the example, and whether objects of the class have changed their shared values."""
    before, made = shared(kind), model(kind, **world)
    found = carried_out(made, first(made), judged)
    return found, shared(kind) != before


def shared(kind: type) -> str:
    """Return a text of the values that a class's objects share: values in the class, and globals of its methods."""
    held = [(name, value) for name, value in vars(kind).items() if not (callable(value) or name.startswith("__"))]
    for function in list(vars(kind).values()):
        names = getattr(function, "__globals__", {})
        held += [(name, names[name]) for name in function.__code__.co_names if name in names] if names else []
    return repr([(name, value) for name, value in held if isinstance(value, (int, str, list, dict, set, tuple))])
