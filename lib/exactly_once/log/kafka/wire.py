"""Kafka's protocol, request by request: a connection, the encoding of messages, and that of record batches.

`protocol.txt` has the messages' fields, as the classes of kafka-clients name them. No retry, no batching, no state of
a producer: whoever asks says each number, as a case or a handler that is being examined must. Source of the record
batch: Kafka's documentation, "Record Batch"; what is wrong in it, a broker refuses.
"""

import contextlib
import functools
import itertools
import re
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...errors import CourseError, OutcomeUnknown
from ...servers.kafka.where import Where

Field: TypeAlias = tuple[str, Any]  # a name and a type: a text, (text, element) of an array, or a list of fields
SECONDS = 30.0  # that an answer may take: request.timeout.ms
CLIENT_ID = "exactly-once"
TOKEN = re.compile(r"[{}\[\]]|[\w?]+:?")
INTEGERS = {"int8": ">b", "int16": ">h", "int32": ">i", "int64": ">q", "boolean": ">?"}
TRANSACTIONAL, CONTROL = 0x10, 0x20
HEADER = struct.Struct(">qiibIhiqqqhii")


@functools.cache
def _protocol() -> tuple[dict[tuple[str, int], tuple[int, list[Field]]], dict[int, str]]:
    """Return {(message, version): (key, fields)} and {code: name} of the errors."""
    messages, errors = {}, {}
    for line in Path(__file__).with_name("protocol.txt").read_text().splitlines():
        if line[0] == "#":
            continue
        name, *rest = line.split(" ", 3)
        if len(rest) == 1:
            errors[int(name)] = rest[0]
        else:
            messages[name, int(rest[1])] = int(rest[0]), _parsed(iter(TOKEN.findall(rest[2])))
    return messages, errors


def _parsed(tokens: Iterator[str], array: str | None = None) -> Any:
    """Return the type that the tokens name."""
    token = next(tokens)
    if token == "{":
        fields = []
        for name in tokens:
            if name == "}":
                return fields
            fields.append((name.rstrip(":"), _parsed(tokens)))
    if token == "[" or token in ("compact", "?", "compact?"):
        if token != "[":
            next(tokens)
        element = _parsed(tokens)
        next(tokens)
        return token.strip("[?") or "plain", element
    return token


def error_named(code: int) -> str | None:
    """Return Kafka's name of an error, or None for code 0."""
    return _protocol()[1].get(code)


def varint(number: int) -> bytes:
    """Return a whole number from 0 on in groups of seven bits, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def zigzag(number: int) -> bytes:
    """Return a signed whole number as `varint` of its zigzag code."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


class Reader:
    """Reads values from bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        """Return the next bytes. Raises `ValueError` when there are fewer."""
        if size < 0 or self.at + size > len(self.data):
            raise ValueError(f"{size} bytes were asked for at {self.at} of {len(self.data)}")
        self.at += size
        return self.data[self.at - size : self.at]

    def unpack(self, form: str) -> Any:
        """Return the next number."""
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def varint(self) -> int:
        """Return the next number that `varint` wrote."""
        found = shift = 0
        while True:
            byte = self.take(1)[0]
            found |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return found

    def zigzag(self) -> int:
        """Return the next number that `zigzag` wrote."""
        found = self.varint()
        return found >> 1 ^ -(found & 1)

    def value(self, kind: Any) -> Any:
        """Return the next value of a type: of a struct a dictionary, of an array a list."""
        if isinstance(kind, list):
            return {name: self.value(each) for name, each in kind}
        if isinstance(kind, tuple):
            size = self.varint() - 1 if kind[0] == "compact" else self.unpack(">i")
            return None if size < 0 else [self.value(kind[1]) for _ in range(size)]
        if kind in INTEGERS:
            return self.unpack(INTEGERS[kind])
        if kind == "tags":
            for _ in range(self.varint()):
                self.varint()
                self.take(self.varint())
            return None
        size = self.varint() - 1 if "compact" in kind else self.unpack(">h" if "string" in kind else ">i")
        found = None if size < 0 else self.take(size)
        return found.decode() if found is not None and "string" in kind else found


def encoded(kind: Any, value: Any) -> bytes:
    """Return a value of a type as bytes: a struct is given as a tuple of its fields, without tags."""
    if isinstance(kind, list):
        values = iter(value)
        return b"".join(b"\0" if each == "tags" else encoded(each, next(values)) for _, each in kind)
    if isinstance(kind, tuple):
        size = -1 if value is None else len(value)
        head = varint(size + 1) if kind[0] == "compact" else struct.pack(">i", size)
        return head + b"".join(encoded(kind[1], each) for each in value or ())
    if kind in INTEGERS:
        return struct.pack(INTEGERS[kind], value)
    data = value.encode() if isinstance(value, str) else value
    size = -1 if data is None else len(data)
    head = varint(size + 1) if "compact" in kind else struct.pack(">h" if "string" in kind else ">i", size)
    return head + (data or b"")


class Connection:
    """A connection to one broker, logged in. One request at a time."""

    def __init__(self, host: str, port: int, where: Where, seconds: float = SECONDS) -> None:
        self._numbers, self.seconds, self.closed = itertools.count(), seconds, False
        try:
            self._socket = socket.create_connection((host, port), seconds)
        except OSError as why:
            raise NotSent(f"Kafka at {host}:{port} cannot be reached ({why.strerror or why}).") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if where.user is not None:
            try:
                self.ask("SaslHandshake", 1, "PLAIN")
                said = self.ask("SaslAuthenticate", 1, f"\0{where.user}\0{where.password}".encode())
            except OutcomeUnknown as why:  # a broker that dies while it takes the connection
                raise NotSent(f"Kafka at {host}:{port} has hung up at the login, before any request. {why}") from None
            if said["error_code"]:
                self.close()
                raise CourseError(
                    f"Kafka at {host}:{port} refuses the login of {where.user!r}: {said['error_message']}"
                )

    def ask(self, message: str, version: int, *values: Any) -> dict[str, Any]:
        """Send a request, and return the fields of the response. Raises `OutcomeUnknown` when none comes."""
        self.send(message, version, *values)
        return self.answer(message, version)

    def send(self, message: str, version: int, *values: Any) -> None:
        """Send a request, and do not wait. Raises `OutcomeUnknown` when the connection is gone."""
        key, fields = _protocol()[0][f"{message}Request", version]
        tags = b"\0" if fields[-1][1] == "tags" else b""
        head = struct.pack(">hhi", key, version, next(self._numbers)) + encoded("string", CLIENT_ID) + tags
        data = head + encoded(fields, values)
        with self._lost(message):
            self._socket.sendall(struct.pack(">i", len(data)) + data)

    def answer(self, message: str, version: int) -> dict[str, Any]:
        """Wait for the response to the oldest request without one."""
        fields = _protocol()[0][f"{message}Response", version][1]
        with self._lost(message):
            self._socket.settimeout(self.seconds)
            (size,) = struct.unpack(">i", self._read(4))
            reader = Reader(self._read(size))
        reader.take(4)
        if fields[-1][1] == "tags":
            reader.value("tags")
        return reader.value(fields)

    def _read(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            more = self._socket.recv(size - len(found))
            if not more:
                raise ConnectionError("the broker has closed the connection")
            found += more
        return bytes(found)

    @contextlib.contextmanager
    def _lost(self, message: str) -> Iterator[None]:
        try:
            yield
        except OSError as why:
            self.close()
            raise OutcomeUnknown(
                f"No answer to {message} ({why}): the broker may have carried it out, or not."
            ) from None

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        self._socket.close()


class NotSent(OutcomeUnknown):
    """Nobody listens there: the request was not sent. To be tried again as what is unknown is."""


class Stored(NamedTuple):
    """A record of a batch; `headers` is {name: bytes}."""

    offset: int
    key: bytes | None
    value: bytes | None
    headers: dict[str, bytes]
    time: int = 0


class StoredBatch(NamedTuple):
    """A batch of a partition. `marker` is "commit" or "abort" for one that ends a transaction."""

    base: int
    end: int
    producer: int
    epoch: int
    sequence: int
    transactional: bool
    marker: str | None
    records: list[Stored]


def batch(
    records: Sequence[tuple[bytes | None, bytes | None, dict[str, bytes]]],
    producer: int = -1,
    epoch: int = -1,
    sequence: int = -1,
    transactional: bool = False,
) -> bytes:
    """Return (key, value, headers) records as one batch of version 2."""
    now, body = int(time.time() * 1000), b""
    for number, (key, value, headers) in enumerate(records):
        parts = [b"\0", zigzag(0), zigzag(number), _sized(key), _sized(value), zigzag(len(headers))]
        parts += [_sized(name.encode()) + _sized(content) for name, content in headers.items()]
        one = b"".join(parts)
        body += zigzag(len(one)) + one
    rest = TRANSACTIONAL * transactional, len(records) - 1, now, now, producer, epoch, sequence, len(records)
    checked = HEADER.pack(0, 0, 0, 0, 0, *rest)[21:] + body
    return HEADER.pack(0, len(checked) + 9, -1, 2, crc32c(checked), *rest)[:21] + checked


def _sized(data: bytes | None) -> bytes:
    return zigzag(-1) if data is None else zigzag(len(data)) + data


def batches(data: bytes) -> Iterator[StoredBatch]:
    """Yield the batches of a fetched piece of a partition; the last one may be cut off, and is left out."""
    at = 0
    while at + HEADER.size <= len(data):
        base, length, _, _, crc, attributes, delta, first, _, producer, epoch, sequence, count = HEADER.unpack_from(
            data, at
        )
        end = at + 12 + length
        if end > len(data):
            return
        if crc32c(data[at + 21 : end]) != crc:
            raise CourseError(f"The batch at offset {base} came with a wrong checksum. Fetch it again.")
        if attributes & 7:
            raise CourseError(
                f"The batch at offset {base} is compressed; produce with compression.type=none to read it here."
            )
        reader = Reader(data[at + HEADER.size : end])
        records = [_record(reader, base, first) for _ in range(count)]
        marker = None
        if attributes & CONTROL and records[0].key is not None:
            marker = {0: "abort", 1: "commit"}[struct.unpack_from(">hh", records[0].key)[1]]
        yield StoredBatch(
            base, base + delta + 1, producer, epoch, sequence, bool(attributes & TRANSACTIONAL), marker, records
        )
        at = end


def _record(reader: Reader, base: int, first: int) -> Stored:
    reader.zigzag()
    reader.take(1)
    time = first + reader.zigzag()
    offset = base + reader.zigzag()
    key, value = _data(reader), _data(reader)
    headers = {str(_data(reader), "utf-8"): _data(reader) or b"" for _ in range(reader.zigzag())}
    return Stored(offset, key, value, headers, time)


def _data(reader: Reader) -> Any:
    size = reader.zigzag()
    return None if size < 0 else reader.take(size)


@functools.cache
def _table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [(one >> 1) ^ (0x82F63B78 * (one & 1)) for one in table]
    return table


def crc32c(data: bytes) -> int:
    """Return the checksum CRC-32C (Castagnoli) of bytes."""
    found, table = 0xFFFFFFFF, _table()
    for byte in data:
        found = table[(found ^ byte) & 0xFF] ^ found >> 8
    return found ^ 0xFFFFFFFF
