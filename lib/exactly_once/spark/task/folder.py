"""The folder of one run on the cluster: its files, and their meaning to the notebook and to the tasks.

<name>.db          a store, for each of the run's stores
<name>.url         a store of this name is on a server
stores.json        the servers that have the stores, if servers do: their URLs, and the stores' place on them
served.json        the address of the process that serves the stores, if one does; it listens at stores.socket
steps              a byte for each step of any life, where the plan has faults that last
late-<n>           the late request n, and the step at which it is due
arrived-<n>        it has arrived; made before it does, so none arrives twice, and a kill in between loses it
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

import contextlib
import json
import os
import pickle
import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TextIO

from ...errors import CourseError
from ...node.world import DATABASE, Request, Stores
from ...owned import RUNS, new_folder
from ...paths import FileName, replaced
from ...servers import by_url
from ...stores import SQLiteStore
from ...stores.served import Link, ServedStore, Service, SharedStore
from ...trace import Files

STORES = "stores.json"
SERVER = "exactly_once.spark.task.server"  # the module of the process that serves the stores
LAST_WRITES = 5.0  # s; two after it asked a Python worker to stop, Spark kills it


class RunFolder(os.PathLike):
    """One run's folder, as a process of the run sees it: the notebook, which makes and removes it, or a task."""

    def __init__(self, path: FileName) -> None:
        self.path = Path(path)
        self.files = Files(self.path)
        self._control: dict[str, Any] = {}
        self._control_text: str | None = None
        self._link: Link | None = None
        self._service: Service | None = None
        self._urls: Any = None

    @classmethod
    def make(cls, kind: str = "run", served: bool = False, stores: str = by_url.SQLITE) -> Self:
        """Make the folder of a new run; should this process be killed, the next start of a cluster removes it.

        `served` tells whether a process of its own has the run's stores, so that a task that is stopped while it
        writes stops nobody else. `stores` are the URLs of the stores, as `by_url.chosen` takes them.
        """
        urls = by_url.chosen(stores)
        folder = cls(new_folder(RUNS, kind))
        if urls != [by_url.SQLITE] * 2:
            folder.files.replace(STORES, json.dumps([urls, by_url.new_name()]))
        if served:
            folder._service = Service(folder.path, SERVER)
        return folder

    def __fspath__(self) -> str:
        return str(self.path)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return type(self), (str(self.path),)

    def exists(self) -> bool:
        """Tell whether the folder is there."""
        return self.path.is_dir()

    def remove(self) -> None:
        """Remove the folder; a worker of a job that was cancelled may write into it for another moment."""
        if self._service is not None:
            self._service.stop()
        for name in self.files.sizes("*.url"):
            with contextlib.suppress(CourseError):  # its server is gone
                store = self.store(name.removesuffix(".url"))
                store.remove()
                store.close()
        self.files.close()
        deadline = time.monotonic() + LAST_WRITES
        while self.exists() and time.monotonic() < deadline:
            shutil.rmtree(self.path, ignore_errors=True)
            if self.exists():
                time.sleep(0.05)

    def store(self, name: str) -> Any:
        """Open the store of this name, or a way to it where it is served or on a server; it is made if needed."""
        if self._urls is None:
            self._urls = json.loads(self.files.read(STORES) or "null") or [[by_url.SQLITE] * 2, ""]
        url = self._urls[0][name == DATABASE]
        if url != by_url.SQLITE:
            self.files.create(f"{name}.url")
            return by_url.opened(url, name, f"{self._urls[1]}_{name}")
        if self._link is None:
            self._link = Link.found_in(self.path)
        return SQLiteStore(self.path / f"{name}.db") if self._link is None else ServedStore(self._link, name)

    def watched(self, name: str) -> Any:
        """Open the store of this name to look at, by any thread, one at a time: who reads a file blocks no writer."""
        return self.store(name) if self._urls and self._urls[1] else SharedStore(self.path / f"{name}.db")

    def stores(self) -> Stores:
        """Return the run's `Stores`: those that have a file or are on a server, and any that is asked for."""
        stores = Stores(self.store)
        for name in sorted([*self.files.sizes("*.db"), *self.files.sizes("*.url")]):
            stores[name.rpartition(".")[0]]
        return stores

    def activity(self) -> int:
        """Return something that changes with every step that any incarnation takes."""
        return sum(self.files.sizes("life-*.jsonl").values())

    def events(self) -> int:
        """Return how many events all incarnations have recorded."""
        return sum((self.files.read(name) or "").count("\n") for name in self.files.sizes("life-*.jsonl"))

    def lives(self) -> int:
        """Return how many incarnations have begun."""
        return len(self.files.sizes("life-*.jsonl"))

    def struck(self) -> int:
        """Return how many faults have struck."""
        return len(self.files.sizes("fired-*"))

    def end(self, task: int = 0) -> None:
        """Note that a task has finished its work."""
        self.create(f"ended-{task}")

    def ended(self, tasks: int = 1) -> bool:
        """Tell whether all tasks have finished their work."""
        return all(self.files.exists(f"ended-{task}") for task in range(tasks))

    def create(self, name: str) -> bool:
        """Make a file that must not be there yet, which one process alone can do; tell whether it was this one."""
        return self.files.create(name)

    def node_ended(self, node: int) -> bool:
        """Tell whether a node, from 1 on, has ended."""
        return self.files.exists(f"node-{node}")

    def all_ended(self, nodes: int) -> bool:
        """Tell whether all nodes have ended."""
        return all(map(self.node_ended, range(1, nodes + 1)))

    def count_step(self) -> None:
        """Count one more step of any incarnation."""
        self.files.append("steps", ".")

    def steps_begun(self) -> int:
        """Return how many steps were begun."""
        return self.files.sizes("steps").get("steps", 0)

    def post(self, request: Request) -> None:
        """Keep a late `Request` for as many steps as it says, or, where it says None, until the end."""
        number = len(self.files.sizes("late-*")) + 1
        while not self.create(f"late-{number}"):
            number += 1
        due = request.until and self.steps_begun() + request.until
        replaced(self.path / f"late-{number}", pickle.dumps(replace(request, until=due)))

    def take(self, every: bool = False, number: int | None = None) -> Request | None:
        """Return the next late `Request` that is due, or of `every` one, or that of a number; it has arrived by that.

        None where there is none.
        """
        there = sorted(int(name.removeprefix("late-")) for name, size in self.files.sizes("late-*").items() if size)
        for one in there if number is None else [number]:
            request = pickle.loads((self.path / f"late-{one}").read_bytes())
            is_due = request.until is not None and request.until <= self.steps_begun()
            if (every or number or is_due) and self.create(f"arrived-{one}"):
                return request
        return None

    def put_to_sleep(self, life: int, facts: Mapping[str, Any]) -> None:
        """Note that an incarnation is put to sleep, with facts about it as plain data; it may have slept before."""
        self.files.replace(f"asleep-{life}.json", json.dumps(facts))
        self.files.remove(f"woken-{life}")

    def sleepers(self) -> dict[int, dict[str, Any]]:
        """Return {life: the facts about it} of all that were put to sleep, in the order of their incarnations."""
        found = {}
        for name in self.files.sizes("asleep-*.json"):
            life = int(name.removeprefix("asleep-").removesuffix(".json"))
            found[life] = json.loads(self.files.read(name) or "{}")
        return dict(sorted(found.items()))

    def woken(self, life: int) -> bool:
        """Tell whether a sleeping incarnation was woken up."""
        return self.files.exists(f"woken-{life}")

    def open_stack(self) -> TextIO:
        """Open the file to which an incarnation writes where it is in its code."""
        return open(self.path / "stack.txt", "a")

    def stack(self) -> list[str]:
        """Return the lines in which incarnations wrote where they were in their code."""
        return (self.files.read("stack.txt") or "").splitlines()

    def ask(self, control: Mapping[str, Any]) -> None:
        """Write a request to the incarnations, a dictionary, read before each step. May raise `CourseError`."""
        self.files.replace("control.json", json.dumps(control))

    def asked(self) -> dict[str, Any]:
        """Return the notebook's requests."""
        text = self.files.read("control.json")
        if text != self._control_text:
            self._control, self._control_text = json.loads(text or "{}"), text
        return self._control

    def passed(self) -> int:
        """Return how many decisions of the schedule were carried out."""
        return self.files.sizes("turns").get("turns", 0)

    def pass_on(self) -> None:
        """Note that one more decision was carried out. Only the incarnation whose turn it is may do it."""
        self.files.append("turns", ".")

    def note_divergence(self, sentence: str) -> None:
        """Note why the schedule cannot be followed; the first sentence stays."""
        if self.why_diverged() is None:
            self.files.replace("diverged", sentence)

    def why_diverged(self) -> str | None:
        """Return why the schedule cannot be followed, or None."""
        return self.files.read("diverged")


def found_here(folder: Any) -> RunFolder:
    """Return the `RunFolder`, or the one at a path, in a task. Raises `CourseError` when the task cannot reach it."""
    folder = folder if isinstance(folder, RunFolder) else RunFolder(folder)
    if not folder.exists():
        raise CourseError(
            f"The folder {folder.path} of this run is not on the executor's machine. SQLite stores are for one "
            "machine; use a local master, such as cluster() gives."
        )
    return folder
