"""Stores that one process serves to others: a client that is stopped or killed at any moment blocks nobody.

SQLite's write lock is a lock like any other: a process that is stopped inside a transaction stops all writers of the
file. So one process, which nobody stops, performs every transaction for the others. It carries out a request only
after the whole request has arrived. A reply that its client does not take delays no other client.

The messages are JSON, as the stores keep their values, over a connection of `multiprocessing.connection`, which asks
both sides for a secret first. The process listens at a socket of the folder.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any, TypeAlias, cast

from ..errors import BadInput, CourseError, in_one_line
from ..owned import heard_from_parent
from ..paths import FileName, replaced
from .codec import Value, decode, encode, tuples
from .interface import Entry, Origin, Reply, Store, named
from .operations import Blocked, Content, operation_named
from .sqlite import SQLiteStore

Address: TypeAlias = str | tuple[str, int]  # a Unix socket's path, or a host and a port

SOCKET = "stores.socket"
WHERE = "served.json"  # in a run's folder: at which address its stores are served, and the secret
LONGEST_PATH = 90  # bytes of a Unix socket's path: some systems take no more than 103
BACKLOG = 64
KEY_BYTES = 32
SECRET_SECONDS = 5.0  # that somebody who has connected has for the secret
ANSWER_SECONDS = 60  # that a client waits for an answer, as long as for a lock of SQLite
END = b"end"  # the message to the server at the end of its run; else its parent has died


class Link:
    """A connection to the process that serves the stores of a run, made when it is first needed; for any thread."""

    def __init__(self, address: Address, key: bytes) -> None:
        self._address, self._key = address, key
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    @classmethod
    def found_in(cls, folder: FileName) -> "Link | None":
        """Return a link to the process that serves the stores of a folder, or None when none does."""
        try:
            found = json.loads((Path(folder) / WHERE).read_text())
        except FileNotFoundError:
            return None
        address = found["address"]
        return cls(address if isinstance(address, str) else tuple(address), bytes.fromhex(found["key"]))

    def ask(self, name: str, *request: Value) -> Value:
        """Have a request to a store carried out, and return the answer.

        Raises the store's errors, and `CourseError` when the process that serves is gone, or does not answer for
        `ANSWER_SECONDS`.
        """
        text = encode([name, *request]).encode()
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = _limited(Client(self._address), ANSWER_SECONDS)
                    answer_challenge(self._connection, self._key)
                    deliver_challenge(self._connection, self._key)
                self._connection.send_bytes(text)
                said = self._connection.recv_bytes()
            except BlockingIOError:
                self._hang_up()
                raise CourseError(
                    f"The process that serves the stores of this run has not answered for {ANSWER_SECONDS} seconds: "
                    "it is stopped, or the machine has too much to do. Whether this request is carried out later, "
                    "nobody can tell. Wake the process up (kill -CONT), or run again."
                ) from None
            except (OSError, EOFError, AuthenticationError) as why:
                self._hang_up()
                raise CourseError(
                    f"The process that serves the stores of this run does not answer ({in_one_line(why)}): it ends "
                    "with its run. Run again."
                ) from None
            except BaseException:  # the answer to this request must not be taken for the next one's
                self._hang_up()
                raise
        how, *answer = decode(said.decode())
        if how == "done":
            return answer[0]
        if how == "blocked":
            raise Blocked(*answer)
        raise (BadInput if how == "refused" else CourseError)(answer[0])

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Close the connection; the next request makes a new one."""
        with self._lock:
            self._hang_up()


class ServedStore(Store):
    """One of the stores that another process has. It answers as that does, and may be asked by any thread."""

    def __init__(self, link: Link, name: str) -> None:
        self.link, self.name = link, name

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Have one operation carried out, and return its `Reply`. Raises as the store does, and as `Link.ask`."""
        self._checked(part, verb, *arguments)
        return Reply(*self._ask("do", part, verb, arguments, dict(vars(origin or Origin()))))

    def waits_for(self, part: str, verb: str, *arguments: Value) -> Blocked | None:
        """Return why an operation would have to wait now, or None."""
        operation_named(self.name, verb)
        why = None
        with contextlib.suppress(BadInput):  # a message that cannot be sent waits for nothing
            why = self._ask("waits_for", part, verb, arguments)
        return None if why is None else Blocked(*why)

    def fill(self, part: str, values: Iterable[Value]) -> None:
        """Append many values to a log; no clock ticks and no journal is written."""
        self._ask("fill", part, list(values))

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        self._checked(part, verb, *arguments)
        self._ask("prepare", part, verb, *arguments)

    def look(self, part: str, kind: str) -> Value:
        """Return the contents of a part as an observer sees them."""
        return self._ask("look", part, kind)

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        return {part: tuples(content) for part, content in self._ask("held", kind)}

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds."""
        self._ask("free", life)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        return [Entry(**entry | {"inputs": tuples(entry["inputs"])}) for entry in self._ask("journal", after)]

    def close(self) -> None:
        """Close the connection, which all stores of the link share; the next request makes a new one."""
        self.link.close()

    def _ask(self, what: str, *arguments: Value) -> Value:
        return self.link.ask(self.name, what, *arguments)

    def _checked(self, part: str, verb: str, *arguments: Value) -> None:
        """Raise `BadInput` here already for what cannot be asked: in a topic it would stand for ever."""
        operation = operation_named(self.name, verb)
        named(part)
        operation.refuse(arguments)

    def _elsewhere(self, *_: Any) -> Any:
        raise AssertionError("the process that serves has the contents")

    _changing = _get = _put = _clock = _note = _looking = cast(Any, _elsewhere)


def _limited(connection: Connection, seconds: float) -> Connection:
    """Have each read and each write of a connection raise `BlockingIOError` after so many seconds; 0: never."""
    time = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
    with socket.socket(fileno=os.dup(connection.fileno())) as same:
        for what in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            same.setsockopt(socket.SOL_SOCKET, what, time)
    return connection


class SharedStore(SQLiteStore):
    """A store that any thread of this process may use, one at a time."""

    ONE_THREAD = False


class Server:
    """The serving process: it carries out the requests of all others on the stores of a folder, in turn.

    A thread for each client waits for whole requests; only while one is carried out does it keep the others waiting.
    """

    def __init__(self, folder: FileName, key: bytes) -> None:
        self.folder, self.key = Path(folder), key
        self._lock = threading.Lock()
        self._open: dict[str, SharedStore] = {}
        self._listener = Listener(_address_in(self.folder), backlog=BACKLOG)
        self.address: Address = self._listener.address

    def start(self) -> None:
        """Begin to take clients."""
        threading.Thread(target=self._take_clients, daemon=True).start()

    def stop(self) -> None:
        """Carry out nothing any more, and close the stores."""
        self._lock.acquire()  # for good: every later request is too late
        for store in self._open.values():
            store.close()
        self._listener.close()

    def _take_clients(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except OSError:  # this client has gone again
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        """Answer one client until it is gone."""
        with connection:
            try:
                _limited(connection, SECRET_SECONDS)  # by a port of this machine every user may connect
                deliver_challenge(connection, self.key)
                answer_challenge(connection, self.key)
                _limited(connection, 0)
                while True:
                    request = connection.recv_bytes()
                    connection.send_bytes(encode(self._answer(request)).encode())
            except (OSError, EOFError, AuthenticationError):
                return

    def _answer(self, request: bytes) -> list[Value]:
        with self._lock:
            try:
                name, what, *arguments = decode(request.decode())
                if name not in self._open:
                    self._open[name] = SharedStore(self.folder / f"{name}.db")
                return ["done", ANSWERS[what](self._open[name], *arguments)]
            except Blocked as why:
                return ["blocked", str(why), why.holder]
            except BadInput as why:
                return ["refused", str(why)]
            except CourseError as why:
                return ["failed", str(why)]
            except Exception as why:  # noqa: BLE001 - the client is told, and the others are served
                return ["failed", f"The process that serves the stores failed at a request: {in_one_line(why)}."]


def origin_of(found: dict[str, Value]) -> Origin:
    """Return an origin as it was before it was sent."""
    return Origin(**found | {"inputs": tuples(found["inputs"])})


def _do(store: Store, part: str, verb: str, arguments: list[Value], origin: dict[str, Value]) -> Value:
    reply = store.do(part, verb, *arguments, origin=origin_of(origin))
    return [reply.value, reply.received, reply.sent]


def _waits_for(store: Store, part: str, verb: str, arguments: list[Value]) -> Value:
    why = store.waits_for(part, verb, *arguments)
    return None if why is None else [str(why), why.holder]


ANSWERS: dict[str, Callable[..., Value]] = {
    "do": _do,
    "waits_for": _waits_for,
    "fill": Store.fill,
    "prepare": Store.prepare,
    "look": Store.look,
    "held": lambda store, kind: list(store.held(kind).items()),
    "free": Store.free,
    "journal": lambda store, after: [dict(vars(entry)) for entry in store.journal(after)],
}


def _address_in(folder: Path) -> Address:
    """Return where a server listens: a socket in the closed folder, or, where that has too long a name, loopback."""
    path = str(folder / SOCKET)
    return path if hasattr(socket, "AF_UNIX") and len(path.encode()) <= LONGEST_PATH else ("127.0.0.1", 0)


class Service:
    """The process that serves the stores of a folder, as the one that has started it sees it.

    It ends with `stop`, which leaves the folder as it is; or with its parent, and then removes the folder.
    """

    def __init__(self, folder: FileName, module: str = __name__) -> None:
        """Start the process. `module` is the module to run; its import registers all operations of the stores.

        Raises `CourseError` if the process cannot start.
        """
        self.folder, key = Path(folder), secrets.token_bytes(KEY_BYTES)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupted cell interrupts the kernel, and nothing that it has started
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, stdout = self._process.stdin, self._process.stdout
        try:
            self._stdin.write(f"{key.hex()}\n".encode())
            self._stdin.flush()
            with stdout:
                said = stdout.readline()
            if not said:
                raise CourseError("The process that is to serve the stores of a run ended at once. Run again.")
            address, refusal = json.loads(said)
            if refusal is not None:
                raise CourseError(refusal)
            where = json.dumps({"address": address, "key": key.hex()})
            replaced(self.folder / WHERE, where, mode=0o600)
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def stop(self) -> None:
        """End the process; the stores are files that anybody of this user may open then."""
        if self._process.poll() is None:
            try:
                self._stdin.write(END + b"\n")
                self._stdin.close()
                self._process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                self.kill()
        (self.folder / WHERE).unlink(missing_ok=True)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        self._stdin.close()


def main(folder: FileName) -> None:
    """Serve the stores of a folder until standard input ends: the secret is its first line, `END` its last."""
    key = bytes.fromhex(sys.stdin.buffer.readline().decode())
    try:
        server, said = Server(folder, key), None
    except OSError as why:
        server = None
        said = f"No process can listen in {folder} ({why.strerror or why}). Look whether you may write there."
    with contextlib.suppress(BrokenPipeError):  # the parent has died already
        os.write(1, f"{json.dumps([server and server.address, said])}\n".encode())
    if server is None:
        return
    server.start()
    ending = list(heard_from_parent())
    server.stop()
    if ending != [END]:  # the parent has died: nobody will ever look into this folder
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
