"""A wire between clients and one broker that loses answers or holds requests, as a trial says."""

import contextlib
import dataclasses
import socket
import struct
import threading
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, BinaryIO

from ....errors import CourseError
from ....servers.where import Where

PRODUCE, METADATA, FIND_COORDINATOR, END_TXN, DESCRIBE_CLUSTER = 0, 3, 10, 26, 60  # Kafka's keys of requests
ADDRESSES = (METADATA, FIND_COORDINATOR, DESCRIBE_CLUSTER)  # whose answers say where brokers are
HELD, LOST, LOST_ONCE = "held", "lost", "lost once"
SECONDS = 30.0


class Proxy(ThreadingTCPServer):
    """Passes requests on to a broker and its answers back; a client that connects to `where` meets no other address.

    Where an answer names the broker's address, the proxy puts its own. `faults` says what becomes of the requests of
    a key: the request is "held" until it is released, or its answer is "lost" or "lost once", and the connection ends
    with it. `happened` is set when something was lost or is being held.
    """

    daemon_threads = True

    def __init__(self, where: Where) -> None:
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        own, (host, port) = self.server_address[1], where.hosts[0]
        self.where, self._broker = dataclasses.replace(where, servers=f"127.0.0.1:{own}"), (host, port)
        self._theirs, self._own = (host.encode() + struct.pack(">i", one) for one in (port, own))  # as in answers
        self.faults: dict[int, str] = {}
        self.happened, self._goes_on, self._passed = threading.Event(), threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def wait(self) -> None:
        """Wait until something was lost or is being held. Raises `CourseError` after 30 s."""
        if not self.happened.wait(SECONDS):
            raise CourseError(
                f"The client did not send the awaited request within {SECONDS:g} s. Run the cell again."
            )

    def release(self) -> None:
        """Let what is held go on, and wait until the broker has answered it."""
        self._goes_on.set()
        self._passed.wait(SECONDS)

    def finish_request(self, request: Any, _: object) -> None:
        """Serve a client, in a thread of its own, until one side is gone."""
        with contextlib.suppress(OSError, struct.error), socket.create_connection(self._broker) as broker:
            asked, answered = request.makefile("rb"), broker.makefile("rb")
            while True:
                message = _message(asked)
                (key,) = struct.unpack_from(">h", message, 4)
                fault = self.faults.get(key)
                if fault == HELD:
                    self.happened.set()
                    self._goes_on.wait()
                elif fault == LOST_ONCE:
                    del self.faults[key]
                broker.sendall(message)
                answer = _message(answered)
                if fault == HELD:
                    self._passed.set()
                elif fault:
                    self.happened.set()
                    return
                request.sendall(answer.replace(self._theirs, self._own) if key in ADDRESSES else answer)

    def server_close(self) -> None:
        """Take no more connections, and let what is held go on."""
        self._goes_on.set()
        self.shutdown()
        super().server_close()


def _message(end: BinaryIO) -> bytes:
    """Read one message. Raises `struct.error` when the other side is gone."""
    head = end.read(4)
    return head + end.read(*struct.unpack(">i", head))
