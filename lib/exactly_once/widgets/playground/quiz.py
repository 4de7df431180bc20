"""The quiz of the clock playground: generated runs, two questions on each, the first mistake explained."""

import random
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from ...clocks import random_history
from ...errors import BadInput, one_of, whole
from ..base.controls import listed
from .run import Drawing, compared, relations, stamp_of, why

LEVELS = {  # processes, events, share of messages, most messages without a receive, whether one must overtake
    1: (2, 6, 0.8, 0, False),
    2: (3, 8, 0.8, 0, False),
    3: (3, 11, 0.85, 1, True),
    4: (4, 14, 0.9, 1, True),
}
MOST_NUMBER = 9999


@dataclass(frozen=True)
class Score:
    """The number of questions, the number of right first tries, and the number of right first tries in a row."""

    asked: int = 0
    right: int = 0
    streak: int = 0

    def after(self, right: bool) -> "Score":
        """Return the score after one more first try."""
        return Score(self.asked + 1, self.right + right, (self.streak + 1) * right)


@dataclass(frozen=True)
class Quiz:
    """One question and its answers.

    `question` is stamps or concurrent; `target` the event of the question on concurrency; `answers` maps events to
    the typed texts, `picked` holds the clicked events; `marks` maps events to right or wrong after the check.
    """

    level: int = 1
    number: int = 1
    question: str = "stamps"
    drawing: Drawing | None = None
    target: str = ""
    answers: dict = field(default_factory=dict)
    picked: frozenset = frozenset()
    marks: dict = field(default_factory=dict)
    says: str = ""
    path: tuple = ()
    state: str = "asked"
    score: Score = Score()

    @property
    def over(self) -> bool:
        """True when the answer is known: it was right, or it was shown."""
        return self.state in ("right", "shown")


def put(level=1, number=1, question="stamps", score=None):
    """Return the question on the generated run of a level and a number; the same arguments give the same question.

    Raises `BadInput` for an unknown level or number.
    """
    one_of("the level", level, LEVELS)
    whole("the number of the run", number, 1, MOST_NUMBER)
    history = generated(level, number)
    # One event in each column: the columns of the stamps, as of a loaded run, would give the answer away.
    drawing = Drawing.of(history, range(1, len(history) + 1))
    names = [dot.name for dot in drawing.dots]
    apart = {name: [*relations(drawing, name).values()].count("concurrent") for name in names}
    candidates = [name for name in names if 2 <= apart[name] <= len(names) - 2] or [max(names, key=apart.get)]
    target = random.Random(f"{level}/{number}").choice(candidates)
    return Quiz(level, number, question, drawing, target, score=score or Score())


def generated(level, number):
    """Return the history of a level and a number: the first one of a series that is hard enough for a question."""
    processes, events, messages, lost, overtakes = LEVELS[level]
    for attempt in count():
        seed = f"{level}/{number}/{attempt}"
        history = random_history(processes, events, seed, messages, overtaking=overtakes)
        sends = sum(event.kind == "send" for event in history)
        if len(history.processes) < processes or sends - len(history.arrows) > lost:
            continue
        if history.concurrent_pairs() < 3 or len(history.arrows) < processes - 1 + (level > 2):
            continue
        if not overtakes or Drawing.of(history).overtaking():
            return history
    return None


def following(quiz: Quiz) -> Quiz:
    """Return the question after this one: on the same run first, then on the next."""
    if quiz.question == "stamps":
        return put(quiz.level, quiz.number, "concurrent", quiz.score)
    return put(quiz.level, quiz.number % MOST_NUMBER + 1, "stamps", quiz.score)


def picked(quiz: Any, name: Any) -> Any:
    """Return the quiz with an event clicked on, or clicked off again."""
    quiz.drawing.dot(name)
    if quiz.question != "concurrent" or quiz.over:
        return quiz
    if name == quiz.target:
        raise BadInput(f"The question is about {name} itself: choose the others that are concurrent with it.")
    return replace(quiz, picked=quiz.picked ^ {name}, marks={}, says="", path=())


def typed(quiz: Quiz, answers: Any) -> Quiz:
    """Return the quiz with the typed texts so far, unchecked: {event: text}."""
    answers = {str(name): str(text)[:20] for name, text in dict(answers or {}).items()}
    return quiz if quiz.over else replace(quiz, answers=answers)


def checked(quiz: Quiz, answers: Any = None) -> Quiz:
    """Return the quiz with its answers marked, the first mistake explained and the first try counted.

    `answers` maps events to the typed stamps, as text. If a stamp is missing or no whole number, the quiz names it,
    and the check counts as no try.
    """
    if quiz.over:
        return quiz
    stamps = quiz.question == "stamps"
    quiz = typed(quiz, answers) if stamps else quiz
    marks, says, path = _judge_stamps(quiz) if stamps else _judge_concurrent(quiz)
    if not marks:
        return replace(quiz, marks={}, says=says, path=())
    right = "wrong" not in marks.values()
    score = quiz.score.after(right) if quiz.state == "asked" else quiz.score
    state = "right" if right else "tried"
    return replace(quiz, marks=marks, says=says, path=path, state=state, score=score)


def shown(quiz: Any) -> Any:
    """Return the quiz with the answer shown; a question without a try counts as not known."""
    score = quiz.score.after(False) if quiz.state == "asked" else quiz.score
    names = [dot.name for dot in quiz.drawing.dots]
    stamps = {name: str(stamp_of(quiz.drawing, name)) for name in names}
    apart = frozenset(name for name, how in relations(quiz.drawing, quiz.target).items() if how == "concurrent")
    says = f"These are concurrent with {quiz.target}: from none of them does a path lead to it, nor back."
    if quiz.question == "stamps":
        says = "These are the stamps. Follow lines and arrows from left to right: each is one more than the largest "
        says += "before it."
    return replace(quiz, state="shown", score=score, answers=stamps, picked=apart, marks={}, says=says, path=())


def _judge_stamps(quiz):
    """Return (marks, words, no path). Without marks the words name the stamps that are missing or no number."""
    drawing, answers = quiz.drawing, quiz.answers
    in_order = [drawing.order[place].name for place in drawing.history.causal_order]
    empty = [name for name in in_order if not answers.get(name, "").strip()]
    if empty:
        has = "has" if len(empty) == 1 else "have"
        return {}, f"{listed(empty)} {has} no stamp yet; type a whole number into each circle.", ()
    odd = next((name for name in in_order if not _is_number(answers[name])), None)
    if odd:
        return {}, f"The stamp of {odd} is {answers[odd].strip()[:20]!r}; a Lamport stamp is a whole number.", ()
    given = {name: int(answers[name]) for name in in_order}
    marks = {name: "right" if given[name] == stamp_of(drawing, name) else "wrong" for name in in_order}
    wrong = [name for name in in_order if marks[name] == "wrong"]
    if not wrong:
        return marks, f"All {len(in_order)} stamps are right.", ()
    says = f"The first mistake is at {wrong[0]}, where you have {given[wrong[0]]}: {why(drawing, wrong[0])}"
    return marks, says + (f" {len(wrong) - 1} more to look at after it." if len(wrong) > 1 else ""), ()


def _judge_concurrent(quiz):
    """Return (marks, words, path of the first mistake)."""
    drawing = quiz.drawing
    how = relations(drawing, quiz.target)
    in_order = [name for place in drawing.history.causal_order if (name := drawing.order[place].name) != quiz.target]
    marks = {
        name: "right" if (name in quiz.picked) == (how[name] == "concurrent") else "wrong"
        for name in in_order
        if name in quiz.picked or how[name] == "concurrent"
    }
    wrong = next((name for name in in_order if marks.get(name) == "wrong"), None)
    if wrong is None:
        found = [name for name in in_order if name in marks]
        are = "is" if len(found) == 1 else "are"
        return marks, f"Right: {listed(found)} {are} concurrent with {quiz.target}.", ()
    relation, headline, explanation = compared(drawing, wrong, quiz.target)
    if relation == "concurrent":
        says, path = "is missing", ()
    else:
        says = "does not belong"
        path = tuple(drawing.path(*((wrong, quiz.target) if relation == "before" else (quiz.target, wrong))))
    # Of several missing events only the first is named, so that the learner thinks again.
    told = {name: mark for name, mark in marks.items() if name in quiz.picked or name == wrong}
    return told, f"{wrong} {says}: {headline} {explanation}", path


def _is_number(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < 7
