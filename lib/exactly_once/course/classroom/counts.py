"""The numbers of a class: the seats by chapter, and the count of each option of each question."""

import collections
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...solutions import exercise_names
from .. import predictions
from ..questions import Question
from .files import Answer, HandIn, Predicted

MOST_OPTIONS = 8  # of a row; what few chose is put together
OTHERS = "all others"


class Option(NamedTuple):
    """One option of a row: the number of its choices, and whether the option is the truth (None: not known)."""

    label: str
    chosen: int
    right: bool | None


class Row(NamedTuple):
    """One row of a question; `name` is "" where it has one row alone."""

    name: str
    options: list[Option]


class Chosen(NamedTuple):
    """A question with all first answers to it: how many answered, and how many answers came out."""

    question: Question
    rows: list[Row]
    answered: int
    came_out: int


class InChapter(NamedTuple):
    """A seat's work in a chapter."""

    predicted: int
    came_out: int
    gaps: int
    exercises: int


def totals() -> dict[str, tuple[int, int, int]]:
    """Return {chapter: (questions, gaps, exercises)} of the course."""
    asked, gaps = predictions.asked("predict"), predictions.asked("gap")
    tasks = collections.Counter(name[:2] for name in exercise_names())
    return {chapter: (len({*asked[chapter]}), len({*gaps[chapter]}), tasks[chapter]) for chapter in asked}


def parts(one: HandIn) -> dict[str, InChapter]:
    """Return {chapter: a seat's work there}."""
    found: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, entry in one.predictions.items():
        found[name[:2]][0] += 1
        found[name[:2]][1] += entry.right is True
    for name, done in one.work.items():
        found[name[:2]][2 if "-" in name else 3] += done.solved
    return {chapter: InChapter(*numbers) for chapter, numbers in sorted(found.items())}


def chosen(hand_ins: Iterable[HandIn], asked: Mapping[str, Question]) -> list[Chosen]:
    """Return each question that somebody answered, in the chapters' order; questions of no chapter come last."""
    answers: dict[str, list[Predicted]] = collections.defaultdict(list)
    for one in hand_ins:
        for name, entry in one.predictions.items():
            answers[name].append(entry)
    order = [*filter(answers.__contains__, asked), *sorted(answers.keys() - asked.keys())]
    return [_chosen(asked.get(name) or Question(name, name, {}), answers[name]) for name in order]


def _chosen(question: Question, entries: Sequence[Predicted]) -> Chosen:
    """Return the count of each choice. The truth is the majority of the files' truths and right first answers."""
    known = [truth for entry in entries if (truth := entry.truth or (entry.first if entry.right else None))]
    names = list(question.rows) or list(dict.fromkeys(row for entry in entries for row in entry.first))
    given = {row for entry in entries for row in entry.first}
    rows = []
    for name in [*names, *sorted(given - {*names})]:
        counts = collections.Counter(str(entry.first[name]) for entry in entries if name in entry.first)
        rows.append(Row(name, _options(counts, question.rows.get(name, ()), _most(known, name))))
    return Chosen(question, rows, len(entries), sum(entry.right is True for entry in entries))


def _most(known: Iterable[Answer], row: str) -> str | None:
    told = collections.Counter(str(truth[row]) for truth in known if row in truth)
    return told.most_common(1)[0][0] if told else None


def _options(counts: collections.Counter[str], choices: Sequence[str], truth: str | None) -> list[Option]:
    labels = [*choices, *sorted({*counts, *([] if truth is None else [truth])} - {*choices}, key=_by_number)]
    if len(labels) > MOST_OPTIONS:
        first = sorted(labels, key=lambda label: (label != truth, -counts[label]))[: MOST_OPTIONS - 1]
        labels = [label for label in labels if label in first]
    rest = sum(counts.values()) - sum(counts[label] for label in labels)
    found = [Option(label, counts[label], None if truth is None else label == truth) for label in labels]
    return [*found, Option(OTHERS, rest, None if truth is None else False)] if rest else found


def _by_number(label: str) -> tuple[int, str]:
    return (int(label), "") if label.isascii() and label.removeprefix("-").isdigit() else (10**13, label)
