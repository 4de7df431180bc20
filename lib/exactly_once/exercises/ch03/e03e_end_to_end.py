"""Exercise 03e: a producer and a consumer that book each payment once, under any fault of either side."""

import functools
from dataclasses import dataclass

from ... import show as drawing
from ...node import LogSource, Numbers, Partition, Program
from ..kinds.kind import Specified
from ..kinds.proved import Proved, World
from ..kinds.reply import wrong

PAYMENTS = (("ann", 5), ("ann", 5), ("bob", 7))
LOG = Partition("payments")
FAULTS = (  # the faults, anywhere on either side, from the easiest to the hardest, and the numbers of payments
    ("Even when nothing goes wrong", {}, (1, 3)),
    ("One crash", {"crashes": 1}, (1, 2, 3)),
    ("One lost request", {"lost_requests": 1}, (1, 3)),
    ("One lost reply", {"lost_replies": 1}, (1, 3)),
    ("One request that arrives twice", {"duplicates": 1}, (1, 3)),
    ("One late request", {"late_requests": 1}, (1, 2)),
    ("One pause", {"pauses": 1}, (1, 2)),
    ("A crash and a lost reply", {"crashes": 1, "lost_replies": 1}, (1, 2)),
    ("A crash and a late request", {"crashes": 1, "late_requests": 1}, (1, 2)),
)


@dataclass(frozen=True)
class Payments(Numbers):
    """The payments that the producer is to send: each has an account as its key and an amount as its value."""

    def load_inputs(self, stores):
        """Put the payments where they are read from."""
        stores["engine"].fill("input.numbers", [[amount, account] for account, amount in PAYMENTS[: self.count]])


def booked_once(view, payments):
    """No account ever holds more than the sum of its payments, and in the end each holds exactly that."""
    right = {account: sum(each for name, each in payments if name == account) for account, _ in payments}
    held = {account: balance(view, account) for account in right}
    return held == right if view.done else all(held[account] <= right[account] for account in right)


def balance(view, account):
    """Return the balance in an account's register, a number or a list that begins with it; 0 if unwritten."""
    held = view.registers.get(account, 0)
    held = held[0] if isinstance(held, (list, tuple)) and held else held
    return held if isinstance(held, (int, float)) else float("inf")


def objection(view, payments):
    """Return True, or a sentence on the mistake."""
    for account in dict.fromkeys(account for account, _ in payments):
        right, held = sum(each for name, each in payments if name == account), balance(view, account)
        if held == float("inf"):
            return f"the register {account!r} holds {view.registers[account]!r}; it begins with the balance"
        if held > right or (view.done and held != right):
            sent = " and ".join(str(each) for name, each in payments if name == account)
            return f"the account of {account} holds {held}, and was paid {sent}"
    return True


def programs(count, answer):
    """Return the programs of both sides, for the first so many payments."""
    source = Payments(count, tuple(account for account, _ in PAYMENTS))
    return [
        Program(answer["producer"], source, LOG, "producer"),
        Program(answer["consumer"], LogSource(LOG), name="consumer"),
    ]


def booking(run):
    """Return the numbers of the incarnations that write to a register in a run."""
    return {write.life for write in run.writes if write.part.startswith("register.")}


def no_bodies(run):
    """Tell whether a run neither sends nor books a payment."""
    return not run.error and not run.pushes and not booking(run)


def producer_books(answer, run):
    """Return the reply to a producer that writes to a register, or None."""
    if not booking(run) & {start.life for start in run.trace.lives() if start.detail["node"] == 0}:
        return None
    return wrong(
        "The producer writes to a register. The producer sends; only the consumer writes to registers.",
        picture=drawing.spacetime(run, 1),
    )


def world(fault, bounds, count):
    """Return the world of the first so many payments, with one of `FAULTS`."""
    rule = Specified(booked_once, objection, PAYMENTS[:count])
    return World(fault, functools.partial(programs, count), rule, bounds)


TASK = Proved(
    answer="pair",
    tier="challenge",
    asks="your two functions",
    form="a dictionary with producer and consumer, two functions",
    parts=("producer", "consumer"),
    alone=functools.partial(programs, len(PAYMENTS)),
    idle=no_bodies,
    objects=producer_books,
    worlds=[world(fault, bounds, count) for fault, bounds, counts in FAULTS for count in counts],
    drawn=lambda run: drawing.spacetime(run, 1),
    praise="Each payment is booked once, though the log holds some payments twice. Proved within these bounds: three "
    "payments and a crash, a lost request, a lost reply or a duplicate; two payments and a late request, a pause, or "
    "a crash beside a lost reply or a late request; anywhere on either side ({states} states).",
)
