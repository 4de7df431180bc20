"""The answers that the checks are tried on: right ones of several kinds, and wrong ones, named after their mistakes.

A file of answers belongs to one exercise or gap and has its name, such as `exercises/answers/04d.py`:

    answers = Answers("04d")

    # A comment describes the answer, or the learner's belief.
    answers.right("saves once").code('''
        def answer(node):
            ...
    ''')

    answers.wrong("one hour too many", ("> newest", ">= newest"), of="saves once", reason="a reading of hour 2")

    answers.plausible("pushes first", of="saves once", reason="is in the output more than once").diff('''
    +        node.output.push(window.average())
             node.state.save(window)
    -        node.output.push(window.average())
    ''')

An answer is written in full as `code`, or it is a mutant `of` another one: of an answer of the same file that is
written in full or, by default, of the solution. A mutant has pairs (old, new), or a diff: lines with "-" go, lines
with "+" come, other lines stay, and "@@" stands between places that are apart. What is replaced must occur in the
base exactly once.
"""

import functools
import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from textwrap import dedent, indent

import pytest

from exactly_once.exercises import TASKS
from exactly_once.paths import ROOT, temporary
from exactly_once.solutions import FOLDER, cells_of, gap_names, source_of

EXERCISES = Path(__file__).parent / "exercises" / "answers"
GAPS = Path(__file__).parent / "kit" / "answers"
SOLUTION = "the solution"
IN_CI = {"wrong": 2, "right": 1}  # answers to each exercise and gap, beside the solved cell; by day one wrong one


class StaleMutant(AssertionError):
    """A mutant does not fit its base, which was changed without it."""


@dataclass(frozen=True)
class Answer:
    """An answer to the exercise or gap `task`, and the required `state` of the reply, with `reason` in its text.

    A `plausible` answer is wrong, and right for one item of the task.
    """

    task: str
    state: str
    name: str
    source: Callable[[], str] = field(repr=False)
    reason: str
    plausible: bool

    @property
    def id(self):
        """The answer's name in the names of tests, such as "04d-wrong-one_hour_too_many"."""
        return f"{self.task}-{self.state}-{self.name.replace(' ', '_')}"

    @property
    def text(self):
        """The whole text. Raises `StaleMutant` for a mutant that does not fit its base."""
        return self.source()

    @property
    def value(self):
        """The object that the text defines as `answer`, pickled by value as in a notebook.

        The text is written to a temporary file, from which tracebacks take its lines, in child processes too.
        """
        path, text = temporary("answers") / f"{self.id}.py", self.text
        path.write_text(text)
        names = {"__name__": "__main__"}
        exec(compile(text, str(path), "exec"), names)
        return names["answer"]


class Answers:
    """The answers to the exercise or gap `task`, in the order of their file; the most plausible wrong ones first.

    `given` are the imports and helpers that stand above every answer of the file.
    """

    def __init__(self, task, given=""):
        self.task, self.given = task, dedent(given).strip("\n")
        self.entries = {}

    def right(self, name, *pairs, of=SOLUTION):
        """Add a right answer, and return its `Entry`; without `pairs`, its code or diff comes by that."""
        return self._add(Entry("right", name, of, pairs))

    def wrong(self, name, *pairs, of=SOLUTION, reason, plausible=False):
        """Add a wrong answer, whose reply must contain the `reason`; the rest is as in `right`."""
        return self._add(Entry("wrong", name, of, pairs, reason, plausible))

    def plausible(self, name, *pairs, of=SOLUTION, reason):
        """Add a wrong answer that is right for one item of the task."""
        return self.wrong(name, *pairs, of=of, reason=reason, plausible=True)

    def _add(self, entry):
        if entry.name in self.entries:
            raise ValueError(f"{self.task} has two answers {entry.name!r}; a name belongs to one answer.")
        self.entries[entry.name] = entry
        return entry

    def all(self):
        """Return all answers as `Answer`. Each makes its text when it is asked for: a stale mutant fails alone."""
        return [
            Answer(
                task=self.task,
                state=entry.state,
                name=entry.name,
                source=partial(self._text, entry),
                reason=entry.reason,
                plausible=entry.plausible,
            )
            for entry in self.entries.values()
        ]

    def _text(self, entry):
        """Return the whole text of an answer, with the given lines."""
        text = entry.text or self._mutated(entry)
        return f"{self.given}\n\n\n{text}" if self.given else text

    def _mutated(self, entry):
        where = f"{self.task}, {entry.name!r}"
        if not entry.pairs:
            raise ValueError(f"{where} has no code, no diff and no pairs (old, new); give one of them.")
        base = solved(self.task) if entry.of == SOLUTION else getattr(self.entries.get(entry.of), "text", "")
        if not base:
            full = [each.name for each in self.entries.values() if each.text]
            raise StaleMutant(f"{where}: no answer {entry.of!r} is written in full; these are: {', '.join(full)}.")
        text = base
        for old, new in entry.pairs:
            if base.count(old) != 1 or text.count(old) != 1:
                raise StaleMutant(
                    f"{where}: what it replaces stands {base.count(old)} times in {entry.of!r}; it must stand there "
                    f"once. Adapt the mutant to its base.\n{indent(old, '  | ')}\nThe base:\n{indent(base, '  | ')}"
                )
            text = text.replace(old, new)
        return text


@dataclass
class Entry:
    """An answer as its file declares it: `text` in full, or `pairs` (old, new) to replace in the answer `of`."""

    state: str
    name: str
    of: str
    pairs: tuple
    reason: str = ""
    plausible: bool = False
    text: str = ""

    def code(self, text):
        """Give the answer in full."""
        self.text = dedent(text).strip("\n") + "\n"

    def diff(self, text):
        """Give the answer as a diff to the answer `of`."""
        hunks = re.split(r"^@@\n", dedent(text).strip("\n") + "\n", flags=re.MULTILINE)
        self.pairs = tuple((_side(hunk, "-"), _side(hunk, "+")) for hunk in hunks)


def _side(hunk, mark):
    """Return the lines before ("-") or after ("+") a change."""
    return "".join(line[1:] or "\n" for line in hunk.splitlines(keepends=True) if line[0] in f" {mark}\n")


@functools.cache
def solved(task):
    """Return the solved cell of an exercise or gap in the form of an answer: its function is called `answer`.

    Of the solution's cell the markers, docstrings and what asks for the check are left out.
    """
    if task in TASKS:
        cell, name = solved_cells(task[:2])[f"{task}-answer"], TASKS[task].answer
    else:
        cell = solved_cells(task[:2])[f"gap-{task}"]
        name = re.search(rf'gap\("{task}", (\w+)\)', cell)[1]
    kept = re.sub(r'^ +"""[^"]*"""\n', "", cell + "\n", flags=re.MULTILINE)
    kept = re.sub(r"^.*### (?:BEGIN|END) SOLUTION\n", "", kept, flags=re.MULTILINE)
    asks = r"^(?:\w+ = )?(?:task_\w+|gap\(|exercises\.open).*\n|^from exactly_once\.course.*\n"
    kept = re.sub(asks, "", kept, flags=re.MULTILINE)
    kept = re.sub(r"^\w+\n", "", kept, flags=re.MULTILINE)
    if re.search(rf"^def {name}\(", kept, re.MULTILINE):
        kept = re.sub(rf"(?<![.\w\"]){name}\b(?! ?=)", "answer", kept)
    else:
        kept = f"{kept.rstrip()}\n\n\nanswer = {name}\n"
    return kept.strip("\n") + "\n"


@functools.cache
def solved_cells(chapter):
    """Return the sources of the code cells of a chapter's solutions and of its solved gaps, by cell id."""
    [path] = (ROOT / FOLDER).glob(f"{chapter}-*.py")
    exercises = {cell.id: cell.source for cell in cells_of(path) if cell.kind == "code"}
    return exercises | {f"gap-{name}": source_of(name) for name in gap_names() if name[:2] == chapter}


@functools.cache
def answers_to(task):
    """Return the list of `Answer` for an exercise, such as "04d", or a gap, such as "04-promise"."""
    path = (EXERCISES if task in TASKS else GAPS) / f"{task}.py"
    answers = runpy.run_path(str(path))["answers"]
    if answers.task != task:
        raise ValueError(f"{path.name} has the answers to {answers.task}; a file is named after its exercise or gap.")
    return answers.all()


def wrong_answers_to(task):
    """Return the wrong ones of `answers_to`."""
    return [answer for answer in answers_to(task) if answer.state == "wrong"]


def answer_to(task, name):
    """Return the `Answer` with this name. Raises `LookupError` for an unknown name."""
    for answer in answers_to(task):
        if answer.name == name:
            return answer
    raise LookupError(f"{task} has no answer {name!r}; it has {', '.join(each.name for each in answers_to(task))}.")


def all_answers(folder):
    """Return the answers of all files in a folder, `EXERCISES` or `GAPS`, in the order of the files' names.

    By day a test runs on the first wrong one of each file, in CI on two and on the first right one.
    """
    return [chosen for path in sorted(folder.glob("*.py")) for chosen in marked(answers_to(path.stem))]


def marked(answers):
    """Return the answers to one exercise or gap as cases of a test, marked for CI and for the night."""
    first = {state: [each for each in answers if each.state == state][:number] for state, number in IN_CI.items()}
    marks = {answer.name: pytest.mark.not_by_day for answer in first["wrong"] + first["right"]}
    marks |= {answer.name: () for answer in first["wrong"][:1]}
    return [pytest.param(answer, marks=marks.get(answer.name, pytest.mark.slow)) for answer in answers]
