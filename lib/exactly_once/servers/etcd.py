"""A store in the keys of an etcd cluster, over its JSON gateway; and the keys as etcd's own clients see them.

A part is one key: its value holds the part's contents, the version of its cell, and its Lamport stamp. An operation
reads its parts, and writes all of them and the journal's lines in one transaction of etcd, on the condition that no
`mod_revision` has changed; if one has, nothing took place, and it is tried again. etcd's own `version` would not do:
it begins anew after a deletion, so that a key which was deleted and made again looks as before.
"""

import base64
import contextlib
import http.client
import json
import re
import threading
import time
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from ..errors import CourseError, OutcomeUnknown, in_one_line, one_of
from ..stores.codec import Value, decode, encode, tuples
from ..stores.interface import Entry, Store, again_after
from ..stores.operations import KINDS, Content
from .where import Where

ANSWER_SECONDS = 20.0  # that a client waits for an answer, and for a server that is being started again
PREFIX = "exactly-once/"  # of all keys
LOST = (4, 13, 14)  # gRPC's codes for a request whose outcome is open: a time-out, a failure inside, no leader
NO_TOKEN = re.compile("auth token|user name is empty|revision in header is old|not enabled")
Target = Literal["VERSION", "CREATE", "MOD"]
FIELDS: dict[Target, str] = {"VERSION": "version", "CREATE": "create_revision", "MOD": "mod_revision"}


class Client:
    """A connection to an etcd cluster named by URL, for any thread, one at a time.

    The URL is etcd://user:password@host:port,host:port; in place of the password `?passfile=` may name a file.
    """

    def __init__(self, url: str) -> None:
        said = Where.parse(url, "etcd")
        self.user, self.password = said.user or "", said.password or ""
        self.members, self.where = said.servers.split(","), f"etcd://{said.servers}"
        self._lock = threading.RLock()
        self._connection: http.client.HTTPConnection | None = None
        self._token = ""

    def ask(self, path: str, again: bool = False, **body: Any) -> dict[str, Any]:
        """Send a request, and return its answer. One that changes nothing may be sent `again` after a failure.

        Raises `OutcomeUnknown` when no answer comes, and `CourseError` when no member can be reached, or refuses.
        """
        deadline = time.monotonic() + ANSWER_SECONDS
        with self._lock:
            while True:
                late = time.monotonic() > deadline
                connection = self._connected(deadline)
                try:
                    if self.user and not self._token and path != "auth/authenticate":
                        self._token = self.ask("auth/authenticate", True, name=self.user, password=self.password)[
                            "token"
                        ]
                    connection.request("POST", f"/v3/{path}", json.dumps(body), {"Authorization": self._token})
                    reply = connection.getresponse()
                    answer = json.loads(reply.read())
                    if reply.status == http.client.OK:
                        return answer
                    error = answer["message"]
                except (OSError, http.client.HTTPException, ValueError) as why:
                    self.close()
                    error, answer = in_one_line(why), {"code": LOST[0]}
                if self._token and not late and NO_TOKEN.search(error):  # refused before anything took place
                    self._token = ""
                elif answer.get("code") not in LOST:
                    raise CourseError(f"The etcd cluster {self.where} refused a request: {error.rstrip('.')}.")
                elif late or not again:
                    self.close()
                    raise OutcomeUnknown(f"No answer came from {self.where} ({error}): it was done or it was not.")

    def _connected(self, deadline: float) -> http.client.HTTPConnection:
        """Return the connection, made anew where it was lost, to the next member that takes one."""
        while self._connection is None:
            self.members = [*self.members[1:], self.members[0]]
            new = http.client.HTTPConnection(self.members[0], timeout=ANSWER_SECONDS)
            try:
                new.connect()
                self._connection = new
            except OSError as why:
                if time.monotonic() > deadline:
                    raise CourseError(
                        f"No member of {self.where} can be reached ({in_one_line(why)}). Look whether it runs."
                    ) from None
                time.sleep(0.02)
        return self._connection

    def close(self) -> None:
        """Close the connection; the next request makes a new one."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class Changed(Exception):
    """Another client has changed the store meanwhile, so nothing took place."""


class EtcdStore(Store):
    """One system in the keys below one prefix, for any thread of a process, one at a time.

    It has no lock that others hear of: an operation is tried again if another came in between (H. T. Kung and J. T.
    Robinson, On Optimistic Methods for Concurrency Control, ACM TODS 6(2), 1981).
    Raises `OutcomeUnknown` for an operation whose answer does not come, and `CourseError` when no member answers, or
    etcd refuses.
    """

    def __init__(self, url: str, name: str, prefix: str | None = None) -> None:
        """`url` is as for `Client`; `prefix` of the keys, below "exactly-once/", is by default `name`."""
        self.client, self.name, self.prefix = Client(url), name, f"{PREFIX}{prefix or name}/"
        self._lock = threading.RLock()
        self._seen: dict[str, tuple[int, str, dict[str, Any]]] = {}  # {part: (mod_revision, text, what it holds)}
        self._new: list[Entry] = []

    _again = again_after(Changed)
    do, fill, prepare, free = _again(Store.do), _again(Store.fill), _again(Store.prepare), _again(Store.free)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._looking():
            yield
            same = [
                {"key": self._key(part), "target": "MOD", "result": "EQUAL", "mod_revision": str(revision)}
                for part, (revision, _, _) in self._seen.items()
            ]
            after = {part: (text, json.dumps(held)) for part, (_, text, held) in self._seen.items()}
            puts = [(self._key(part), text) for part, (before, text) in after.items() if text != before]
            for entry in self._new:
                line = vars(entry) | {"value": encode(entry.value), "inputs": encode(entry.inputs)}
                puts.append((self._key(f"{entry.part}/{entry.received}", "journal"), json.dumps(line)))
            made = [{"request_put": {"key": key, "value": packed(text)}} for key, text in puts]
            if not self.client.ask("kv/txn", compare=same, success=made).get("succeeded"):
                raise Changed

    @contextlib.contextmanager
    def _looking(self) -> Iterator[None]:
        with self._lock:
            self._seen, self._new = {}, []
            yield

    def _held(self, part: str) -> dict[str, Any]:
        """Return what a part holds, {kind: content}, and its stamp, as this operation has it."""
        if part not in self._seen:
            found = self.client.ask("kv/range", True, key=self._key(part)).get("kvs", [])
            text = unpacked(found[0]["value"]) if found else "{}"
            self._seen[part] = int(found[0]["mod_revision"]) if found else 0, text, json.loads(text)
        return self._seen[part][2]

    def _get(self, kind: str, part: str) -> Content:
        return tuples(self._held(part).get(kind, KINDS[kind].empty))

    def _put(self, kind: str, part: str, content: Content) -> None:
        self._held(part)[kind] = content

    def _clock(self, part: str) -> int:
        return self._held(part).get("stamp", 0)

    def _note(self, entry: Entry) -> None:
        self._held(entry.part)["stamp"] = entry.sent
        self._new.append(Entry(**vars(entry) | {"wall": time.time()}))

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        start = len(self.prefix) + len("parts/")
        found = {
            base64.b64decode(one["key"]).decode()[start:]: json.loads(unpacked(one["value"]))
            for one in self._all("parts")
        }
        contents = {part: tuples(held[kind]) for part, held in found.items() if kind in held}
        return {part: content for part, content in contents.items() if content != KINDS[kind].empty}

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on: in the order of etcd's revisions."""
        found = [(int(one["create_revision"]), json.loads(unpacked(one["value"]))) for one in self._all("journal")]
        found.sort(key=lambda one: (one[0], one[1]["place"]))
        return [
            Entry(**line | {"value": decode(line["value"]), "inputs": tuples(decode(line["inputs"]))})
            for _, line in found[after:]
        ]

    def _all(self, what: str) -> list[dict[str, str]]:
        return self.client.ask(
            "kv/range", True, key=self._key("", what), range_end=end_of(f"{self.prefix}{what}/")
        ).get("kvs", [])

    def _key(self, name: str, what: str = "parts") -> str:
        return packed(f"{self.prefix}{what}/{name}")

    def remove(self) -> None:
        """Remove all keys of the store."""
        self.client.ask("kv/deleterange", True, key=packed(self.prefix), range_end=end_of(self.prefix))

    def close(self) -> None:
        """Close the connection; the next operation makes a new one."""
        self.client.close()


class Key(NamedTuple):
    """What etcd says of a key that is there. Source: mvccpb/kv.proto.

    `version` counts the changes since it was made; the revisions of its making and of its last change are numbers of
    the whole cluster's changes.
    """

    value: Value
    version: int
    create_revision: int
    mod_revision: int


class EtcdKeys:
    """The keys below "exactly-once/" of the cluster at a URL, as for `Client`. Raises as that does."""

    def __init__(self, url: str) -> None:
        self.client = Client(url)

    def get(self, name: str) -> Key | None:
        """Return a key, or None where it is not there."""
        found = self.client.ask("kv/range", True, key=_key(name)).get("kvs", [])
        if not found:
            return None
        return Key(json.loads(unpacked(found[0]["value"])), *(int(found[0][field]) for field in FIELDS.values()))

    def put(self, name: str, value: Value) -> None:
        """Write a key, whatever is there."""
        self.client.ask("kv/put", key=_key(name), value=packed(json.dumps(value)))

    def delete(self, name: str) -> None:
        """Delete a key, if it is there."""
        self.client.ask("kv/deleterange", key=_key(name))

    def put_if(self, name: str, value: Value, target: Target, number: int) -> bool:
        """Write a key if its number `target` is this one, 0 for a key that is not there; return whether it was."""
        field = FIELDS[one_of("target", target, FIELDS)]
        guard: dict[str, Any] = {"key": _key(name), "target": target, "result": "EQUAL", field: str(number)}
        put = {"request_put": {"key": _key(name), "value": packed(json.dumps(value))}}
        return bool(self.client.ask("kv/txn", compare=[guard], success=[put]).get("succeeded"))

    def close(self) -> None:
        """Close the connection; the next request makes a new one."""
        self.client.close()


def _key(name: str) -> str:
    return packed(f"{PREFIX}{name}")


def packed(text: str) -> str:
    """Return a text as the gateway takes keys and values."""
    return base64.b64encode(text.encode()).decode()


def unpacked(text: str) -> str:
    """Return the text of a key or a value as the gateway gives it."""
    return base64.b64decode(text).decode()


def end_of(prefix: str) -> str:
    """Return the end of the range of all keys with a prefix: the next text of its length."""
    return packed(prefix[:-1] + chr(ord(prefix[-1]) + 1))
