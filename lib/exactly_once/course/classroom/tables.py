"""`python -m exactly_once class FOLDER`: the two tables of a class, from the files that were handed in.

`class.csv` has a line for each seat and up to four columns for each chapter. `predictions.csv` has a line for each
answer to each question: how many learners gave it first, and whether it is what happened. What learners wrote is
data: what makes no sense is left out with a sentence, and no cell of a table begins a formula.
"""

import contextlib
import csv
import io
import json
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import BadInput, CourseError, in_one_line, is_whole, one_of, printable
from ...paths import content, file_named, replaced
from ...solutions import exercise_names, gap_names
from .. import my_work, predictions
from ..parser import Parser
from .hand_in import FORM

MOST_BYTES = 8_000_000
LONGEST = 200  # characters of a text
TABLE, ANSWERS = "class.csv", "predictions.csv"
SECONDS = 3.0  # between two looks into the folder
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet would begin to compute
Answer = dict[str, str]  # {row: text}; a question without rows has the row ""


class Predicted(NamedTuple):
    """A first answer, whether it was right, and the truth as far as known."""

    first: Answer
    right: bool
    truth: Answer


class HandIn(NamedTuple):
    """The file of one seat. `work` is {gap or exercise: (how many checks, whether it is solved)}."""

    file: str
    seat: str
    name: str
    written: str
    predictions: dict[str, Predicted]
    work: dict[str, tuple[int, bool]]

    @property
    def who(self) -> str:
        """The name, or the seat of one who gave none."""
        return self.name or f"seat {self.seat}"


def read_folder(folder: Path, asked: Collection[str]) -> tuple[list[HandIn], list[str]]:
    """Return (one `HandIn` a seat, sentences on what is left out) of all `.json` files in a folder and below it.

    `asked` are the names of the course's questions. Of two files with one seat and one name the newer file counts.
    Raises `BadInput` for a folder that does not exist.
    """
    folder = file_named("The folder", folder)
    if not os.path.isdir(folder):  # Path.is_dir fails for a name that is too long
        raise BadInput(f"There is no folder {str(folder)!r}; give the folder with the files that were handed in.")
    found, said = [], []
    for path in sorted(path for path in folder.rglob("*.json") if path.is_file()):
        name = _text(path.relative_to(folder).as_posix())
        try:
            one, left_out = parsed(content(path, MOST_BYTES), name, asked)
        except (BadInput, OSError) as why:
            said.append(f"{name} is skipped: {in_one_line(why) if isinstance(why, OSError) else why}")
            continue
        if left_out:
            said.append(f"{name}: {left_out:,} of its entries make no sense in this course and are left out.")
        found.append(one)
    newest: dict[tuple[str, str], HandIn] = {}
    for one in sorted(found, key=lambda each: each.written):
        if older := newest.get((one.seat, one.name)):
            said.append(f"{older.file} is older than {one.file}, of the same seat, and does not count.")
        newest[one.seat, one.name] = one
    return sorted(newest.values(), key=lambda each: (each.who.casefold(), each.file)), said


def parsed(data: bytes, file: str, asked: Collection[str]) -> tuple[HandIn, int]:
    """Return (contents of a file, number of its senseless entries). Raises `BadInput` for a file of another kind."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("it is no JSON, so it is damaged or another kind of file.") from None
    if not isinstance(whole, dict) or whole.get("form") != FORM:
        raise BadInput(f"it is no file that hand_in() wrote: its form is not {FORM!r}.")
    texts = (whole.get(key) for key in ("seat", "name", "written"))
    seat, name, day = (_text(text) if isinstance(text, str) else "" for text in texts)
    predicted, worked = whole.get("predictions"), whole.get("work")
    if not seat:
        raise BadInput("it names no seat, so it is damaged.")
    if not isinstance(predicted, dict) or not isinstance(worked, dict):
        raise BadInput("its predictions or its solved work are missing, so it is damaged.")
    answered = {key: one for key, entry in predicted.items() if key in asked and (one := _predicted(entry))}
    tasks = {*gap_names(), *exercise_names()}
    work = {
        key: (entry["tries"], bool(entry.get("solved")))
        for key, entry in worked.items()
        if key in tasks and isinstance(entry, dict) and is_whole(entry.get("tries"))
    }
    left_out = len(predicted) + len(worked) - len(answered) - len(work)
    return HandIn(file, seat, name, day, answered, work), left_out


def _predicted(entry: object) -> Predicted | None:
    if not isinstance(entry, dict) or not (first := _answer(entry.get("first"))):
        return None
    right = entry.get("right") is True
    return Predicted(first, right, _answer(entry.get("truth")) or (first if right else {}))


def _answer(value: object) -> Answer:
    """Return an answer's rows, or none for another object."""
    if not isinstance(value, dict) or not all(isinstance(each, str) or is_whole(each) for each in value.values()):
        return {}
    return {_text(row): _text(str(each)) for row, each in value.items()}


def _text(value: str) -> str:
    clean = printable(" ".join(value.encode("utf-8", "replace").decode().split()))
    return clean if len(clean) <= LONGEST else f"{clean[: LONGEST - 2]} …"


def table(hand_ins: Sequence[HandIn], asked: Collection[str]) -> list[list[str | int]]:
    """Return the lines of the table of seats. A number at a column's head is how many there are."""
    there = _by_chapter(asked, asked, [*gap_names(), *exercise_names()])
    heads = [f"{column} of {number}" for column, number in there.items()]
    lines: list[list[str | int]] = [["seat", "name", "file", "written", *heads]]
    for one in hand_ins:
        right = [name for name, entry in one.predictions.items() if entry.right]
        done = _by_chapter(one.predictions, right, [name for name, (_, solved) in one.work.items() if solved])
        lines.append([one.seat, one.name, one.file, one.written, *(done[column] for column in there)])
    return lines


def _by_chapter(predicted: Iterable[str], right: Iterable[str], tasks: Iterable[str]) -> Counter[str]:
    """Return how many names there are in each column of the table of seats; a name begins with its chapter."""
    kinds = [(name, "predicted") for name in predicted] + [(name, "predicted right") for name in right]
    kinds += [(name, "gaps" if "-" in name else "exercises") for name in tasks]
    return Counter(sorted(f"{name[:2]} {kind}" for name, kind in kinds))


def answers(hand_ins: Sequence[HandIn], asked: Iterable[str]) -> list[list[str | int]]:
    """Return the lines of the table of first answers to the questions whose names are in `asked`.

    The truth that most files have is marked as what happened.
    """
    lines: list[list[str | int]] = [["question", "row", "first answer", "how many", "what happened"]]
    for name in asked:
        entries = [one.predictions[name] for one in hand_ins if name in one.predictions]
        for row in dict.fromkeys(row for entry in entries for row in entry.first):
            counts = Counter(entry.first[row] for entry in entries if row in entry.first)
            truths = Counter(entry.truth[row] for entry in entries if row in entry.truth)
            happened = max(truths, key=truths.__getitem__, default=None)
            said = dict.fromkeys([*(answer for answer, _ in counts.most_common()), *truths])
            lines += [[name, row, each, counts[each], "✓" if each == happened else ""] for each in said]
    return lines


def written(path: Path, lines: Iterable[Sequence[str | int]]) -> Path:
    """Write a table as CSV for a spreadsheet, and return its path."""
    out = io.StringIO()
    csv.writer(out).writerows(
        [f"'{cell}" if str(cell).startswith(FORMULA) else cell for cell in line] for line in lines
    )
    return replaced(path, "\ufeff" + out.getvalue())  # the mark by which spreadsheets know UTF-8


def watch(folder: Path, gap: str) -> None:
    """Print which seats have not passed a gap such as "04-one-step", with their tries, whenever that changes.

    It ends when the teacher interrupts it.
    """
    last = ""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            rows = sorted((one.who, *one.work.get(gap, (0, False))) for one in read_folder(folder, ())[0])
            waiting = [f"{who} ({tries} tries)" for who, tries, solved in rows if not solved]
            said = f"{len(rows) - len(waiting)} of {len(rows)} seats have passed {gap}."
            said += f" Not yet: {', '.join(waiting)}." * bool(waiting)
            if said != last:
                print(printable(f"{my_work.now()[-5:]}  {said}"), flush=True)
                last = said
            time.sleep(SECONDS)


def main(argv: list[str] | None = None) -> int:
    """Read a folder, say what was left out, and write the tables. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once class", description="Make the two tables of a class.")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder with the files that were handed in")
    parser.add_argument("--watch", metavar="GAP", help="say, again and again, which seats have passed a gap")
    given = parser.parse_args(argv)
    if given.watch:
        watch(given.folder, one_of("the gap", given.watch, gap_names()))
        return 0
    asked = [name for names in predictions.asked("predict").values() for name in names]
    hand_ins, said = read_folder(given.folder, asked)
    for sentence in said:
        print(printable(sentence))
    if not hand_ins:
        raise CourseError(f"No file in {str(given.folder)!r} is a learner's hand-in.json, so there is no table.")
    seats = written(given.folder / TABLE, table(hand_ins, asked))
    counted = written(given.folder / ANSWERS, answers(hand_ins, asked))
    print(printable(f"{len(hand_ins)} seats: {seats} and {counted}."))
    return 0
