"""`save_my_work()` and `bring_back(file)`: from this copy of the course to another one, or to a later session."""

import json
from html import escape
from pathlib import Path

from ...errors import CourseError
from ...paths import FileName, content, file_named, replaced
from .. import copies, my_work, predictions
from ..classroom.hand_in import SEAT
from ..exercises import solved
from ..exercises.handout import RELOAD
from ..reset import Report
from .file import FILE, MOST_BYTES, packed, unpacked


class Saved:
    """The file that was written. A notebook shows a link that downloads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        size = self.path.stat().st_size / 1e6
        return f"Your work is in {self.path} ({size:.1f} MB). bring_back({str(self.path)!r}) puts it back."

    def _repr_html_(self) -> str:
        import os

        link = Path(os.path.relpath(self.path)).as_posix()  # from the notebook's folder, where its kernel works
        return f'<p>{escape(repr(self))} <a href="{escape(link)}" download="{FILE}">Download {FILE}</a></p>'


def save_my_work() -> Saved:
    """Write all of your work into one file, `my-work/my-work.zip`, and show a link that downloads it.

    The file holds predictions, answers, exercises, notebooks that you changed or ran, and your own files in
    `my-work/`, as they were last saved: save the open notebook first. Raises `CourseError` when the file cannot be
    written, `BadInput` when there is more than a file can hold.
    """
    try:
        data = packed()
    except OSError as why:
        raise CourseError(f"A file in {my_work.folder()} cannot be read ({why.strerror}). Make it readable.") from why
    return Saved(replaced(my_work.folder() / FILE, data))


def bring_back(file: FileName) -> Report:
    """Put back the work in a file that `save_my_work` wrote, and return a `Report` of what became of it.

    What you have changed here since then is kept beside it, with the date in its name. First predictions and solved
    exercises of both count. A chapter that is newer in this course stays as you had it. Bring back files of your own
    alone: your code in a file of somebody else would run in your notebooks. Raises `BadInput` for a file that is
    missing, damaged or something else, and then nothing is changed; `CourseError` when `my-work/` cannot be written.
    """
    path = file_named("The file of your work", file)
    try:
        data = content(path, MOST_BYTES)
    except OSError as why:
        raise CourseError(f"The file {path} cannot be read: {why.strerror}. Give the path of my-work….zip.") from why
    return put_back(data)


def put_back(data: bytes) -> Report:
    """Do as `bring_back` does with the contents of a file."""
    about, found = unpacked(data)
    for name in found:
        _refuse_a_link(name)
    copies.hand_out()
    merged = {predictions.FILE: _predictions, solved.FILE: _progress}
    kept, new = [], 0
    for name, there in found.items():
        here = my_work.folder(*Path(name).parent.parts) / Path(name).name
        if name in merged:
            with my_work.locked(name):
                replaced(here, _merged(merged[name], there, here))
            continue
        if here.is_file() and here.read_bytes() == there:
            continue
        if here.exists() and name != SEAT and copies.is_changed(name):
            kept.append(my_work.keep(here).name)
        replaced(here, there)
        new += 1
    noted = about.get("handed_out")
    copies.note_as_from(
        {name: sums for name, sums in noted.items() if name in found} if isinstance(noted, dict) else {}
    )
    report = Report([f"Your work of {_day(about)} is back: {_files(new)} put back; predictions and progress count."])
    if kept:
        report.append(f"What you had changed here before is kept in {my_work.FOLDER}/: {', '.join(kept)}.")
    report += copies.hand_out()
    return Report([*report, RELOAD])


def _refuse_a_link(name: str) -> None:
    """Raise `CourseError` if a file of this name would be written through a link to another place."""
    folder = my_work.folder().resolve()
    if not (folder / name).resolve().is_relative_to(folder):
        raise CourseError(
            f"{name} cannot be put back: on its way in {my_work.FOLDER}/ is a link to another place. Remove the link."
        )


def _day(about: dict) -> str:
    written = about.get("written")
    return written[:16].replace("T", ", ") if isinstance(written, str) else "an unknown day"


def _files(number: int) -> str:
    return "one file was" if number == 1 else f"{number} files were"


def _merged(rule, there: bytes, here: Path) -> str:
    """Return the JSON of the entries of both sides; where both have one, `rule` of the two, this side's second."""
    try:
        brought = json.loads(there)
    except (ValueError, RecursionError):
        brought = {}
    brought = brought if isinstance(brought, dict) else {}
    mine = my_work.read_json(here)
    whole = brought | mine | {name: rule(brought[name], mine[name]) for name in brought.keys() & mine.keys()}
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _predictions(brought: object, mine: object) -> object:
    """The first answer counts: return the entry that was answered first."""
    if not isinstance(brought, dict) or not isinstance(mine, dict) or brought.get("first") is None:
        return mine
    if mine.get("first") is None:
        return brought
    return min(brought, mine, key=lambda entry: str(entry.get("at") or entry.get("since") or ""))


def _progress(brought: object, mine: object) -> object:
    """What was solved stays solved, as it was solved first."""
    if not isinstance(brought, dict) or not isinstance(mine, dict):
        return mine
    done = [entry for entry in (brought, mine) if entry.get("solved")]
    return min(done, key=lambda entry: str(entry["solved"])) if done else mine
