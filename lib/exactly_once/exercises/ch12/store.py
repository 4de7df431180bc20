"""The store of a sink that is searched (for 12e), and a call of the sink's, which makes requests to it.

A call is carried out again from its beginning for each request, with the answers that it has had so far. So any two
calls can interleave at any request, and a call can stop for good at each of them.
"""

import hashlib
import marshal
from typing import NamedTuple

from ...errors import CourseError, OutcomeUnknown

PLAIN = "numbers, texts, None, lists, tuples, sets and dictionaries"
MANIFEST = "manifest/"
UNKNOWN = "no reply"


class Suspended(BaseException):
    """A call has made a request that has no answer yet. No error, so that no handler of a program's catches it."""


class Store:
    """What a sink sees of the store: four requests, and names that nobody else gets."""

    def __init__(self, call):
        self._call, self._place, self._names, self._request = call, 0, 0, None

    def put(self, name, value):
        """Write a file, over the old one if there is one."""
        self._ask("put", name, packed(value, "put takes"))

    def put_if_absent(self, name, value):
        """Write a file if there is none of this name, in one step. Return whether it was written."""
        return self._ask("put_if_absent", name, packed(value, "put_if_absent takes"))

    def get(self, name):
        """Return the contents of a file, or None."""
        found = self._ask("get", name)
        return None if found is None else marshal.loads(found)

    def delete(self, name):
        """Delete a file, if it is there."""
        self._ask("delete", name)

    def unique(self):
        """Return a name that no other call gets, of any driver, as `uuid.uuid4` does."""
        self._names += 1
        return hashlib.md5(f"{self._call.who} {self._names}".encode()).hexdigest()[:6]

    def _ask(self, *request):
        if not isinstance(request[1], str):
            raise TypeError(f"the name of a file is {request[1]!r}; give a text")
        if self._request is not None or self._place == len(self._call.heard):
            self._request = self._request or request
            raise Suspended
        before, answer = self._call.heard[self._place]
        if before != request:
            raise CourseError(
                "The same call makes another request when it is carried out again: your sink goes by chance or by "
                "the time of day. Take names from store.unique()."
            )
        self._place += 1
        if answer == UNKNOWN:
            raise OutcomeUnknown(f"No reply to {request[0]}({request[1]!r}).")
        return answer


class Call(NamedTuple):
    """A call that is under way: `who` is (life, batch, method, partition, attempt).

    `arguments` are packed. `heard` are its requests with their answers, and `names` the files that the attempts wrote
    whose messages it was given.
    """

    who: tuple
    arguments: bytes
    heard: tuple = ()
    names: tuple = ()

    @property
    def wrote(self):
        """The files that it has written."""
        puts = [request[1] for request, said in self.heard if request[0] == "put" or said is True]
        return tuple(name for name in puts if not name.startswith(MANIFEST))

    def __str__(self):
        life, batch, method, partition, attempt = self.who
        if method == "write":
            return f"Driver {life}, batch {batch}, write of partition {partition}, attempt {attempt}"
        return f"Driver {life}, {method} of batch {batch}"


def packed(value, who):
    """Return a value as bytes. Raises `TypeError` for one that is not plain."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        raise TypeError(f"{who} {PLAIN}") from None
