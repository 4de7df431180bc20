"""Compare-and-swap by value and by version: a version tells a value that returned from one that never changed.

Two small systems that many change at once. The *number* is changed by adding to it; its changes are repeated when
their outcome is unknown. The *pile* is a stack of named things: each register "under NAME" holds the name of the next
lower thing. This structure shows the ABA problem (R. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ
5118, 1986; M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", on memory reclamation).
"""

from ..errors import OutcomeUnknown
from ..node.program import renamed
from .queue import EMPTY

NUMBER = "number"
TOP, BOTTOM = "top", "the bottom"
PILE = {"under B": BOTTOM, "under A": "B", TOP: "A"}


def repeating(registers, by):
    """Add to the number. When the outcome of a write is unknown, send the same write again.

    A refusal is taken for another's success, as it is where no reply is lost: all is done anew.
    """
    while True:
        seen, number = insist(registers.read, NUMBER)
        if insist(registers.cas, NUMBER, seen, (number or 0) + by):
            return


def signing(registers, by, who):
    """Add to the number exactly once, even if messages are lost: the register holds the number and its contributors.

    Each attempt first checks whether `who` is in the list already. Nobody removes a name, so a later change does not
    hide an earlier one.
    """
    while True:
        try:
            version, held = registers.read(NUMBER)
            number, done = held or [0, []]
            if who in done or registers.cas(NUMBER, version, [number + by, sorted([*done, who])]):
                return
        except OutcomeUnknown:
            pass  # the next look tells


def looking_for_own(registers, by, who):
    """Do as `signing`, but keep only the name of who changed the number last: the next change replaces it."""
    while True:
        try:
            version, held = registers.read(NUMBER)
            number, last = held or [0, None]
            if last == who or registers.cas(NUMBER, version, [number + by, who]):
                return
        except OutcomeUnknown:
            pass


def lay(registers):
    """Lay the pile, unless it lies there: A on B on the bottom."""
    for name, value in PILE.items():
        registers.cas(name, EMPTY, value)


def take(registers):
    """Take the top of the pile away and return its name, or None when nothing lies there."""
    while True:
        seen, top = registers.read(TOP)
        if top in (None, BOTTOM):
            return None
        under = registers.read(f"under {top}")[1]
        if registers.cas(TOP, seen, under):
            return top


def put_back(registers, name):
    """Put a thing that was taken away back on top of the pile."""
    while True:
        seen, top = registers.read(TOP)
        below, _ = registers.read(f"under {name}")
        registers.cas(f"under {name}", below, top)
        if registers.cas(TOP, seen, name):
            return


def takes_one(over=None):
    """Return a handler that takes one thing from the pile and keeps it; `over` makes its registers of the node's."""

    def handler(node):
        _keep(node, take(node.registers if over is None else over(node.registers)))

    return renamed(handler, "takes_one")


def takes_two_and_returns_one(over=None):
    """Return a handler that lays the pile, takes two things, puts the first back and keeps the second."""

    def handler(node):
        registers = node.registers if over is None else over(node.registers)
        lay(registers)
        first, second = take(registers), take(registers)
        if first is not None:
            put_back(registers, first)
        _keep(node, second)

    return renamed(handler, "takes_two_and_returns_one")


def kept_by_one(view):
    """An invariant for `prove`: nobody keeps a thing that another keeps, or that lies on the pile."""
    name = view.registers.get(TOP, BOTTOM)
    while name != BOTTOM:
        if view.look("kept", name, "table"):
            return f"{name} lies on the pile, and somebody has taken it away and keeps it"
        name = view.registers[f"under {name}"]
    twice = [name for name in ("A", "B") if view.look("kept", name, "table") > 1]
    return f"{twice[0]} is kept by two" if twice else True


def _keep(node, name):
    if name is not None:
        node.store("kept").add(name, 1)


def insist(operation, *arguments):
    """Ask until an answer comes. Harmless for idempotent operations: loads, reads, saves that overwrite."""
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            pass
