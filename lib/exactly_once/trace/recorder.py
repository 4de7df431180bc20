"""Where lives write what they do: in memory for simulated worlds, in files that outlive a SIGKILL for real ones.

A recorder also keeps the two facts that must be durable before anything dies: which lives began, and which faults
have struck. Lives are counted here and not by Spark's attempt numbers, which are not the order of events.
"""

import os
from pathlib import Path

from ..errors import CourseError
from .events import Event, life_name, obituary, takeover


class Recorder:
    """What the two recorders share: the start of a life, which receives the death of the one before it."""

    def begin(self, clock, detail=None):
        """Count a new life, tick `clock` for its start, record it, and return its number (the first is 1).

        The life before it, if any, has died; when it left no word of that (a kill from outside), its heir writes it.
        """
        life = self._claim()
        before = self.events_of(life - 1) if life > 1 else []
        message = None
        if before:
            message = takeover(life - 1)
            last = before[-1]
            if last.verb != "dies":
                last = obituary(last, "killed from outside")
                self.record(last)
            clock.receive(last.stamp)
        else:
            clock.local()
        kind = "receive" if message else "local"
        self.record(Event(life_name(life), kind, clock.time, "start", "start", life, message=message, detail=detail or {}))
        return life


class MemoryRecorder(Recorder):
    """The recorder of a simulated world."""

    def __init__(self):
        self.lives = {}
        self.fired = []

    def _claim(self):
        life = len(self.lives) + 1
        self.lives[life] = []
        return life

    def record(self, event):
        """Keep `event`."""
        self.lives[event.life].append(event)

    def fire(self, key):
        """Note that the fault `key` strikes now. Returns False if it struck before."""
        if key in self.fired:
            return False
        self.fired.append(key)
        return True

    def fired_keys(self):
        """Return the keys of the faults that have struck."""
        return list(self.fired)

    def events_of(self, life):
        """Return the events of one life in the order in which it recorded them."""
        return list(self.lives.get(life, ()))

    def events(self):
        """Return the events of all lives."""
        return [event for events in self.lives.values() for event in events]


class FileRecorder(Recorder):
    """The recorder of a real world: a folder with one file of JSON lines for each life.

    Each event is one `write` to a file opened for appending, so a killed process leaves whole lines. A life and a
    fault are claimed by creating a file that must not exist yet, which one process alone can do.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self._open = {}

    def _claim(self):
        life = 1
        while not self._create(f"life-{life}.jsonl"):
            life += 1
        return life

    def _create(self, name):
        try:
            os.close(os.open(self.folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            return False
        except OSError as why:
            raise CourseError(f"The flight recorder cannot write in {self.folder}: {why.strerror}.") from why

    def record(self, event):
        """Append `event` to the file of its life."""
        handle = self._open.get(event.life)
        if handle is None:
            handle = os.open(self.folder / f"life-{event.life}.jsonl", os.O_APPEND | os.O_WRONLY)
            self._open[event.life] = handle
        os.write(handle, (event.json() + "\n").encode())

    def fire(self, key):
        """Note durably that the fault `key` strikes now. Returns False if it struck before."""
        return self._create(f"fired-{key}")

    def fired_keys(self):
        """Return the keys of the faults that have struck."""
        return sorted(path.name.removeprefix("fired-") for path in self.folder.glob("fired-*"))

    def events_of(self, life):
        """Return the events of one life in the order in which it recorded them."""
        path = self.folder / f"life-{life}.jsonl"
        if not path.exists():
            return []
        whole_lines = path.read_bytes().split(b"\n")[:-1]
        return [Event.parse(line.decode()) for line in whole_lines]

    def events(self):
        """Return the events of all lives."""
        lives = sorted(int(path.stem.removeprefix("life-")) for path in self.folder.glob("life-*.jsonl"))
        return [event for life in lives for event in self.events_of(life)]

    def close(self):
        """Close the files."""
        for handle in self._open.values():
            os.close(handle)
        self._open.clear()
