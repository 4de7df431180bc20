"""Where things are: the course's root, its data, and the one folder for temporary files."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TypeAlias

from .errors import BadInput, CourseError

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[1]
IN_COURSE = (ROOT / "pyproject.toml").is_file()  # else the package was installed from a wheel, without the course
DATA = ROOT / "data" if IN_COURSE else PACKAGE / "data"  # a wheel has the data in place of the link there
FileName: TypeAlias = str | os.PathLike[str]


def file_named(what: str, path: FileName) -> Path:
    """Return `path` as a `Path`. Raises `BadInput`, beginning with `what`, if it cannot name a file."""
    try:
        found = Path(path)
        nameless = b"\0" in os.fsencode(found) or str(path) in ("", ":memory:")  # SQLite's name for no file at all
    except (TypeError, ValueError):
        nameless = True
    if nameless:
        raise BadInput(f"{what} is {path!r}; give the name of a file, as text or as a path.")
    return found


def content(path: Path, most: int) -> bytes:
    """Return the bytes of a file. Raises `BadInput` when there are more than `most`.

    It stops reading there: some files, such as /dev/zero, have no end.
    """
    with path.open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise BadInput(f"{path} has over {most:,} bytes. Give a part of it.")
    return found


def replaced(path: Path, content: str | bytes, mode: int | None = None) -> Path:
    """Replace a file by text or bytes in one go, so that nobody ever finds it by half, and return its path.

    Raises `CourseError` when it cannot be written.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")  # several processes may replace it at once
    try:
        draft.write_bytes(content if isinstance(content, bytes) else content.encode())
        if mode is not None:
            draft.chmod(mode)
        os.replace(draft, path)
    except OSError as why:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise CourseError(
            f"The file {path} cannot be written ({why.strerror}); it is as it was. Free some disk, or name a file in "
            "a folder that you may write."
        ) from why
    return path


def temporary(*parts: str) -> Path:
    """Return a folder below the course's temporary folder, made if needed, that this user alone can enter.

    It is `.tmp/` in the course, and this user's folder among the machine's temporary ones where the package is
    installed without it. `EXACTLY_ONCE_TMP` names another place. Raises `CourseError` when the folder cannot be
    written, or is another's.
    """
    usual = ROOT / ".tmp" if IN_COURSE else Path(tempfile.gettempdir()) / f"exactly-once-{os.getuid()}"
    folder = own_folder(usual, "EXACTLY_ONCE_TMP", *parts)
    if not os.access(folder, os.W_OK):
        raise CourseError(
            f"The folder {folder} cannot be written. Set EXACTLY_ONCE_TMP to a folder that you may write."
        )
    return folder


def own_folder(usual: Path, variable: str, *parts: str) -> Path:
    """Return the folder `parts` below the one that `variable` names (default: `usual`), made if needed, as `private`.

    A relative name is made absolute in the environment, too: processes that are started from here work elsewhere.
    Raises `CourseError`, naming the variable, when it cannot be made, or cannot be closed to other users.
    """
    base = usual
    try:
        if named := os.environ.get(variable):
            base = Path(named).absolute()
            os.environ[variable] = str(base)
        return private(base, *parts)
    except OSError as why:
        raise CourseError(
            f"The folder {base.joinpath(*parts)} cannot be made ({why.strerror}). Free or unlock that place, or set "
            f"{variable} to a folder that you may write."
        ) from why
    except CourseError as why:
        raise CourseError(f"{why} Set {variable} to a folder for the course alone.") from why


def private(base: Path, *parts: str) -> Path:
    """Return the folder `parts` below `base`, made if needed, with both and all between them closed to other users.

    Existing folders are closed, too. Raises `CourseError` for a folder of another user or a folder that must stay
    open to others, `OSError` for a folder that cannot be made.
    """
    base.parent.mkdir(parents=True, exist_ok=True)
    folder = base
    for part in ("", *Path(*parts).parts):
        folder = folder / part
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.stat()
        if found.st_uid != os.getuid():
            raise CourseError(f"The folder {folder} belongs to another user, who could change what is in it.")
        if found.st_mode & 0o077:
            if _is_shared(folder, found.st_mode):
                raise CourseError(f"The folder {folder} is open to other users, and closing it would harm them.")
            folder.chmod(stat.S_IMODE(found.st_mode) & ~0o077)
    return folder


def _is_shared(folder: Path, mode: int) -> bool:
    """Tell whether a folder must stay open: /tmp, a whole disk, one at the root, or one around the course or a
    home.
    """
    folder = folder.resolve()
    around = any(place.is_relative_to(folder) for place in (ROOT, Path(os.path.expanduser("~"))))
    return bool(mode & stat.S_ISVTX) or os.path.ismount(folder) or folder.parent == Path(folder.anchor) or around
