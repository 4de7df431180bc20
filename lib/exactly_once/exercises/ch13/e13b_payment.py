"""Exercise 13b: a payment in PostgreSQL at serializable, whatever becomes of its statements and its connection."""

from ...errors import OutcomeUnknown
from ...stores.isolation.errors import SerializationFailure
from .struck import Server, Struck

REFUSED, LOST, DONE = "40001", "the connection is lost", "it is done, and the connection is lost"
BESIDE = "another consumer pays the same order first"  # not behind a write, whose lock it would wait for
BALANCE = 100


class Database(Server):
    """PostgreSQL, as one connection sees it; a transaction reads and writes rows by name."""

    CALLS = ((7, 30), (8, 30), (7, 30))  # order 7 is delivered twice

    def __init__(self, mishaps):
        super().__init__(mishaps)
        self.rows, self.open, self.seen = {"balance": BALANCE}, None, None

    def begin(self):
        """Begin a transaction at serializable."""
        if self.open is not None:
            raise RuntimeError("a transaction is open already")
        self._carried("begin()", LOST)
        self.open, self.seen = dict(self.rows), self.rows

    def read(self, row):
        """Return a row's value, or None where there is none."""
        self._carried(f"read({row!r})", REFUSED, LOST, within=True)
        return self.open.get(row)

    def write(self, row, value):
        """Write a row."""
        self._carried(f"write({row!r}, {value!r})", REFUSED, LOST, within=True, writes=True)
        self.open[row] = value

    def commit(self):
        """Commit the transaction."""
        self._carried("commit()", REFUSED, LOST, DONE, within=True)
        self.rows, self.open = self.open, None

    def rollback(self):
        """Roll the transaction back, if one is open."""
        self.lines.append("rollback()")
        self.open = None

    def _carried(self, words, *kinds, within=False, writes=False):
        if within and self.open is None:
            raise RuntimeError(f"{words} outside of a transaction")
        met = self.asked(words, *kinds, *[BESIDE] * (self.open in (None, self.seen)))
        if met == BESIDE:
            other = Database({})
            other.rows = self.rows
            self.beside(other)
            self.rows, met = other.rows, ""
        if writes and self.rows != self.seen:
            met = REFUSED
            self.lines[-1] = f"{words}: {met}"
        if met == DONE:
            self.rows = self.open
        if met:
            self.open = None
        if met == REFUSED:
            raise SerializationFailure("could not serialize access due to concurrent update")
        if met:
            raise OutcomeUnknown(f"No answer to {words}: the connection was lost.")

    def told(self):
        """Each order is paid once, and nothing is left open."""
        if self.open is not None:
            return "When your function returns, a transaction is open."
        wanted = BALANCE - sum(dict(self.CALLS).values())
        paid = self.rows["balance"]
        if paid == wanted:
            return ""
        how = "an order was paid twice" if paid < wanted else "an order was not paid"
        return f"The balance is {paid} and should be {wanted}: {how}."


TASK = Struck(
    answer="pay",
    server=Database,
    form="a function, pay(database, order, amount)",
    calls=(
        ("database.begin()", "begin a transaction, at serializable"),
        ("database.read(row)", "a row's value, or None"),
        ("database.write(row, value)", "write a row"),
        ("database.commit()", "commit"),
        ("database.rollback()", "roll back what is open"),
    ),
    praise="Each order is paid once, after each of {tried} lists of up to two mishaps: refused statements, lost "
    "connections, a commit whose answer is lost, and another consumer that pays the same order meanwhile.",
)
