"""Where things are: the course's root, its data, and the one folder for temporary files."""

import contextlib
import os
from pathlib import Path

from .errors import BadInput, CourseError

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"


def file_named(what, path):
    """Return `path` as a `Path`. Raises `BadInput`, beginning with `what`, for what cannot be the name of a file."""
    try:
        found = Path(path)
        nameless = b"\0" in os.fsencode(found) or str(path) in ("", ":memory:")  # SQLite's name for no file at all
    except (TypeError, ValueError):
        nameless = True
    if nameless:
        raise BadInput(f"{what} is {path!r}; give the name of a file, as text or as a path.")
    return found


def written(path, text):
    """Write text to a file and return its path. Raises `CourseError` when it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as why:
        raise CourseError(
            f"The file {path} cannot be written: {why.strerror}. Choose a folder that exists and that you may write."
        ) from why
    return path


def replaced(path, content, mode=None):
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
            f"The file {path} cannot be written ({why.strerror}); it is as it was. Free some disk."
        ) from why
    return path


def temporary(*parts):
    """Return a folder below the course's temporary folder, made if needed.

    `EXACTLY_ONCE_TMP` names another place. Raises `CourseError` when the folder cannot be written.
    """
    base = Path(os.environ.get("EXACTLY_ONCE_TMP") or ROOT / ".tmp")
    folder = base.joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise CourseError(
            f"The folder {folder} cannot be made ({why.strerror}). Free or unlock that place, or set "
            "EXACTLY_ONCE_TMP to a folder that you may write."
        ) from why
    if not os.access(folder, os.W_OK):
        raise CourseError(
            f"The folder {folder} cannot be written. Set EXACTLY_ONCE_TMP to a folder that you may write."
        )
    return folder
