"""`exercises.hand_in()`: writes a learner's work to `my-work/hand-in.json`, after a list of its contents.

`python -m exactly_once hand-in` writes it from a terminal.
"""

import contextlib
import json
import secrets
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from ...errors import BadInput, CourseError, cut, printable
from ...paths import replaced
from .. import my_work, predictions
from ..parser import Parser

if TYPE_CHECKING:
    from ...widgets.base.buttons import AskingButton

FORM = "exactly-once hand-in 1"
FILE, SEAT = "hand-in.json", "seat.json"
LONGEST_NAME = 80  # characters


def hand_in(name: str = "") -> "AskingButton":
    """Return a button that lists the contents of the file, and writes the file after one more click.

    The file holds a name only if you give one: `exercises.hand_in("Ada")`. Raises `BadInput` for a name that is not a
    short text.
    """
    from ...widgets.base.buttons import AskingButton

    name = checked(name)
    told = "".join(f"<li>{escape(line)}</li>" for line in holds(content(name)))
    return AskingButton(
        "Write the file to hand in",
        "say what the file holds, and ask",
        f"The file <code>{my_work.FOLDER}/{FILE}</code> will hold:<ul>{told}</ul>Write it?",
        ("Yes, write it", "write the file"),
        ("No", "write nothing"),
        lambda: [f"Written: {write(content(name))}. Hand this file in; writing again replaces it."],
        "eo-hand-in",
    )


def checked(name: str) -> str:
    """Return a name without blanks around it. Raises `BadInput` for a long text, or another object."""
    if not isinstance(name, str):
        raise BadInput(f"The name is {cut(repr(name), 100)}; give a text, or nothing for a file without a name.")
    if len(name.strip()) > LONGEST_NAME:
        raise BadInput(f"The name has {len(name.strip())} characters; give at most {LONGEST_NAME}.")
    return printable(" ".join(name.split()))


def content(name: str = "") -> dict[str, object]:
    """Return the contents of the file, ready for JSON."""
    asked = {
        question: {key: entry[key] for key in ("first", "right", "truth", "at") if key in entry}
        for question, entry in predictions.entries().items()
        if entry.get("first") is not None
    }
    return {
        "form": FORM,
        "seat": _seat(),
        "name": checked(name),
        "written": my_work.now(),
        "course": __version__,
        "predictions": asked,
        "work": my_work.progress(),
    }


def holds(data: dict) -> list[str]:
    """Return the contents of a file in sentences for the learner."""
    asked, work = data["predictions"], data["work"]
    right = sum(entry.get("right") is True for entry in asked.values())
    done = {name for name, entry in work.items() if entry["solved"]}
    gaps = sum("-" in name for name in done)
    return [
        f"predictions: {len(asked)}, each with your first answer and what happened ({right} came out);",
        f"gaps solved: {gaps}, exercises solved: {len(done) - gaps}, and how many checks each took;",
        "the day and the minute of each answer and of each solution;",
        f"the seat {data['seat']}, a random text that tells two files of one learner from files of two;",
        f"the name {data['name']!r}." if data["name"] else "no name: hand_in() takes one if you type it.",
        "It holds neither your code nor your notebooks.",
    ]


def write(data: dict[str, object]) -> Path:
    """Write the file, and return its path. Raises `CourseError` when it cannot be written."""
    text = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)
    return replaced(my_work.folder() / FILE, text + "\n")


def share(folder: str) -> None:
    """Write the file into the folder of the class, too, under the seat's name.

    The teacher names it for the room as `EXACTLY_ONCE_CLASS`, and sees during the lab where the seats stand. A folder
    that cannot be written stops nobody.
    """
    with contextlib.suppress(OSError, CourseError):
        data = content()
        replaced(Path(folder) / f"{data['seat']}.json", json.dumps(data, ensure_ascii=False) + "\n")


def _seat() -> str:
    """Return the text that names this copy of the course in a class. The first call makes the text."""
    path = my_work.folder() / SEAT
    with my_work.locked(SEAT):
        found = my_work.read_json(path).get("seat")
        if not isinstance(found, str) or not 0 < len(found) <= 40:
            found = secrets.token_hex(4)
            replaced(path, json.dumps({"seat": found}) + "\n")
    return found


def main(argv: list[str] | None = None) -> int:
    """Say what the file holds, ask, and write it. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once hand-in", description="Write the file that you hand in.")
    parser.add_argument("--name", default="", help="the name to put into the file (default: none)")
    parser.add_argument("--yes", action="store_true", help="write it without a question")
    asked = parser.parse_args(argv)
    data = content(asked.name)
    print("\n".join([f"{my_work.FOLDER}/{FILE} will hold:", *(f"- {line}" for line in holds(data))]), flush=True)
    if not asked.yes:
        if not sys.stdin.isatty():
            raise CourseError("Nothing is written: there is nobody to ask. Add --yes.")
        if input("Write it? [y/N] ").strip().lower() not in ("y", "yes"):
            print("Nothing is written.")
            return 1
    print(f"Written: {write(data)}. Hand this file in.")
    return 0
