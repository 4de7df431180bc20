"""The files of one folder that several processes share."""

import contextlib
import errno
import os
from pathlib import Path

from ..paths import FileName, replaced


class Files:
    """The files of a folder of this machine; each of these is done whole, or not at all. Raises `OSError`."""

    def __init__(self, folder: FileName) -> None:
        self.folder = Path(folder)
        self._open: dict[str, int] = {}  # {name: the file that is appended to}

    def create(self, name: str) -> bool:
        """Make a file that must not be there yet, which one process alone can do; tell whether it was this one."""
        try:
            os.close(os.open(self.folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            return False

    def append(self, name: str, text: str) -> None:
        """Write text at the end of a file, by one `write`, so that a killed process leaves whole lines."""
        data = text.encode()
        handle = self._open.get(name)
        if handle is None:
            handle = self._open[name] = self._reopened(name, text.endswith("\n"))
        if os.write(handle, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _reopened(self, name: str, lines: bool) -> int:
        """Open a file for appending, without a half line at its end: what is appended to it would be lost with it."""
        handle = os.open(self.folder / name, os.O_APPEND | os.O_RDWR | os.O_CREAT)
        size = os.fstat(handle).st_size
        if lines and size and os.pread(handle, 1, size - 1) != b"\n":
            os.ftruncate(handle, (self.folder / name).read_bytes().rfind(b"\n") + 1)
        return handle

    def read(self, name: str) -> str | None:
        """Return the text of a file, or None when it is not there."""
        try:
            return (self.folder / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None

    def replace(self, name: str, text: str) -> None:
        """Replace a file by text in one go. Raises `CourseError` when it cannot be written."""
        replaced(self.folder / name, text)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def sizes(self, pattern: str) -> dict[str, int]:
        """Return {name: its bytes} of the files whose names match a pattern with *."""
        found = {}
        for path in [self.folder / pattern] if "*" not in pattern else self.folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):  # it went away meanwhile
                found[path.name] = path.stat().st_size
        return found

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""
        return bool(self.sizes(name))

    def close(self) -> None:
        """Close the files that were appended to."""
        for handle in self._open.values():
            os.close(handle)
        self._open.clear()
