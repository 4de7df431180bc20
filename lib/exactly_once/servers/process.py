"""The life of a server that the course starts for itself: started when asked for, on loopback, with a new secret.

A kind of server is a subclass of `Server`. It says which commands to run and how to see that they are ready:

    class Echo(Server):
        KIND, READY = "echo", "listening"

        def commands(self):
            return {"server": ["echo-server", "--port", str(self.port), "--config", str(self.folder / "config")]}

        def prepared(self):  # before the first start: files, keys
            (self.folder / "config").write_text(f"secret={self.secret}")

        def opened(self):  # after the first start: users, rights
            ...

        @property
        def url(self):
            return f"echo://127.0.0.1:{self.port}"

    echo = Echo.shared()  # the one of this process
    echo.kill(); echo.start()  # SIGKILL, and again on the same data, the same port, with the same secret

Each server has a guard (`guard`), which ends it and removes its folder when this process ends, even by SIGKILL.
What a killed guard leaves is ended by the next start: each command names a path below the server's folder.
"""

import atexit
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import quote

import psutil

from ..errors import BadInput, CourseError
from ..owned import SERVERS, Owner, left_behind, new_folder, sweep
from . import guard

LAST_LINES = 5  # of a log, in the sentence on a failed start
LOOK_SECONDS = 0.01  # between two looks at whether a server is ready
PORTS = range(20_000, 32_768)  # below those that Linux and macOS give to clients

_shared: dict[Any, "Server"] = {}
_starting = threading.RLock()


class Server(ABC):
    """A running server of one kind, in one process or several that have names ("members").

    `KIND` is one word, `READY` a text that the log of each process has when it takes clients.
    """

    KIND: ClassVar[str]
    READY: ClassVar[str]
    START_SECONDS: ClassVar[float] = 60
    STOP_SIGNAL: ClassVar[int] = signal.SIGTERM
    STOP_SECONDS: ClassVar[float] = 10

    @classmethod
    def shared(cls, **options: Any) -> Self:
        """Return the server of this kind that this process has, started when it is first asked for.

        With other `options` (those of `__init__`) it is another one. Raises `CourseError` when it cannot start.
        """
        key = os.getpid(), cls, tuple(sorted(options.items()))
        with _starting:
            found = _shared.get(key)
            if found is None or found.stopped:
                found = _shared[key] = cls(**options)
        return found  # type: ignore[return-value]

    def __init__(self) -> None:
        """Start the server, and wait until it is ready. Raises `CourseError` when it cannot start."""
        self.secret, self.port = secrets.token_urlsafe(24), free_port()
        self._pids: dict[str, Owner] = {}
        self._owner, self.stopped = os.getpid(), False
        _end_orphans()
        self.folder = new_folder(SERVERS, self.KIND)
        self._guard = subprocess.Popen(
            [sys.executable, "-P", "-m", guard.__name__, str(self.folder), str(int(self.STOP_SIGNAL)),
             str(self.STOP_SECONDS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        atexit.register(self.stop)
        try:
            self.keep("password", self.secret)
            self.prepared()
            self.start()
            self.opened()
        except BaseException:
            self.stop()
            raise

    @property
    @abstractmethod
    def url(self) -> str:
        """Return the server's address as clients take it; it holds no secret."""

    def keep(self, name: str, text: str) -> None:
        """Write a file that only this user can read."""
        (self.folder / name).touch(mode=0o600)
        (self.folder / name).write_text(text)

    def in_url(self, name: str = "") -> str:
        """Return the path of a file of the server's as a URL writes it, or that of its folder."""
        return quote(str(self.folder / name))

    @abstractmethod
    def commands(self) -> dict[str, list[str]]:
        """Return {name: command} of the processes. Each command names a path below `folder`, and holds no secret."""

    def environment(self, name: str) -> dict[str, str]:
        """Return variables for the process of this name."""
        return {}

    def prepared(self) -> None:  # noqa: B027 - some kinds need no files
        """Write what the processes need into `folder`, before the first start."""

    def opened(self) -> None:  # noqa: B027 - some kinds need no users
        """Set up users and the like, after the first start."""

    def ready(self, name: str, printed: str) -> bool:
        """Tell whether a process takes clients. `printed` is what its log has had since this start."""
        return self.READY in printed

    def start(self, *names: str) -> None:
        """Start the processes of these names (default: all that do not run), and wait until they are ready.

        Raises `CourseError` with the last lines of the log when one ends, or is not ready after `START_SECONDS`.
        """
        begun, began = {}, time.monotonic()
        for name in self._named(names):
            if not self.alive(name):
                begun[name] = self._size(name)
                self._pids[name] = Owner.of(self._asked(name))
        for name, before in begun.items():
            while not self.ready(name, printed := self._printed(name, before)):
                late = time.monotonic() - began > self.START_SECONDS
                if late or not self.alive(name):
                    what = f"was not ready after {self.START_SECONDS:g} s" if late else "ended at once"
                    lines = " / ".join(line.strip() for line in printed.splitlines()[-LAST_LINES:]) or "nothing"
                    raise CourseError(f"{self.KIND} {what}. The last lines of its log: {lines}")
                time.sleep(LOOK_SECONDS)

    def _asked(self, name: str) -> int:
        """Have the guard start a process, and return its id."""
        request = [name, self.commands()[name], self.environment(name), str(self.folder)]
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        try:
            self._guard.stdin.write(f"{json.dumps(request)}\n".encode())
            self._guard.stdin.flush()
            said = self._guard.stdout.readline()
        except OSError:
            said = b""
        if not said:
            raise CourseError(f"The process that guards {self.KIND} has ended. Restart the kernel, and run again.")
        pid, why = json.loads(said)
        if pid is None:
            raise CourseError(f"{self.KIND} does not start: {why}.")
        return pid

    def alive(self, name: str = "") -> bool:
        """Tell whether the process of this name (default: any) lives; a paused one does."""
        return any(one.alive() for known, one in self._pids.items() if name in ("", known))

    def pid(self, name: str = "") -> int:
        """Return the id of the process of this name (default: the first)."""
        return self._pids[self._named((name,) if name else ())[0]].pid

    def kill(self, *names: str) -> None:
        """Kill the processes of these names (default: all) and all that they have started, by SIGKILL."""
        for name in self._named(names):
            if self.alive(name):
                guard.end([self.pid(name)], signal.SIGKILL, self.STOP_SECONDS)

    def pause(self, *names: str) -> None:
        """Stop the processes of these names (default: all) and all that they have started, by SIGSTOP."""
        for name in self._named(names):
            guard.stop(self.pid(name), self.STOP_SECONDS)

    def resume(self, *names: str) -> None:
        """Let paused processes go on."""
        for name in self._named(names):
            guard.send(self.pid(name), signal.SIGCONT)

    def stop(self) -> None:
        """End the server, and remove its folder. A process that was forked from the one that started it does nothing.

        The guard does it, which has until then waited for the end of its input.
        """
        if self.stopped or os.getpid() != self._owner:
            return
        self.stopped = True
        atexit.unregister(self.stop)
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        with contextlib.suppress(OSError):
            self._guard.stdin.close()
        self._guard.stdout.close()
        self._guard.wait(4 * self.STOP_SECONDS)

    def _named(self, names: tuple[str, ...]) -> list[str]:
        known = list(self.commands())
        for name in names:
            if name not in known:
                raise BadInput(f"{self.KIND} has no process {name!r}; it has {', '.join(known)}.")
        return list(names or known)

    def log(self, name: str) -> Path:
        """Return the file with the output of a process."""
        return self.folder / f"{name}.log"

    def _size(self, name: str) -> int:
        return self.log(name).stat().st_size if self.log(name).exists() else 0

    def _printed(self, name: str, before: int) -> str:
        return self.log(name).read_bytes()[before:].decode(errors="replace")


def stop_servers() -> None:
    """Stop the servers that this process has started and shares. The next that is asked for is a new one."""
    for server in list(_shared.values()):
        server.stop()  # a process that was forked from the one that started it does nothing


def free_port() -> int:
    """Return a port of loopback that is free now, and that the system gives to no client, where there is such a one.

    A killed server comes back on its port. If the system may give that port to a client's connection meanwhile, it
    does so now and then, even to the client that looks for the server.
    """
    for port in secrets.SystemRandom().sample(PORTS, 100):
        with contextlib.suppress(OSError), socket.socket() as found:
            found.bind(("127.0.0.1", port))
            return port
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _end_orphans() -> None:
    """End the processes of servers whose kernel and whose guard were killed, and remove their folders."""
    folders = [str(folder) for folder in left_behind(SERVERS)]
    for process in psutil.process_iter() if folders else ():
        with contextlib.suppress(psutil.Error):
            said = " ".join(process.cmdline())
            if guard.__name__ not in said and any(folder in said for folder in folders):
                guard.end([process.pid], signal.SIGKILL, 1)
    if folders:
        sweep(SERVERS)
