"""A learner's work as one file: `save_my_work()` writes it, `bring_back(file)` puts it back, here or elsewhere.

`my_work_buttons()` offers both in a notebook. Binder forgets everything when a session ends, so the first cell of a
chapter shows the buttons there. The file is a zip of `my-work/`, without the copies that are as they were handed out;
its first entry says what it is. Who reads such a file trusts nothing in it: neither names nor sizes.
"""

import io
import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from datetime import datetime
from html import escape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import BadInput, CourseError, cut, printable
from ..paths import FileName, content, file_named, replaced
from . import copies, my_work, predictions
from .classroom.hand_in import SEAT
from .my_work import RELOAD, Report

if TYPE_CHECKING:
    from ..widgets.carry.carry_widget import Carry

FORM = "exactly-once my-work 2"
FORMS = "exactly-once my-work 1", FORM  # the forms that can be brought back
FIRST = "exactly-once.json"  # the entry that says what the file is
FILE = "my-work.zip"  # where `save_my_work` puts it; never inside itself
MOST_BYTES, MOST_INSIDE, MOST_FILES = 50_000_000, 200_000_000, 2_000
LONGEST_NAME = 200  # characters of a name with its folders
PLAIN = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]{1,120}")  # a name that every system can write
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
BINDERS = ("BINDER_SERVICE_HOST", "BINDER_LAUNCH_HOST", "BINDER_REPO_URL")  # variables that Binder sets in a session
ON_BINDER = (
    "This session runs on Binder. It ends ten minutes after you stop working, even if its page stays open, and after "
    "six hours at the latest. Then everything in it is gone.",
    "Before you stop: save the notebook (Ctrl-S), then download your work as one file. In a new session, bring the "
    "file back here.",
)
HERE = ("Save open notebooks first (Ctrl-S): the file holds them as they were last saved.",)


class Saved:
    """The file that was written. A notebook shows a link that downloads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        size = self.path.stat().st_size / 1e6
        return f"Your work is in {self.path} ({size:.1f} MB). bring_back({str(self.path)!r}) puts it back."

    def _repr_html_(self) -> str:
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


def on_binder() -> bool:
    """Tell whether this is a session on Binder."""
    return any(os.environ.get(name) for name in BINDERS)


def my_work_buttons() -> "Carry":
    """Return two controls: one downloads all of your work as one file, one brings such a file back.

    They do what `save_my_work` and `bring_back` do.
    """
    from ..widgets.carry.carry_model import CarryModel
    from ..widgets.carry.carry_widget import Carry

    return Carry(CarryModel(_download, put_back, MOST_BYTES), ON_BINDER if on_binder() else HERE)


def _download() -> tuple[str, bytes, str]:
    data, number = packed(), len(own_files())
    name = f"my-work-{datetime.now():%Y-%m-%d-%H%M}.zip"
    told = f"holds {_files(number)} of yours ({len(data) / 1e6:.1f} MB). Look for it among your downloads."
    nothing = "has nothing in it yet: nothing is answered, changed or run here, or nothing is saved."
    return name, data, f"{name} {told if number else nothing}"


def own_files() -> list[str]:
    """Return the names of the learner's files in `my-work/`: of the copies only those that were changed or run."""
    folder = my_work.folder()
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    names = sorted(path.relative_to(folder).as_posix() for path in found)
    return [name for name in names if is_name(name) and not copies.is_as_handed_out(name)]


def is_name(name: str) -> bool:
    """Tell whether a file of `my-work/` may have this name: it leads nowhere else, and nothing in it is hidden."""
    parts = PurePosixPath(name).parts
    return (
        0 < len(name) <= LONGEST_NAME
        and name == "/".join(parts)
        and all(PLAIN.fullmatch(part) and not part.startswith(".") and part.strip() == part for part in parts)
        and name not in (FILE, FIRST, copies.NOTE)
        and not name.endswith(".new")
    )


def packed() -> bytes:
    """Return the file. Raises `CourseError` when `my-work/` cannot be read, `BadInput` when it holds too much."""
    found = {name: (my_work.folder() / name).read_bytes() for name in own_files()}
    size = sum(map(len, found.values()))
    if size > MOST_INSIDE or len(found) > MOST_FILES:
        raise BadInput(
            f"{my_work.FOLDER}/ has {len(found):,} files with {size:,} bytes; a file of your work holds "
            f"{MOST_FILES:,} and {MOST_INSIDE:,}. Move what is large somewhere else."
        )
    about = {
        "form": FORM,
        "course": __version__,
        "written": my_work.now(),
        "handed_out": my_work.read_json(my_work.folder() / copies.NOTE),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr(FIRST, json.dumps(about, indent=1, ensure_ascii=False))
        for name, data in found.items():
            whole.writestr(name, data)
    if len(file.getvalue()) > MOST_BYTES:
        raise BadInput(
            f"The file of your work would have {len(file.getvalue()):,} bytes; {MOST_BYTES:,} can be brought back. "
            "Empty the outputs of large notebooks (Edit → Clear Outputs of All Cells), save them, and try again."
        )
    return file.getvalue()


def _content(whole: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """Return the content of an entry; no more is unpacked than the entry says that it has."""
    with whole.open(one) as entry:
        found = entry.read(one.file_size + 1)  # `read` of the whole file would unpack a gigabyte before it cuts
    if len(found) != one.file_size:
        raise zipfile.BadZipFile
    return found


def unpacked(data: bytes) -> tuple[dict, dict[str, bytes]]:
    """Return (the file's own account, {name: content}). Raises `BadInput` for another file, or a damaged one."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"The file has {len(data):,} bytes; a file of your work has at most {MOST_BYTES:,}.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as whole:
            entries = whole.infolist()
            _refuse_entries(entries)
            found = {one.filename: _content(whole, one) for one in entries}
    except DAMAGED as why:
        raise BadInput(
            "The file is no zip, or was damaged or cut short. Choose the file that you downloaded, my-work….zip, as "
            "it is; download it again if the session still runs."
        ) from why
    about = _json(found.pop(FIRST, b""))
    if about.get("form") not in FORMS:
        raise BadInput(
            f"The file is a zip, but not of your work: its form is {cut(repr(about.get('form')), 60)}, not {FORM!r}. "
            "Choose the file that save_my_work() wrote, in this version of the course."
        )
    return about, found


def _refuse_entries(entries: list[zipfile.ZipInfo]) -> None:
    """Raise `BadInput` if a zip holds too much, or anything but files that may lie in `my-work/`."""
    if len(entries) > MOST_FILES + 1 or sum(one.file_size for one in entries) > MOST_INSIDE:
        raise BadInput(f"The file holds more than {MOST_FILES:,} files, or more than {MOST_INSIDE:,} bytes.")
    for one in entries:
        kind = stat.S_IFMT(one.external_attr >> 16)
        if (one.filename != FIRST and not is_name(one.filename)) or kind not in (0, stat.S_IFREG):
            raise BadInput(
                f"The file has an entry {cut(printable(one.filename.encode('utf-8', 'replace').decode()), 80)!r}, "
                f"which is no file of {my_work.FOLDER}/. Nothing was brought back."
            )


def _json(data: bytes) -> dict:
    """Return the dictionary that JSON holds; {} for anything else."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def put_back(data: bytes) -> Report:
    """Do as `bring_back` does with the contents of a file."""
    about, found = unpacked(data)
    folder = my_work.folder()
    for name in found:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise CourseError(
                f"{name} cannot be put back: on its way in {my_work.FOLDER}/ is a link to another place. Remove the "
                "link."
            )
    copies.hand_out()
    merged = {predictions.FILE: _predictions, my_work.PROGRESS: _progress}
    kept, new = [], 0
    for name, there in found.items():
        here = my_work.folder(*Path(name).parent.parts) / Path(name).name
        if name in merged:
            with my_work.locked(name):
                replaced(here, _merged(merged[name], _json(there), my_work.read_json(here)))
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
    written = about.get("written")
    day = written[:16].replace("T", ", ") if isinstance(written, str) else "an unknown day"
    report = Report([f"Your work of {day} is back, with {_files(new)} put back; predictions and progress count."])
    if kept:
        report.append(f"What you had changed here before is kept in {my_work.FOLDER}/: {', '.join(kept)}.")
    return Report([*report, *copies.hand_out(), RELOAD])


def _files(number: int) -> str:
    return "one file" if number == 1 else f"{number} files"


def _merged(rule: Callable[[Any, Any], object], brought: dict, mine: dict) -> str:
    """Return the JSON of the entries of both sides; where both have one, `rule` of the two, this side's second."""
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
