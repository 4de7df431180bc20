"""The folder of one run on the cluster: its files, and their meaning to the notebook and to the tasks.

<name>.db          a store, for each of the run's stores; network.db holds the late requests, and counts steps
<name>.url         a store of this name is on a server
stores.json        the servers that have the stores, if servers do: their URLs, and the stores' place on them
served.json        the address of the process that serves the stores, if one does; it listens at stores.socket
asleep-<n>.json    life n was put to sleep: its process and node, and the time of its wake-up
taken-<n>          a task goes on for the node of the sleeping life n
woken-<n>          life n was woken up
node-<n>           the newest incarnation of node n has finished
life-<n>.jsonl     the events of life n; the flight recorder makes and reads it
fired-<key>        a fault strikes; made before the fault does (the flight recorder's, too)
ended-<task>       this task of the run has finished its work
endless            an incarnation took more steps than any right one does; it waits to be killed
stack.txt          the place of an incarnation in its code, at each SIGUSR1
control.json       the notebook's requests to the incarnations: pace, an armed fault, to stop
turns              a byte for each decision of a schedule that was carried out
diverged           the sentence that says why a schedule cannot be followed

All of it outlives a SIGKILL. One run may have several tasks, of several nodes: all share the folder.
"""

import json
import os
import shutil
import time
from pathlib import Path

from ...errors import CourseError
from ...node.world import DATABASE, Stores
from ...owned import RUNS, new_folder
from ...paths import replaced
from ...servers import by_url
from ...stores import SQLiteStore
from ...stores.served import Link, ServedStore, Service, SharedStore

NETWORK = "network"
STORES = "stores.json"
SERVER = "exactly_once.spark.task.server"  # the module of the process that serves the stores
LAST_WRITES = 5.0  # s; two after it asked a Python worker to stop, Spark kills it


class RunFolder(os.PathLike):
    """One run's folder, as a process of the run sees it: the notebook, which makes and removes it, or a task."""

    def __init__(self, path):
        self.path = Path(path)
        self._control, self._control_time = {}, None
        self._link = self._service = self._urls = None

    @classmethod
    def make(cls, kind="run", served=False, stores=by_url.SQLITE):
        """Make the folder of a new run; should this process be killed, the next start of a cluster removes it.

        `served` tells whether a process of its own has the run's stores, so that a task that is stopped while it
        writes stops nobody else. `stores` are the URLs of the stores, as `by_url.chosen` takes them.
        """
        urls = by_url.chosen(stores)
        folder = cls(new_folder(RUNS, kind))
        if urls != [by_url.SQLITE] * 2:
            replaced(folder.path / STORES, json.dumps([urls, by_url.new_name()]), mode=0o600)
        if served:
            folder._service = Service(folder.path, SERVER)
        return folder

    def __fspath__(self):
        return str(self.path)

    def exists(self):
        """Tell whether the folder is there, on this machine."""
        return self.path.is_dir()

    def remove(self):
        """Remove the folder; a worker of a job that was cancelled may write into it for another moment."""
        if self._service is not None:
            self._service.stop()
        for path in self.path.glob("*.url"):
            store = self.store(path.stem)
            store.remove()
            store.close()
        deadline = time.monotonic() + LAST_WRITES
        while self.exists() and time.monotonic() < deadline:
            shutil.rmtree(self.path, ignore_errors=True)
            if self.exists():
                time.sleep(0.05)

    def store(self, name):
        """Open the store of this name, or a way to it where it is served or on a server; it is made if needed."""
        if self._urls is None:
            known = self.path / STORES
            self._urls = json.loads(known.read_text()) if known.exists() else [[by_url.SQLITE] * 2, ""]
        url = self._urls[0][name == DATABASE]
        if url != by_url.SQLITE:
            (self.path / f"{name}.url").touch()
            return by_url.opened(url, name, f"{self._urls[1]}_{name}")
        if self._link is None:
            self._link = Link.found_in(self.path)
        return SQLiteStore(self.path / f"{name}.db") if self._link is None else ServedStore(self._link, name)

    def watched(self, name):
        """Open the store of this name to look at, by any thread, one at a time: who reads a file blocks no writer."""
        return self.store(name) if self._urls and self._urls[1] else SharedStore(self.path / f"{name}.db")

    def stores(self):
        """Return the run's `Stores`: those that have a file or are on a server, and any that is asked for."""
        stores = Stores(self.store)
        for path in sorted([*self.path.glob("*.db"), *self.path.glob("*.url")]):
            if path.stem != NETWORK:
                stores[path.stem]
        return stores

    def activity(self):
        """Return something that changes with every step that any incarnation takes."""
        return sum(path.stat().st_size for path in self.path.glob("life-*.jsonl"))

    def events(self):
        """Return how many events all incarnations have recorded."""
        return sum(path.read_bytes().count(b"\n") for path in self.path.glob("life-*.jsonl"))

    def begun(self, life):
        """Tell whether an incarnation has begun."""
        return (self.path / f"life-{life}.jsonl").exists()

    def lives(self):
        """Return how many incarnations have begun."""
        return len(list(self.path.glob("life-*.jsonl")))

    def struck(self):
        """Return how many faults have struck."""
        return len(list(self.path.glob("fired-*")))

    def end(self, task=0):
        """Note that a task has finished its work."""
        (self.path / f"ended-{task}").touch()

    def ended(self, tasks=1):
        """Tell whether all tasks have finished their work."""
        return all((self.path / f"ended-{task}").exists() for task in range(tasks))

    def create(self, name):
        """Make a file that must not be there yet, which one process alone can do; tell whether it was this one."""
        try:
            os.close(os.open(self.path / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            return False

    def end_node(self, node):
        """Note that the newest incarnation of a node, from 1 on, has finished."""
        (self.path / f"node-{node}").touch()

    def node_ended(self, node):
        """Tell whether a node, from 1 on, has ended."""
        return (self.path / f"node-{node}").exists()

    def all_ended(self, nodes):
        """Tell whether all nodes have ended."""
        return all(map(self.node_ended, range(1, nodes + 1)))

    def put_to_sleep(self, life, facts):
        """Note that an incarnation is put to sleep, with facts about it as plain data; it may have slept before."""
        replaced(self.path / f"asleep-{life}.json", json.dumps(facts))
        (self.path / f"woken-{life}").unlink(missing_ok=True)

    def sleepers(self):
        """Return {life: the facts about it} of all that were put to sleep, in the order of their incarnations."""
        found = {}
        for path in self.path.glob("asleep-*.json"):
            found[int(path.stem.removeprefix("asleep-"))] = json.loads(path.read_text())
        return dict(sorted(found.items()))

    def woken(self, life):
        """Tell whether a sleeping incarnation was woken up."""
        return (self.path / f"woken-{life}").exists()

    def note_endless(self):
        """Note that an incarnation takes steps for ever."""
        (self.path / "endless").touch()

    def endless(self):
        """Tell whether an incarnation takes steps for ever."""
        return (self.path / "endless").exists()

    def open_stack(self):
        """Open the file to which an incarnation writes where it is in its code."""
        return open(self.path / "stack.txt", "a")

    def stack(self):
        """Return the lines in which incarnations wrote where they were in their code."""
        return (self.path / "stack.txt").read_text().splitlines()

    def ask(self, control):
        """Write a request to the incarnations, a dictionary, read before each step. May raise `CourseError`."""
        replaced(self.path / "control.json", json.dumps(control))

    def asked(self):
        """Return the notebook's requests; the file is read again when it has changed."""
        try:
            changed = os.stat(self.path / "control.json").st_mtime_ns
            if changed != self._control_time:
                self._control, self._control_time = json.loads((self.path / "control.json").read_text()), changed
        except FileNotFoundError:
            pass
        return self._control

    def passed(self):
        """Return how many decisions of the schedule were carried out."""
        try:
            return os.stat(self.path / "turns").st_size
        except FileNotFoundError:
            return 0

    def pass_on(self):
        """Note that one more decision was carried out. Only the incarnation whose turn it is may do it."""
        handle = os.open(self.path / "turns", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        os.write(handle, b".")
        os.close(handle)

    def note_divergence(self, sentence):
        """Note why the schedule cannot be followed; the first sentence stays."""
        if self.why_diverged() is None:
            replaced(self.path / "diverged", sentence)

    def why_diverged(self):
        """Return why the schedule cannot be followed, or None."""
        try:
            return (self.path / "diverged").read_text()
        except FileNotFoundError:
            return None


def found_here(path):
    """Return the `RunFolder` at `path`, in a task. Raises `CourseError` when the task runs on another machine."""
    folder = RunFolder(path)
    if not folder.exists():
        raise CourseError(
            f"The folder {path} of this run is not on the executor's machine. SQLite stores are for one machine; "
            "use a local master, such as cluster() gives."
        )
    return folder
