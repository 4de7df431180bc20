"""Messages between the processes of one log: connections over the loopback that open with the log's secret.

Each message is a tuple that begins with a word. Nothing is unpickled before the secret has come.
"""

import contextlib
import hmac
import socket
import struct
from multiprocessing.connection import Connection, wait
from typing import Any

LOOPBACK = "127.0.0.1"
STALLED = 5  # s; half a message that is not followed by the rest counts as the end of its connection
LONGEST_SECRET = 100  # bytes


def connect(port: int, secret: bytes) -> Connection:
    """Return a connection to a `Port` of this machine. Raises `OSError` when nobody listens there."""
    connection = _connection(socket.create_connection((LOOPBACK, port), timeout=STALLED))
    connection.send_bytes(secret)
    return connection


def _connection(found: socket.socket) -> Connection:
    found.settimeout(None)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", STALLED, 0))
    return Connection(found.detach())


def arrived(connection: Connection) -> Any:
    """Return the message that has come over a connection, or None when it is at its end."""
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


def told(connection: Connection, *message: Any) -> bool:
    """Send a message; tell whether the connection still took it."""
    try:
        connection.send(message)
        return True
    except (OSError, ValueError):
        return False


class Port:
    """A port of the loopback, and the connections that were opened to it with the secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret, self._socket = secret, socket.socket()
        self._socket.bind((LOOPBACK, 0))
        self._socket.listen()
        self.number = self._socket.getsockname()[1]
        self._strangers, self._known = set(), set()

    def receive(self, seconds: float, *others: Connection) -> list[tuple[Connection, Any]]:
        """Wait up to `seconds` and return [(connection, message)] of what has come, here and over `others`.

        The message is None where a connection has ended.
        """
        found = []
        everybody: list[Any] = [self._socket, *self._strangers, *self._known, *others]
        ready: Any
        for ready in wait(everybody, seconds):
            if ready is self._socket:
                with contextlib.suppress(OSError):
                    self._strangers.add(_connection(self._socket.accept()[0]))
            elif ready in self._strangers:
                self._strangers.discard(ready)
                if self._introduced(ready):
                    self._known.add(ready)
                else:
                    ready.close()
            else:
                message = arrived(ready)
                found.append((ready, message))
                if message is None:
                    self._known.discard(ready)
                    ready.close()
        return found

    def _introduced(self, stranger: Connection) -> bool:
        try:
            return hmac.compare_digest(stranger.recv_bytes(LONGEST_SECRET), self._secret)
        except (EOFError, OSError):
            return False

    def close(self) -> None:
        """Close the port and its connections."""
        for one in (self._socket, *self._strangers, *self._known):
            one.close()
