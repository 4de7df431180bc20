"""Read the files of a class. Unknown people write these files, so the module trusts nothing in them.

A file that is damaged, foreign or too large is named and skipped. An entry that makes no sense is left out and
counted; the rest of its file stays.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ...errors import BadInput, in_one_line, is_whole, printable
from ...paths import content, file_named
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
