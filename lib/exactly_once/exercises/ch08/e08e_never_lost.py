"""Exercise 08e: a transfer between two systems that never loses money, whichever process or message is lost."""

import inspect
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from ... import show as drawing
from ...errors import BadInput, is_whole, what_failed
from ...node import Program
from ...simulate import simulate
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import called, proved
from ..kinds.task import Task
from .bank import accounts

PLACES = (("bank_a", "ada"), ("bank_b", "bob"))  # the two systems, and the account in each
OPENING = (10, 4)
OURS = (("t1", 6), ("t2", 6))  # from bank_a to bank_b: the second one finds too little there
THEIRS = (("u1", 2),)  # from bank_b to bank_a


class Order(NamedTuple):
    """The task of the learner's function."""

    name: str
    source: str
    target: str
    amount: int


@dataclass(frozen=True)
class World:
    """A case: the movers, each with its orders and whether it moves money `back`, and the faults."""

    said: str
    movers: tuple
    faults: dict = field(default_factory=dict)

    @property
    def orders(self):
        """All orders, as {order: change of the first account}."""
        return {order: amount if back else -amount for orders, back in self.movers for order, amount in orders}

    @property
    def certain(self):
        """The required answers without another mover that moves money back: {order: True or False}."""
        if any(back for _, back in self.movers):
            return {order: True for orders, back in self.movers for order, _ in (orders if back else orders[:1])}
        balance, found = OPENING[0], {}
        for order, amount in self.movers[0][0]:
            found[order] = amount <= balance
            balance -= amount * found[order]
        return found


ONE, BACK = ((OURS, False),), ((THEIRS, True),)
WORLDS = (  # from the easiest to the hardest to stand
    World("Even when nothing goes wrong", ONE),
    World("When another mover moves money back meanwhile", (*ONE, *BACK)),
    World("One crash", ONE, {"crashes": 1}),
    World("One lost request", ONE, {"lost_requests": 1}),
    World("One lost reply", ONE, {"lost_replies": 1}),
    World("One request that arrives twice", ONE, {"duplicates": 1}),
    World("One late request", ONE, {"late_requests": 1}),
    World("One pause: a mover is taken for dead, and wakes up", ONE, {"pauses": 1}),
    World("Two crashes", ONE, {"crashes": 2}),
    World("Two movers with the same orders", (*ONE, *ONE)),
    World("Two movers with the same orders, while another mover moves money back", (*ONE, *ONE, *BACK)),
    World("A crash, while another mover moves money back", (*ONE, *BACK), {"crashes": 1}),
    World("A lost reply, while another mover moves money back", (*ONE, *BACK), {"lost_replies": 1}),
)


def programs(answer, world):
    """Return the programs of the movers of a world."""
    source = accounts((*place, {"balance": balance}) for place, balance in zip(PLACES, OPENING, strict=True))
    return [
        Program(mover(answer, orders, back), source, name=f"mover{number}")
        for number, (orders, back) in enumerate(world.movers, 1)
    ]


def mover(answer, orders, back):
    """Return a handler that carries out orders in turn; each incarnation begins with the first one again."""

    def moves(node):
        (here, source), (there, target) = reversed(PLACES) if back else PLACES
        for name, amount in orders:
            order = Order(name, source, target, amount)
            node.output.push([name, answer(node.store(here), node.store(there), order)])

    return moves


@dataclass(frozen=True)
class NeverLost:
    """The specification for one world, as an invariant that another process can have."""

    world: World

    def __call__(self, view):
        return never_lost(view, self.world) or objection(view, self.world)


def never_lost(view, world):
    """No account is ever below zero, and never is there more money than in the beginning. All answers about an order
    are the same. In the end each order has an answer, the right one; what was answered True was moved once, and
    nothing else was.
    """
    here, there = balances(view)
    answers = {order: {said for one, said in view.outputs if one == order} for order in world.orders}
    moved = [change for order, change in world.orders.items() if answers[order] == {True}]
    fine = min(here, there) >= 0 and here + there <= sum(OPENING) and all(len(said) < 2 for said in answers.values())
    if not fine or not view.done:
        return fine
    right_answers = all(answers[order] == {said} for order, said in world.certain.items()) and all(answers.values())
    return right_answers and (here, there) == (OPENING[0] + sum(moved), OPENING[1] - sum(moved))


def balances(view):
    """Return the balances of both accounts; below zero for a cell that has none."""
    held = [view.look(*place, "cell") for place in PLACES]
    found = [one.get("balance") if isinstance(one, dict) else None for one in held]
    return tuple(one if is_whole(one) else -1 for one in found)


def objection(view, world):
    """Return a sentence on the mistake."""
    here, there = balances(view)
    held = f"the accounts hold {here} and {there}, and opened with {OPENING[0]} and {OPENING[1]}"
    cells = [view.look(*place, "cell") for place in PLACES]
    if min(here, there) < 0:
        return f"an account is below zero, or its cell has no 'balance': {cells[0]!r} and {cells[1]!r}"
    if here + there > sum(OPENING):
        return f"{here + there - sum(OPENING)} were made out of nothing: {held}"
    for order in world.orders:
        said = [answer for one, answer in view.outputs if one == order]
        if strange := next((answer for answer in said if not isinstance(answer, bool)), None):
            return f"order {order} was answered with {strange!r}; return True or False"
        if len(set(said)) > 1:
            return f"order {order} was answered {' and then '.join(map(str, said))}"
        if view.done and not said:
            return f"order {order} was never answered"
        if view.done and said[-1] != world.certain.get(order, said[-1]):
            enough = "enough" if world.certain[order] else "too little"
            return f"order {order} was answered {said[-1]}, and there was {enough} in its account"
    if here + there < sum(OPENING):
        return f"{sum(OPENING) - here - there} are lost: {held}"
    return f"the answers are {dict(map(tuple, view.outputs))}, and {held}"


def calm(answer):
    """Return the run of one mover when nothing goes wrong."""
    return simulate(programs(answer, WORLDS[0]))


def check(answer):
    """Prove the transfer in each of `WORLDS`."""
    if unwritten(answer):
        return unsolved("your function")
    run = called(calm, answer)
    if run.error:
        return wrong(f"It fails by itself: {what_failed(run.error)}", traceback=run.error)
    if all(push.value[1] is None for push in run.pushes) and not any(
        write.part.startswith("bank_") for write in run.writes
    ):
        return unsolved("the body of your function")
    states = 0
    for world in WORLDS:
        movers = programs(answer, world)
        proof = proved(movers, NeverLost(world), None, **({"crashes": 0} | world.faults))
        if (found := proof.counterexample) is not None:
            return wrong(f"{world.said}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, movers)
        if not proof.exhausted:
            return wrong(f"{world.said}: not proved: {proof.stopped}. Write it with fewer steps.")
        states += proof.states
    return right(
        "No money is lost and none is made, and each order is answered as it was carried out. Proved for two orders, "
        "one fault of each kind anywhere, two crashes, two movers with the same orders, and a mover that moves money "
        f"back ({states:,} states)."
    )


def unwritten(answer):
    """Tell whether this is no answer yet. Raises `BadInput` for another object than a function."""
    if has_dots(answer):
        return True
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of here, there and order.")
    return False


def show(answer):
    """Draw a calm run of one mover; without an answer, the specification."""
    if not unwritten(answer):
        return drawing.spacetime(called(calm, answer))
    html = f"<p>{escape(inspect.getdoc(never_lost))}</p>{drawing.code_html(never_lost, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(never_lost))


TASK = Task(
    answer="transfer",
    tier="challenge",
    show=show,
    check=check,
)
