"""A connection to one Kafka broker, and records as it keeps them, which kafka-python encodes and decodes.

No retry, no batching, no state of a producer: whoever asks says each number, as a case or a handler that is being
examined must. What is wrong in a request, a broker refuses. A request is one of the classes of `kafka.protocol`, with
the `version` that it is sent in.
"""

import socket
import time
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from kafka.errors import KafkaError, for_code
from kafka.protocol.parser import KafkaProtocol
from kafka.protocol.sasl import SaslAuthenticateRequest, SaslHandshakeRequest
from kafka.record.memory_records import MemoryRecordsBuilder

from ...errors import CourseError, OutcomeUnknown
from ...servers.where import Where
from ...stores.codec import Value, decode, encode
from ..client.partitioner import key_bytes
from ..storage.records import Pair

Row: TypeAlias = tuple[bytes | None, bytes | None, dict[str, bytes]]  # a record's key, value and headers
SECONDS = 30.0  # that an answer may take: request.timeout.ms; and that a request is made again for
CHUNK = 1 << 16
NO_LIMIT = 1 << 31  # bytes of a batch: the broker has a limit
RENAMED = {-1: "UNKNOWN_SERVER_ERROR", 6: "NOT_LEADER_OR_FOLLOWER", 10: "MESSAGE_TOO_LARGE"}  # since kafka-python's
KIND = "eo-kind"  # the header that says what key and value are: s text, j JSON as `stores.codec` writes it, b bytes


class NotSent(OutcomeUnknown):
    """Nobody listens there: the request was not sent. To be tried again as what is unknown is."""


class Connection:
    """A connection to one broker, logged in. One request at a time."""

    def __init__(self, host: str, port: int, where: Where) -> None:
        self._protocol, self.closed = KafkaProtocol(client_id="exactly-once"), False
        try:
            self._socket = socket.create_connection((host, port), SECONDS)
        except OSError as why:
            raise NotSent(f"Kafka at {host}:{port} cannot be reached ({why.strerror or why}).") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if where.user is not None:
            login = f"\0{where.user}\0{where.password}".encode()
            try:
                self.ask(SaslHandshakeRequest("PLAIN", version=1))
                said = self.ask(SaslAuthenticateRequest(login, version=1))
            except OutcomeUnknown as why:  # a broker that dies while it takes the connection
                raise NotSent(f"Kafka at {host}:{port} has hung up at the login, before any request. {why}") from None
            if said.error_code:
                self.close()
                raise CourseError(f"Kafka at {host}:{port} refuses the login of {where.user!r}: {said.error_message}")

    def ask(self, request: Any) -> Any:
        """Send a request, and return the response; None for acks=0. Raises `OutcomeUnknown` when none comes."""
        self._protocol.send_request(request)
        try:
            self._socket.sendall(self._protocol.send_bytes())
            while request.expect_response():
                more = self._socket.recv(CHUNK)
                if not more:
                    raise ConnectionError("the broker has closed the connection")
                for _, response in self._protocol.receive_bytes(more):
                    return response
        except (OSError, KafkaError) as why:  # the latter where the bytes are no answer of a broker
            self.close()
            message = type(request).__name__.removesuffix("Request")
            raise OutcomeUnknown(
                f"No answer to {message} ({why}): the broker may have carried it out, or not."
            ) from None

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        self._socket.close()


def error_named(code: int) -> str | None:
    """Return Kafka's name of an error, or None for code 0."""
    return (RENAMED.get(code) or for_code(code).message) if code else None


def packed(record: Value) -> Row:
    """Return (key, value, headers) of a value or a `Pair`, as Kafka keeps them.

    Text is its UTF-8, so that every client can read it. Raises `BadInput` for a key or a value of another kind.
    """
    key, value = record if isinstance(record, Pair) else (None, record)
    kind = "b" if value is None or isinstance(value, bytes) else "s" if isinstance(value, str) else "j"
    data = value if kind == "b" else (value if kind == "s" else encode(value)).encode()
    headers = {KIND: (("b" if isinstance(key, bytes) else "s") + kind).encode()}
    return None if key is None else key_bytes(key), data, headers


def unpacked(key: bytes | None, value: bytes | None, headers: Mapping[str, bytes]) -> tuple[Any, Value]:
    """Return the key and the value that `packed` wrote.

    A record that others wrote is text where it is UTF-8.
    """
    found: list[Any] = []
    for kind, data in zip(headers.get(KIND, b"ss").decode(), (key, value), strict=True):
        if data is None or kind == "b":
            found.append(data)
        else:
            found.append(decode(data.decode()) if kind == "j" else data.decode(errors="surrogateescape"))
    return found[0], found[1]


def batch(records: Iterable[Row], transactional: bool, *whom: int | None) -> bytes:
    """Return records as one batch of version 2 of a producer's id, epoch and sequence number, -1 for nobody's."""
    made = MemoryRecordsBuilder(2, 0, NO_LIMIT, 0, transactional, *whom)
    now = int(time.time() * 1000)
    for key, value, headers in records:
        made.append(now, key, value, list(headers.items()))
    made.close()
    return bytes(made.buffer())
