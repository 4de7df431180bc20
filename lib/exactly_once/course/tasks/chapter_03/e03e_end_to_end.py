"""Exercise 03e: a producer and a consumer that book each payment once, whatever strikes either of them."""

import inspect
from dataclasses import dataclass
from html import escape

from .... import show as drawing
from ....errors import BadInput, what_failed
from ....node import LogSource, Numbers, Partition, Program
from ....simulate import simulate
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import called, proved
from ..task import Task

PAYMENTS = (("ann", 5), ("ann", 5), ("bob", 7))
LOG = Partition("payments")
FAULTS = (  # what may strike, anywhere on either side, from the easiest to the hardest to stand; of how many payments
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
NAMES = ("producer", "consumer")


@dataclass(frozen=True)
class Payments(Numbers):
    """The payments that the producer is to send: each has an account as its key and an amount as its value."""

    def load_inputs(self, stores):
        """Put the payments where they are read from."""
        stores["engine"].fill("input.numbers", [[amount, account] for account, amount in PAYMENTS[: self.count]])


@dataclass(frozen=True)
class BookedOnce:
    """The specification for the first so many payments, as an invariant that another process can have."""

    count: int

    def __call__(self, view):
        return booked_once(view, PAYMENTS[: self.count]) or objection(view, PAYMENTS[: self.count])


def booked_once(view, payments):
    """No account ever holds more than the sum of its payments, and in the end each holds exactly that."""
    right = {account: sum(each for name, each in payments if name == account) for account, _ in payments}
    held = {account: balance(view, account) for account in right}
    return held == right if view.done else all(held[account] <= right[account] for account in right)


def balance(view, account):
    """Return what an account's register holds: a number, or a list that begins with one; 0 when it was not "
    "written."""
    held = view.registers.get(account, 0)
    held = held[0] if isinstance(held, (list, tuple)) and held else held
    return held if isinstance(held, (int, float)) else float("inf")


def objection(view, payments):
    """Return what is wrong, in words."""
    for account in dict.fromkeys(account for account, _ in payments):
        right, held = sum(each for name, each in payments if name == account), balance(view, account)
        if held == float("inf"):
            return f"the register {account!r} holds {view.registers[account]!r}; it begins with the balance"
        if held > right or (view.done and held != right):
            sent = " and ".join(str(each) for name, each in payments if name == account)
            return f"the account of {account} holds {held}, and was paid {sent}"
    return True


def programs(answer, count):
    """Return the programs of both sides, for the first so many payments."""
    source = Payments(count, tuple(account for account, _ in PAYMENTS))
    return [
        Program(answer["producer"], source, LOG, "producer"),
        Program(answer["consumer"], LogSource(LOG), name="consumer"),
    ]


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES) or not all(map(callable, answer.values())):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with producer and consumer, two functions.")
    return answer


def calm(answer):
    """Return the run of both sides when nothing goes wrong."""
    return called(_calm, [answer["producer"], answer["consumer"]])


def _calm(sides):
    return simulate(programs(dict(zip(NAMES, sides, strict=True)), len(PAYMENTS)))


def check(answer):
    """Prove the pair under each of `FAULTS`."""
    answer = read(answer)
    if answer is None:
        return unsolved("your two functions")
    run = calm(answer)
    if run.error:
        return wrong(f"One of the two failed by itself: {what_failed(run.error)}", traceback=run.error)
    booking = {write.life for write in run.writes if write.part.startswith("register.")}
    if not run.pushes and not booking:
        return unsolved("the bodies of the two functions")
    if booking & {start.life for start in run.trace.lives() if start.detail["node"] == 0}:
        return wrong(
            "The producer writes to a register. It sends; the accounts are the consumer's.",
            picture=drawing.spacetime(run, 1),
        )
    states = 0
    for fault, bounds, count in ((fault, bounds, count) for fault, bounds, counts in FAULTS for count in counts):
        sides = programs(answer, count)
        proof = proved(sides, BookedOnce(count), None, **({"crashes": 0} | bounds))
        if (found := proof.counterexample) is not None:
            return wrong(f"{fault}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, sides)
        if not proof.exhausted:
            return wrong(f"{fault}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        "Each payment is booked once, though the log holds some of them twice. Proved within these bounds: three "
        "payments and a crash, a lost request, a lost reply or a duplicate; two payments and a late request, a "
        "pause, or a crash beside a lost reply or a late request; anywhere on either side "
        f"({states:,} states)."
    )


def show(answer):
    """Draw what the two do with the first payment in a calm run; without an answer, the specification."""
    answer = read(answer)
    if answer is not None:
        return drawing.spacetime(calm(answer), 1)
    html = f"<p>{escape(inspect.getdoc(booked_once))}</p>{drawing.code_html(booked_once, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(booked_once))


TASK = Task(
    title="each payment once, from end to end",
    answer="pair",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "The log will hold some payments twice: that cannot be helped from the producer's side. What has to be in a "
        "record for the consumer to see that it is a repetition, and who can still say it after a crash?",
        "Two payments may be equal, so the value does not tell. The producer's own position does: it is the same "
        "each time that a payment is sent, in whichever life. Send it along.",
        "What the consumer has seen, and what it has booked, are one fact. Two registers are two steps, and a crash "
        "falls between them; so is one register and one position. One register holds a list as well as a number.",
        "Producer: node.output.push([next_positions['numbers'], items[0].value], items[0].key), then save the "
        "position. Consumer: number, amount = item.value; version, held = node.registers.read(item.key); total, "
        "newest = held or [0, 0]; if number > newest: node.registers.cas(item.key, version, [total + amount, "
        "number]). Then save the position.",
    ),
)
