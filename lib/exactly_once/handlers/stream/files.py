"""Files on a disk for a handler that writes files: the real form of `node.store` in the model.

It imports little, since each incarnation of a task that is killed imports it anew.
"""

import os

from ...stores.codec import decode, encode


class Folder:
    """Files in a folder, by name, each a list of lines: the interface of `node.store`, on a disk.

    A SIGKILL takes nothing back that a file has been given: the operating system has it. If the power fails, a rename
    may be on the disk while the contents of the file are not; that is why a file is synchronized (fsync) before it is
    renamed, and the folder after that, before anybody relies on the new name.
    """

    def __init__(self, path):
        self.path = str(path)

    def read(self, name):
        """Return (whether it is there, its lines); None for the lines of a file that is not, or is empty."""
        try:
            with open(os.path.join(self.path, name), encoding="utf-8") as file:
                return True, [decode(line) for line in file] or None
        except FileNotFoundError:
            return False, None

    def write(self, name, lines):
        """Write a file from its beginning, in place."""
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.writelines(f"{encode(line)}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, name, to):
        """Replace a file by another in one go."""
        os.replace(os.path.join(self.path, name), os.path.join(self.path, to))
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def on_disk(handler, path):
    """Return a handler of the node that runs `handler(node, files)` with the files of a folder."""
    folder = Folder(path)

    def sink_on_disk(node):
        handler(node, folder)

    return sink_on_disk
