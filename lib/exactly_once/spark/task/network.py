"""The network of a run on the cluster: late requests, kept in a file until they are due, and the count of all
steps.
"""

from ...faults import LASTING
from ...node.world import Request
from ...stores import Origin
from ...stores.codec import decode, encode
from ...stores.file import SQLiteFile

NETWORK = "network"
SCHEMA = """
CREATE TABLE requests (number INTEGER PRIMARY KEY, store TEXT, part TEXT, verb TEXT, arguments TEXT, life INTEGER,
                       step INTEGER, item INTEGER, stamp INTEGER, inputs TEXT, due INTEGER, arrived INTEGER);
CREATE TABLE steps (number INTEGER PRIMARY KEY)
"""


def needs_network(plan):
    """Tell whether a plan has faults that last: only then steps are counted."""
    return any(fault.kind in LASTING for fault in plan.faults)


class Network(SQLiteFile):
    """Late requests. That one arrives is noted before it does, so none arrives twice; a kill in between loses it."""

    WHAT, APPLICATION, VERSION, SCHEMA = "network", 0x45584E31, 1, SCHEMA
    REMEDY = "delete it and run again; a run makes its own files"

    def count_step(self):
        """Count one more step of any incarnation."""
        with self.transaction():
            self.connection.execute("INSERT INTO steps VALUES (NULL)")

    def steps(self):
        """Return how many steps were begun."""
        with self.explained():
            return self.connection.execute("SELECT coalesce(max(number), 0) FROM steps").fetchone()[0]

    def post(self, request):
        """Keep a `Request` for as many steps as it says, or, where it says None, until the end."""
        row = [*_row(request), request.until and self.steps() + request.until]
        with self.transaction():
            self.connection.execute(f"INSERT INTO requests VALUES (NULL, {', '.join('?' * len(row))}, 0)", row)

    def take(self, which="due", number=None):
        """Return the next request of those that are "due", or of "all", or the one with this `number`, or None; it
        has arrived by that.
        """
        where, values = {"due": ("due <= ?", [self.steps()]), "all": ("1", [])}[which]
        if number is not None:
            where, values = "number = ?", [number]
        with self.transaction():
            row = self.connection.execute(
                "SELECT number, store, part, verb, arguments, life, step, item, stamp, inputs FROM requests "
                f"WHERE arrived = 0 AND {where} ORDER BY number LIMIT 1",
                values,
            ).fetchone()
            if row is None:
                return None
            self.connection.execute("UPDATE requests SET arrived = 1 WHERE number = ?", row[:1])
        return _request(row[1:])


def _row(request):
    """Return a request as plain values."""
    origin = request.origin
    return [
        request.store, request.part, request.verb, encode(list(request.arguments)), origin.life, origin.step,
        origin.item, origin.stamp, encode(list(map(list, origin.inputs))),
    ]  # fmt: skip


def _request(row):
    """Return the `Request` of a row."""
    inputs = tuple(map(tuple, decode(row[8])))
    return Request(row[0], row[1], row[2], tuple(decode(row[3])), Origin(*row[4:8], inputs))
