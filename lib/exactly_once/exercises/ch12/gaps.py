"""The gaps of chapter 12: how the lines that a learner writes in it are judged."""

import json
import os
import sys
import tempfile
from pathlib import Path

from ...errors import CourseError, words_of
from ...explore.plain import Found
from ...paths import temporary
from ...spark.streaming.sinks import SCHEMA, THRESHOLD, once_by_batch_id
from ..kinds.by_cases import by_cases
from ..kinds.old_gap import gap, untouched
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called
from .saves import OfSave, Saves, drawn, in_order

# 12-next: which batch runs next, from the ids in the two logs.

LOGS = (  # the ids of the offsets, those of the commits, and the right answer
    ([], [], (0, "new")),
    ([0], [], (0, "again")),
    ([0], [0], (1, "new")),
    ([0, 1, 2], [0, 1], (2, "again")),
    ([0, 1, 2], [0, 1, 2], (3, "new")),
    ([2, 0, 1], [1, 0], (2, "again")),
    ([9, 10, 8], [10, 9, 8], (11, "new")),
    ([5, 6], [4, 5], (6, "again")),  # of old files, those of one log may be gone before those of the other
    ([5, 6], [6], (7, "new")),
    (list(range(103, 204)), list(range(103, 203)), (203, "again")),
)


@gap("12-next")
def check_next(answer):
    """Try the function on listings, old files removed in the last."""

    def objection(offsets, commits, wanted, said):
        if tuple(said) == wanted if isinstance(said, list) else said == wanted:
            return None
        why = "is logged and not committed" if wanted[1] == "again" else "has no offsets yet"
        return f" returns {said!r}; right is {wanted!r}, as batch {wanted[0]} {why}."

    def told(offsets, commits, wanted):
        if len(offsets) > 9:
            return "With the offsets 103 to 203 and the commits 103 to 202 your function"
        return f"With the offsets {offsets} and the commits {commits} your function"

    refused = by_cases(answer, LOGS, told, objection, arguments=lambda offsets, commits, _: [offsets, commits])
    return refused or right("The newest offsets decide: without their commit, that batch runs again.")


# 12-save: the rows of a batch and its id in one transaction.

QUERY = "SELECT hour, average FROM averages UNION ALL SELECT 'counter', windows FROM counter ORDER BY 1, 2"
NAMES = ("database",)
BATCHES = (((1, 20.5, 5),), ((2, 21.0, 3), (3, 20.0, 6)), (), ((2, 21.0, 3), (3, 20.0, 6)))  # two have equal rows


class Appended(Saves):
    """Batches whose rows are added, and windows above the threshold counted."""

    def __init__(self, save, count=None, **faults):
        super().__init__(save, (SCHEMA,), (QUERY,), summed, NAMES, BATCHES[:count], **faults)


def summed(batches):
    """Return what the database should hold."""
    rows = [row for batch in batches for row in batch]
    return [[*sorted(row[:2] for row in rows), ("counter", sum(row[2] > THRESHOLD for row in rows))]]


SAVE = OfSave(
    answer="save",
    model=Appended,
    methods=(),
    asks="your lines",
    worlds=({"count": 1, "deaths": 1}, {"deaths": 1}, {"deaths": 2}),
    first=in_order,
    calm={},
    draw=lambda found, title: drawn(found, title, NAMES),
    shown="Every batch is saved once",
    sketch=lambda: drawn(Found(), "", NAMES),
    praise="Each batch is in the database once, wherever its driver dies ({states} states): rows, counter and id are "
    "committed together.",
)


@gap("12-save", refuses=(once_by_batch_id,))
def check_save(answer):
    """Let drivers die before and after each commit, and batches be replayed."""
    return SAVE.check(answer)


# 12-commit: a list of files that becomes visible in one step.

FIRST, AGAIN, NEXT = ["0-a", "1-a"], ["0-b", None, "1-b"], [None, "0-c"]
ROWS = {"0-a": ["tea"], "1-a": ["milk"], "0-b": ["milk"], "1-b": ["tea"], "0-c": ["salt"], "0-orphan": ["tea"]}
WANTED = (["milk", "tea"], ["salt"])
NOTHING = "nothing is written"
_hooked: list[bool] = []  # an audit hook stays for as long as its process
CHANGES = {"os.rename": 1, "os.link": 1, "os.symlink": 1, "os.remove": 0, "os.truncate": 0, "shutil.copyfile": 1}


class Died(BaseException):
    """The driver died. No error of a program's, so that none of its handlers catches it."""


class Watch:
    """Counts the changes of files in a folder, and lets the driver die at the one with the number `last`, from 1 on.

    A file that is opened for writing then is left half written.
    """

    now = None

    def __init__(self, folder, last=None):
        self.folder, self.last, self.count = str(folder), last, 0

    def changed(self, event, path):
        """Count a change; die."""
        self.count += 1
        if self.last is not None and self.count >= self.last:
            if self.count == self.last and event == "open":
                Watch.now = None
                Path(path).write_text('["0-')
                Watch.now = self
            raise Died


def watched(event, arguments):
    """See an audit event of Python's, and report those that change a file in the folder that is watched."""
    if Watch.now is None or not (event == "open" or event in CHANGES):
        return
    if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        return
    path = arguments[CHANGES.get(event, 0)]
    if isinstance(path, (str, os.PathLike)) and str(path).startswith(Watch.now.folder):
        Watch.now.changed(event, path)


def tried(commit):
    """Return a sentence on what is wrong with a learner's function, or ""; NOTHING if it changes no file."""
    if not _hooked:
        sys.addaudithook(watched)
        _hooked.append(True)
    last = None  # at first nobody dies
    while True:
        with tempfile.TemporaryDirectory(dir=temporary("commit")) as place:
            try:
                over = _in_turn(commit, Path(place), last)
            except CourseError as why:
                return f"The driver dies at change {last} of a file; then {why}." if last else f"{why}."
        if last and over:
            return ""
        last = (last or 0) + 1


def _in_turn(commit, folder, last):
    """Commit batch 0, once more with other files, and batch 1. Return whether nobody has died."""
    for name, rows in ROWS.items():
        (folder / name).write_text(json.dumps(rows))
    over = _called(commit, FIRST, 0, folder, last)
    if last is None and not (folder / "batch-0.json").exists():
        raise CourseError(NOTHING if len(list(folder.iterdir())) == len(ROWS) else "there is no batch-0.json")
    kept = _rows(folder, 0, may_lack=not over) and (folder / "batch-0.json").read_text()
    _called(commit, AGAIN, 0, folder)
    _rows(folder, 0)
    if kept and json.loads((folder / "batch-0.json").read_text()) != json.loads(kept):
        raise CourseError("commit is called again with other files, and replaces what was visible")
    _called(commit, NEXT, 1, folder)
    _rows(folder, 0)
    _rows(folder, 1)
    return over


def _rows(folder, batch, may_lack=False):
    """Return the rows that a reader of a batch finds. Raises `CourseError` unless they are all there, once."""
    shown = folder / f"batch-{batch}.json"
    if not shown.exists():
        if may_lack:
            return None
        raise CourseError(f"commit of batch {batch} has returned, and there is no {shown.name}")
    text = shown.read_text()
    try:
        found = sorted(row for name in json.loads(text) for row in json.loads((folder / name).read_text()))
    except (ValueError, TypeError, OSError):
        raise CourseError(f"a reader finds {text!r} in {shown.name}, which is no list of files") from None
    if found != WANTED[batch]:
        raise CourseError(f"a reader of batch {batch} finds the rows {found}; it has {WANTED[batch]}")
    return found


def _called(commit, messages, batch, folder, last=None):
    """Call a learner's function; return whether it ended before the change at which its driver dies."""
    Watch.now = Watch(folder, last)
    try:
        commit(list(messages), batch, folder)
        return True
    except Died:
        return False
    except Exception as why:
        raise CourseError(f"commit({messages}, {batch}, folder) fails with {words_of(why)}") from why
    finally:
        Watch.now = None


@gap("12-commit")
def check_commit(answer):
    """Let a driver die at each change of a file, and call again, with other files; readers look after each call."""
    if untouched(answer):
        return unsolved("your lines")
    said = called(tried, answer)
    if said.startswith(NOTHING):
        return unsolved("your lines")
    return wrong(f"{said[:1].upper()}{said[1:]}") if said else right(
        "A reader sees the batch wholly or not at all, whatever dies, and what it has seen stays. Here one driver "
        "commits at a time; beside a second one, only a step that refuses an existing name is safe, such as os.link."
    )  # fmt: skip
