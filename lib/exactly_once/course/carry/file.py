"""The file that holds a learner's work: what goes into it, and how a file of unknown origin is read.

It is a zip of `my-work/`, without the copies that are as they were handed out. Its first entry says what it is, and
the checksum of each of the others. Who reads such a file trusts nothing in it: neither names nor sizes.
"""

import hashlib
import io
import json
import re
import stat
import zipfile
import zlib
from pathlib import PurePosixPath

from ... import __version__
from ...errors import BadInput, cut, printable
from .. import copies, my_work

FORM = "exactly-once my-work 1"
FIRST = "exactly-once.json"  # the entry that says what the others are
FILE = "my-work.zip"  # where `save_my_work` puts it; never inside itself
MOST_BYTES, MOST_INSIDE, MOST_FILES = 50_000_000, 200_000_000, 2_000
LONGEST_NAME = 200  # characters of a name with its folders
PLAIN = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]{1,120}")  # a name that every system can write
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


def packed() -> bytes:
    """Return the file. Raises `CourseError` when `my-work/` cannot be read, `BadInput` when it holds too much."""
    found = {name: (my_work.folder() / name).read_bytes() for name in own_files()}
    if sum(map(len, found.values())) > MOST_INSIDE or len(found) > MOST_FILES:
        raise BadInput(
            f"{my_work.FOLDER}/ has {len(found):,} files with {sum(map(len, found.values())):,} bytes; a file of "
            f"your work holds {MOST_FILES:,} and {MOST_INSIDE:,}. Move what is large somewhere else."
        )
    written = {
        "form": FORM,
        "course": __version__,
        "written": my_work.now(),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in found.items()},
        "handed_out": my_work.read_json(my_work.folder() / copies.NOTE),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr(FIRST, json.dumps(written, indent=1, ensure_ascii=False))
        for name, content in found.items():
            whole.writestr(name, content)
    if len(file.getvalue()) > MOST_BYTES:
        raise BadInput(
            f"The file of your work would have {len(file.getvalue()):,} bytes; {MOST_BYTES:,} can be brought back. "
            "Empty the outputs of large notebooks (Edit → Clear Outputs of All Cells), save them, and try again."
        )
    return file.getvalue()


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


def unpacked(data: bytes) -> tuple[dict, dict[str, bytes]]:
    """Return (the file's own account, {name: content}). Raises `BadInput` for another file, or a damaged one."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"The file has {len(data):,} bytes; a file of your work has at most {MOST_BYTES:,}.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as whole:
            listed = whole.infolist()
            about = _about(whole, listed)
            return about, _contents(whole, listed[1:], about["files"])
    except DAMAGED as why:
        raise BadInput(
            "The file is no zip, or was cut short. Choose the file that you downloaded, my-work….zip, as it is."
        ) from why


def _about(whole: zipfile.ZipFile, listed: list[zipfile.ZipInfo]) -> dict:
    """Return the contents of the first entry."""
    try:
        about = json.loads(_content(whole, listed[0])) if listed and listed[0].filename == FIRST else None
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or not isinstance(about.get("files"), dict) or "form" not in about:
        raise BadInput("The file is a zip, but not of your work: choose the one that save_my_work() wrote.")
    if about["form"] != FORM:
        raise BadInput(
            f"The file is of the form {cut(repr(about['form']), 60)}, and this course reads {FORM!r}. "
            "Bring it back with the version of the course that wrote it."
        )
    return about


def _contents(whole: zipfile.ZipFile, listed: list[zipfile.ZipInfo], said: dict) -> dict[str, bytes]:
    names = [one.filename for one in listed]
    if len(names) > MOST_FILES or sum(one.file_size for one in listed) > MOST_INSIDE:
        raise BadInput(f"The file holds more than {MOST_FILES:,} files, or more than {MOST_INSIDE:,} bytes.")
    for one in listed:
        kind = stat.S_IFMT(one.external_attr >> 16)
        if not is_name(one.filename) or kind not in (0, stat.S_IFREG):
            raise BadInput(
                f"The file has an entry {shown(one.filename)}, which is no file of {my_work.FOLDER}/. Nothing was "
                "brought back."
            )
    if sorted(names) != sorted(said):
        raise BadInput(
            "The file holds other files than it says it holds: somebody changed it. Nothing was brought back."
        )
    found = {one.filename: _content(whole, one) for one in listed}
    for name, content in found.items():
        if hashlib.sha256(content).hexdigest() != said[name]:
            raise BadInput(
                f"{shown(name)} in the file is damaged. Download your work again if the session still runs."
            )
    return found


def _content(whole: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """Return an entry's bytes: no more than it says it has, and never more than all may have."""
    if one.file_size > MOST_INSIDE:
        raise BadInput(f"{shown(one.filename)} in the file has {one.file_size:,} bytes, more than anybody's work.")
    with whole.open(one) as entry:
        content = entry.read(one.file_size + 1)
    if len(content) != one.file_size:
        raise zipfile.BadZipFile
    return content


def shown(name: str) -> str:
    """Return a name out of a file as a sentence quotes it."""
    return repr(cut(printable(name.encode("utf-8", "replace").decode()), 80))
