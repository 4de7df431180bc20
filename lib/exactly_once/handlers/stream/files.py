"""Files on a disk for a handler that writes files: what `node.store` gives it in the model, for real.

It imports little, since each life of a task that is killed imports it anew.
"""

import os

from ...stores.codec import decode, encode


class Folder:
    """Files in a folder, by name, each a list of lines: what `node.store` is to a handler, on a disk.

    A SIGKILL takes nothing back that a file has been given: the operating system has it. Should the power fail, a
    rename may be on the disk while what is in the file is not; that is why a file is synchronized (fsync) before it
    is renamed, and the folder after that, before anybody relies on the new name.
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
    """Return a handler of the node that does what `handler(node, files)` does, with the files of a folder."""
    folder = Folder(path)

    def sink_on_disk(node):
        handler(node, folder)

    return sink_on_disk
