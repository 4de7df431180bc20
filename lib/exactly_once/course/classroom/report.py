"""`python -m exactly_once class FOLDER`: the teacher's page and table of a class.

`class.html` needs no other file and no network: a table of seats by chapters, and the projector view with one
question on a screen. `class.csv` has the table for a spreadsheet. All texts of learners are data: the page puts them
in place as text, never as HTML.
"""

import contextlib
import csv
import io
import json
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ...errors import CourseError, one_of, printable
from ...paths import ROOT, written
from ...solutions import gap_names
from .. import my_work
from ..chapter import FOLDER
from ..parser import Parser
from ..questions import questions
from .counts import Chosen, chosen, parts, totals
from .files import HandIn, read_folder

PAGE, TABLE = "class.html", "class.csv"
SECONDS = 3.0  # between two looks into the folder
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"  # the page fetches nothing
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet would begin to compute
Totals = dict[str, tuple[int, int, int]]


def page(hand_ins: Sequence[HandIn], said: Sequence[str], folder: Path = ROOT / FOLDER) -> str:
    """Return the page of a class as an HTML document. `said` are the sentences on files that were skipped."""
    own = Path(__file__).parent
    style, script = ((own / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    data = json.dumps([_data(each) for each in chosen(hand_ins, questions(folder))], ensure_ascii=False)
    data = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>The class</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<style>{style}</style></head>\n'
        f'<body><main id="table">{_table(hand_ins, said)}</main>\n'
        '<section id="projector" hidden aria-live="polite"></section>\n'
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script></body></html>\n'
    )


def _data(one: Chosen) -> dict[str, object]:
    """Return a question as the page's script reads it."""
    return {
        "name": one.question.name,
        "text": one.question.text.replace("`", "").replace("**", ""),
        "answered": one.answered,
        "right": one.came_out,
        "rows": [[row.name, [list(option) for option in row.options]] for row in one.rows],
    }


def _table(hand_ins: Sequence[HandIn], said: Sequence[str]) -> str:
    whole, done = totals(), [parts(one) for one in hand_ins]
    seen = sorted({chapter for each in done for chapter in each})
    head = "".join(f'<th scope="col">{escape(each)}{_of(whole, each)}</th>' for each in seen)
    rows = ""
    for one, part in zip(hand_ins, done, strict=True):
        cells = "".join(f"<td>{_cell(part.get(chapter))}</td>" for chapter in seen)
        times = " to ".join(dict.fromkeys(each.replace("T", " ") for each in (one.times[:1] + one.times[-1:])))
        who = f"{escape(one.who)}<small>{escape(one.file)}</small><small>{escape(times)}</small>"
        rows += f'<tr><th scope="row">{who}</th>{cells}</tr>'
    notes = "".join(f"<li>{escape(printable(each))}</li>" for each in said)
    seats = f"{len(hand_ins):,} seat{'s' * (len(hand_ins) != 1)}"
    return (
        f'<header><h1>The class: {seats}</h1><button id="project">The predictions, for the projector (P)</button>'
        "</header>"
        "<p>In each chapter: questions predicted, and how many first answers came out ✓; gaps written; exercises "
        "solved. A number at the head is how many there are.</p>"
        + (f'<ul class="notes">{notes}</ul>' if notes else "")
        + f'<div class="wide"><table><thead><tr><th scope="col">seat</th>{head}</tr></thead><tbody>{rows}</tbody>'
        "</table></div>"
    )


def _of(whole: Totals, chapter: str) -> str:
    asked, gaps, exercises = whole.get(chapter, (0, 0, 0))
    return f"<small>{asked} asked</small><small>{gaps} gaps · {exercises} ex.</small>"


def _cell(part: tuple[int, int, int, int] | None) -> str:
    if part is None:
        return "–"
    predicted, came_out, gaps, exercises = part
    return f"<b>{predicted}</b> · {came_out} ✓<small>gaps {gaps} · ex. {exercises}</small>"


def table(hand_ins: Sequence[HandIn]) -> str:
    """Return the table for a spreadsheet, as CSV: a line for each seat, four columns for each chapter."""
    whole, done = totals(), [parts(one) for one in hand_ins]
    chapters = sorted({*whole, *(chapter for each in done for chapter in each)})
    head = ["seat", "name", "file", "written", "first answer", "last answer"]
    for chapter in chapters:
        asked, gaps, exercises = whole.get(chapter, (0, 0, 0))
        head += [
            f"{chapter} predicted of {asked}", f"{chapter} came out",
            f"{chapter} gaps of {gaps}", f"{chapter} exercises of {exercises}",
        ]  # fmt: skip
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for one, part in zip(hand_ins, done, strict=True):
        first, last = (one.times[0], one.times[-1]) if one.times else ("", "")
        texts = [one.seat, one.name, one.file, one.written, first, last]
        numbers = [number for chapter in chapters for number in part.get(chapter, (0, 0, 0, 0))]
        writer.writerow([*(f"'{text}" if text.startswith(FORMULA) else text for text in texts), *numbers])
    return out.getvalue()


def standing(hand_ins: Sequence[HandIn], gap: str) -> str:
    """Return who has passed a gap such as "04-one-step", and who has not, with the number of tries, as text."""
    rows = sorted((one.who, one.work.get(gap)) for one in hand_ins)
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
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="where the page and the table go (default: there)")
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
    out = asked.out or asked.folder
    written(out / PAGE, page(hand_ins, said))
    written(out / TABLE, "\ufeff" + table(hand_ins))  # the mark by which spreadsheets know UTF-8
    print(printable(f"{len(hand_ins)} seats: {out / PAGE} (open it in a browser) and {out / TABLE}."))
    return 0
