"""A wire between clients and one broker that loses answers or holds requests, as a trial says."""

import contextlib
import dataclasses
import socket
import struct
import threading
from contextlib import AbstractContextManager
from typing import BinaryIO

from ....errors import CourseError
from ....servers.where import Where

PRODUCE, METADATA, FIND_COORDINATOR, END_TXN, DESCRIBE_CLUSTER = 0, 3, 10, 26, 60  # Kafka's keys of requests
ADDRESSES = (METADATA, FIND_COORDINATOR, DESCRIBE_CLUSTER)  # whose answers say where brokers are
SECONDS = 30.0


class Proxy(AbstractContextManager["Proxy"]):
    """Passes requests on to a broker and its answers back; a client that connects to `where` meets no other address.

    Where an answer names the broker's address, the proxy puts its own. `happened` is set when something was lost or
    is being held, `passed` when what was held has got to the broker, and the broker has answered.
    """

    def __init__(self, where: Where) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.here: tuple[str, int] = self._listener.getsockname()
        self.where = dataclasses.replace(where, servers=f"{self.here[0]}:{self.here[1]}")
        self._broker = where.hosts[0]
        self._lost: dict[int, bool] = {}
        self._held: dict[int, threading.Event] = {}
        self.happened, self.passed = threading.Event(), threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self, request: int, once: bool = False) -> None:
        """Lose all answers to requests of this key, or the next one alone (`once`): the connection ends with it."""
        self._lost[request] = once

    def hold(self, request: int) -> threading.Event:
        """Hold all requests of this key back until the event that is returned is set; then they go on."""
        return self._held.setdefault(request, threading.Event())

    def mend(self) -> None:
        """Lose nothing any more."""
        self._lost.clear()

    def wait(self) -> None:
        """Wait until something was lost or is being held. Raises `CourseError` after 30 s."""
        if not self.happened.wait(SECONDS):
            raise CourseError(
                f"The client did not send the awaited request within {SECONDS:g} s. Run the cell again."
            )

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError, struct.error), socket.create_connection(self._broker) as broker:
            asked, answered = client.makefile("rb"), broker.makefile("rb")
            while True:
                request = _message(asked)
                (key,) = struct.unpack_from(">h", request, 4)
                held = self._held.get(key)
                if held is not None:
                    self.happened.set()
                    held.wait()
                lost = key in self._lost
                if self._lost.get(key):
                    del self._lost[key]
                broker.sendall(request)
                answer = _message(answered)
                if held is not None:
                    self.passed.set()
                if lost:
                    self.happened.set()
                    return
                client.sendall(self._readdressed(answer) if key in ADDRESSES else answer)

    def _readdressed(self, answer: bytes) -> bytes:
        """Return an answer with the proxy's port for the broker's: a host's name stands before its port."""
        (host, port), (_, own) = self._broker, self.here
        return answer.replace(host.encode() + struct.pack(">i", port), host.encode() + struct.pack(">i", own))

    def __exit__(self, *_: object) -> None:
        """Take no more connections, and let what is held go on."""
        self._listener.close()
        for event in self._held.values():
            event.set()


def _message(end: BinaryIO) -> bytes:
    """Read one message. Raises `struct.error` when the other side is gone."""
    head = end.read(4)
    return head + end.read(*struct.unpack(">i", head))
