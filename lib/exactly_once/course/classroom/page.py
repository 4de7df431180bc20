"""`python -m exactly_once class FOLDER`: the teacher's page and table of a class.

`class.html` needs no other file and no network: a table of seats by chapters, and the projector view with one
question on a screen. `class.csv` has the table for a spreadsheet. All texts of learners are data: the page puts them
in place as text, never as HTML.
"""

import collections
import contextlib
import csv
import io
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from ...errors import BadInput, CourseError, in_one_line, is_whole, one_of, printable
from ...paths import content, file_named, replaced
from ...solutions import exercise_names, gap_names
from .. import my_work, predictions
from ..parser import Parser
from ..predictions import Question, questions
from .hand_in import FORM, LONGEST_NAME

MOST_BYTES, MOST_FILES = 8_000_000, 5_000
LONGEST, MOST_ROWS = 200, 60  # characters of an answer; rows of a question
QUESTION = re.compile(r"\d\d-[a-z0-9-]{1,60}")
WORK = re.compile(r"(\d\d)(?:[a-z]|(?:-[a-z0-9]+){1,8})")
TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?")
Answer = dict[str, str | int]


class Predicted(NamedTuple):
    """A first answer, {row: text or number}; whether the answer was right, and the truth, as far as known."""

    first: Answer
    right: bool | None
    truth: Answer | None
    at: str


class Worked(NamedTuple):
    """A gap or an exercise: how many checks, and whether it is solved."""

    tries: int
    solved: bool
    at: str


class HandIn(NamedTuple):
    """The file of one seat; `left_out` is the number of senseless entries."""

    file: str
    seat: str
    name: str
    written: str
    predictions: Mapping[str, Predicted]
    work: Mapping[str, Worked]
    left_out: int

    @property
    def who(self) -> str:
        """The name, or the seat of one who gave none."""
        return self.name or f"seat {self.seat}"

    @property
    def times(self) -> list[str]:
        """When something was answered or solved, in order."""
        noted = [*(each.at for each in self.predictions.values()), *(each.at for each in self.work.values())]
        return sorted(filter(None, noted))


def read_folder(folder: Path) -> tuple[list[HandIn], list[str]]:
    """Return (one `HandIn` a seat, sentences on skipped files) of all `.json` files in a folder and below it.

    Of two files of one seat the newer file counts; files with two names are two seats. Raises `BadInput` for a folder
    that does not exist.
    """
    folder = file_named("The folder", folder)
    try:
        paths = sorted(path for path in folder.rglob("*.json") if path.is_file())
        there = folder.is_dir()
    except (OSError, ValueError):
        there = False
    if not there:
        raise BadInput(f"There is no folder {str(folder)!r}; give the folder with the files that were handed in.")
    found: list[HandIn] = []
    said = []
    if len(paths) > MOST_FILES:
        said.append(f"There are {len(paths):,} files; only the first {MOST_FILES:,} are read.")
    for path in paths[:MOST_FILES]:
        name = printable(path.relative_to(folder).as_posix().encode("utf-8", "replace").decode())
        try:
            one = parsed(content(path, MOST_BYTES), name)
        except (BadInput, OSError) as why:
            said.append(f"{name} is skipped: {in_one_line(why) if isinstance(why, OSError) else why}")
            continue
        if one.left_out:
            said.append(f"{name}: {one.left_out:,} of its entries make no sense and are left out.")
        found.append(one)
    return _one_a_seat(found, said), said


def parsed(data: bytes, file: str) -> HandIn:
    """Return the contents of a file. Raises `BadInput` for a file of another kind."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("it is no JSON, so it is damaged or another kind of file.") from None
    if not isinstance(whole, dict) or whole.get("form") != FORM:
        raise BadInput(f"it is no file that hand_in() wrote: its form is not {FORM!r}.")
    seat, name = whole.get("seat"), whole.get("name", "")
    if not isinstance(seat, str) or not seat.strip() or not isinstance(name, str):
        raise BadInput("it names no seat, so it is damaged.")
    asked, worked = whole.get("predictions"), whole.get("work")
    if not isinstance(asked, dict) or not isinstance(worked, dict):
        raise BadInput("its predictions or its solved work are missing, so it is damaged.")
    predictions = {key: one for key, entry in asked.items() if (one := _predicted(key, entry))}
    work = {key: done for key, entry in worked.items() if (done := _worked(key, entry))}
    left_out = len(asked) + len(worked) - len(predictions) - len(work)
    return HandIn(
        file, _text(seat, 40), _text(name, LONGEST_NAME), _time(whole.get("written")), predictions, work, left_out
    )


def _predicted(name: str, entry: object) -> Predicted | None:
    if not QUESTION.fullmatch(name) or not isinstance(entry, dict) or not (first := _answer(entry.get("first"))):
        return None
    right = entry.get("right")
    known = right if isinstance(right, bool) else None
    return Predicted(first, known, _answer(entry.get("truth")), _time(entry.get("at")))


def _worked(name: str, entry: object) -> Worked | None:
    if not WORK.fullmatch(name) or not isinstance(entry, dict):
        return None
    tries, solved = entry.get("tries"), entry.get("solved")
    if not is_whole(tries) or not 0 <= tries < 10**6:
        return None
    return Worked(tries, bool(solved), _time(entry.get("at") or solved))


def _answer(value: object) -> Answer | None:
    """Return an answer, {row: text or number}, or None for another object."""
    if not isinstance(value, dict) or not 0 < len(value) <= MOST_ROWS:
        return None
    found: Answer = {}
    for row, one in value.items():
        if isinstance(one, str):
            found[_text(row, LONGEST)] = _text(one, LONGEST)
        elif is_whole(one) and abs(one) < 10**12:
            found[_text(row, LONGEST)] = one
        else:
            return None
    return found


def _text(value: str, most: int) -> str:
    clean = printable(" ".join(value.encode("utf-8", "replace").decode().split()))
    return clean if len(clean) <= most else f"{clean[: most - 2]} …"


def _time(value: object) -> str:
    return value if isinstance(value, str) and TIME.fullmatch(value) else ""


def _one_a_seat(found: list[HandIn], said: list[str]) -> list[HandIn]:
    kept: list[HandIn] = []
    for one in sorted(found, key=lambda each: each.written, reverse=True):
        same = [each for each in kept if each.seat == one.seat]
        later = next((each for each in same if not (each.name and one.name and each.name != one.name)), None)
        if later:
            said.append(f"{one.file} is older than {later.file}, of the same seat, and does not count.")
            continue
        if same:
            said.append(f"{one.file} has the seat of {same[0].file} and another name: they count as two.")
        kept.append(one)
    return sorted(kept, key=lambda each: (each.who.casefold(), each.file))


PAGE, TABLE = "class.html", "class.csv"
SECONDS = 3.0  # between two looks into the folder
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet would begin to compute
MOST_OPTIONS = 8  # of a row; what few chose is put together
OTHERS = "all others"


class InChapter(NamedTuple):
    """How much there is in a chapter, or how much of it a seat has done."""

    predicted: int = 0
    came_out: int = 0
    gaps: int = 0
    exercises: int = 0


class Option(NamedTuple):
    """One option of a row: the number of its choices, and whether the option is the truth (None: not known)."""

    label: str
    chosen: int
    right: bool | None


def totals() -> dict[str, InChapter]:
    """Return {chapter: the numbers of its questions, gaps and exercises}."""
    asked, gaps = predictions.asked("predict"), predictions.asked("gap")
    tasks = collections.Counter(name[:2] for name in exercise_names())
    return {chapter: InChapter(len({*asked[chapter]}), 0, len({*gaps[chapter]}), tasks[chapter]) for chapter in asked}


def parts(one: HandIn) -> dict[str, InChapter]:
    """Return {chapter: a seat's work there}."""
    found: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0])
    for name, entry in one.predictions.items():
        found[name[:2]][0] += 1
        found[name[:2]][1] += entry.right is True
    for name, done in one.work.items():
        found[name[:2]][2 if "-" in name else 3] += done.solved
    return {chapter: InChapter(*numbers) for chapter, numbers in sorted(found.items())}


def rows_of(question: Question, entries: Sequence[Predicted]) -> dict[str, list[Option]]:
    """Return {row: its options} with the count of each choice, in the question's order; "" is a question's only row.

    The truth is the majority of the files' truths and right first answers.
    """
    known = [truth for entry in entries if (truth := entry.truth or (entry.first if entry.right else None))]
    given = dict.fromkeys(row for entry in entries for row in entry.first)
    found = {}
    for name in dict.fromkeys([*question.rows, *sorted(given)]):
        counts = collections.Counter(str(entry.first[name]) for entry in entries if name in entry.first)
        found[name] = _options(counts, question.rows.get(name, ()), _most(known, name))
    return found


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


def page(hand_ins: Sequence[HandIn], said: Sequence[str]) -> str:
    """Return the page of a class as an HTML document. `said` are the sentences on files that were skipped."""
    answers: dict[str, list[Predicted]] = collections.defaultdict(list)
    for one in hand_ins:
        for name, entry in one.predictions.items():
            answers[name].append(entry)
    asked = questions()
    order = [*filter(answers.__contains__, asked), *sorted(answers.keys() - asked.keys())]
    shown = (
        _section(asked.get(name) or Question(name, name, {}), answers[name], f"{number:,} of {len(order):,}")
        for number, name in enumerate(order, 1)
    )
    text = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    text = text.replace("{questions}", "\n".join(shown))
    return text.replace("{table}", _table(hand_ins, said, [name[:2] for name in order]), 1)  # the page's own place


def _section(question: Question, entries: Sequence[Predicted], number: str) -> str:
    """Return one question as the projector shows it."""
    rows = rows_of(question, entries)
    alone = list(rows) == [""]
    drawn = ""
    for name, options in rows.items():
        chips = "".join(_chip(option, len(entries)) for option in options)
        chips = f'<div class="chips{" alone" * alone}">{chips}</div>'
        drawn += chips if alone else f'<div class="row"><b>{escape(name)}</b>{chips}</div>'
    came_out = sum(entry.right is True for entry in entries)
    truth = f"{came_out} of {len(entries)} answered {'' if alone else 'all rows '}right."
    if all(option.right is None for options in rows.values() for option in options):
        truth = "What happened is in nobody's file."
    words = question.text.replace("`", "").replace("**", "")
    return (
        f'<section tabindex="-1" aria-label="{escape(question.name)}">'
        f"<p>{escape(question.name)} · question {number}</p>"
        f"<h2>{escape(words)}</h2>{drawn}"
        f'<p>{len(entries)} answered. <span role="status"><span class="truth">{truth}</span></span></p></section>'
    )


def _chip(option: Option, answered: int) -> str:
    tick = '<span class="truth">✓ </span>' if option.right else ""
    return (
        f'<div class="chip{" right" * bool(option.right)}" style="--share:{100 * option.chosen // answered}%">'
        f"<span>{tick}{escape(option.label)}</span><b>{option.chosen}</b></div>"
    )


def _table(hand_ins: Sequence[HandIn], said: Sequence[str], chapters: Sequence[str]) -> str:
    """Return the table of the seats; `chapters` are those of the questions, in order."""
    whole, done = totals(), [parts(one) for one in hand_ins]
    seen = sorted({chapter for each in done for chapter in each})
    head = "".join(_head(chapter, whole.get(chapter, InChapter()), chapters) for chapter in seen)
    rows = ""
    for one, part in zip(hand_ins, done, strict=True):
        cells = "".join(f"<td>{_cell(part.get(chapter))}</td>" for chapter in seen)
        times = " to ".join(dict.fromkeys(each.replace("T", " ") for each in (one.times[:1] + one.times[-1:])))
        who = f"{escape(one.who)}<small>{escape(one.file)}</small><small>{escape(times)}</small>"
        rows += f'<tr><th scope="row">{who}</th>{cells}</tr>'
    notes = "".join(f"<li>{escape(printable(each))}</li>" for each in said)
    seats = f"{len(hand_ins):,} seat{'s' * (len(hand_ins) != 1)}"
    return (
        f'<h1>The class: {seats}</h1><p><button data-go="0">The predictions, for the projector (P)</button></p>'
        "<p>In each chapter: questions predicted, and how many first answers came out ✓; gaps written; exercises "
        "solved. A number at the head is how many there are.</p>"
        + (f'<ul class="notes">{notes}</ul>' if notes else "")
        + f'<table><thead><tr><th scope="col">seat</th>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _head(chapter: str, whole: InChapter, chapters: Sequence[str]) -> str:
    name = f'<button data-go="{chapters.index(chapter)}">{chapter}</button>' if chapter in chapters else chapter
    numbers = f"<small>{whole.predicted} asked</small><small>{whole.gaps} gaps · {whole.exercises} ex.</small>"
    return f'<th scope="col">{name}{numbers}</th>'


def _cell(part: InChapter | None) -> str:
    if part is None:
        return "–"
    return f"<b>{part.predicted}</b> · {part.came_out} ✓<small>gaps {part.gaps} · ex. {part.exercises}</small>"


def table(hand_ins: Sequence[HandIn]) -> str:
    """Return the table for a spreadsheet, as CSV: a line for each seat, four columns for each chapter."""
    whole, done = totals(), [parts(one) for one in hand_ins]
    chapters = sorted({*whole, *(chapter for each in done for chapter in each)})
    head = ["seat", "name", "file", "written", "first answer", "last answer"]
    for chapter in chapters:
        there = whole.get(chapter, InChapter())
        head += [
            f"{chapter} predicted of {there.predicted}", f"{chapter} came out",
            f"{chapter} gaps of {there.gaps}", f"{chapter} exercises of {there.exercises}",
        ]  # fmt: skip
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for one, part in zip(hand_ins, done, strict=True):
        first, last = (one.times[0], one.times[-1]) if one.times else ("", "")
        texts = [one.seat, one.name, one.file, one.written, first, last]
        numbers = [number for chapter in chapters for number in part.get(chapter, InChapter())]
        writer.writerow([*(f"'{text}" if text.startswith(FORMULA) else text for text in texts), *numbers])
    return out.getvalue()


def standing(hand_ins: Sequence[HandIn], gap: str) -> str:
    """Return who has passed a gap such as "04-one-step", and who has not, with the number of tries, as text."""
    rows = sorted(((one.who, one.work.get(gap)) for one in hand_ins), key=lambda row: row[0])
    waiting = [f"{who} ({done.tries if done else 0} tries)" for who, done in rows if not (done and done.solved)]
    passed = f"{len(rows) - len(waiting)} of {len(rows)} seats have passed {gap}."
    return f"{passed} Not yet: {', '.join(waiting)}." if waiting else passed


def watch(folder: Path, gap: str) -> None:
    """Print where the seats stand whenever that changes, until the teacher interrupts."""
    last = ""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            said = standing(read_folder(folder)[0], gap)
            if said != last:
                print(printable(f"{my_work.now()[-5:]}  {said}"), flush=True)
                last = said
            time.sleep(SECONDS)


def main(argv: list[str] | None = None) -> int:
    """Read a folder, say what was skipped, and write the page and the table. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once class", description="Make the teacher's page and table of a class.")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder with the files that were handed in")
    parser.add_argument("--watch", metavar="GAP", help="say, again and again, which seats have passed a gap")
    asked = parser.parse_args(argv)
    if asked.watch:
        watch(asked.folder, one_of("the gap", asked.watch, gap_names()))
        return 0
    hand_ins, said = read_folder(asked.folder)
    for sentence in said:
        print(printable(sentence))
    if not hand_ins:
        raise CourseError(f"No file in {str(asked.folder)!r} is a learner's hand-in.json, so there is no page.")
    shown = replaced(asked.folder / PAGE, page(hand_ins, said))
    listed = replaced(asked.folder / TABLE, "\ufeff" + table(hand_ins))  # the mark by which spreadsheets know UTF-8
    print(printable(f"{len(hand_ins)} seats: {shown} (open it in a browser) and {listed}."))
    return 0
