"""Exercise 07b: a sink that keeps its index beside the effect, and forgets one case."""

from dataclasses import replace

from ... import show as drawing
from ...chapters.ch04.checks import plan_of
from ...errors import BadInput, OutcomeUnknown
from ...faults import FaultPlan
from ...node import Numbers, Program
from ...simulate import simulate
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.task import Task
from .hostile import FAULTS, withstands

ORDERS = Numbers(3, first=11)  # an order's number is not its place
NAMES = ("plan", "sink")
BROKEN = "Your plan breaks the forgetful sink. Yours, though:"


def forgetful(node):
    """Append each order to a table, and move the index on in the same transaction; repeat it until it is done."""
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        done = None
        while not done:
            version, _ = shop.read("index")
            try:
                done = shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))
            except OutcomeUnknown:
                continue  # it is tried again
        index += 1


def each_order_once(view):
    """At every moment the table holds the first orders, each once, and in the end all of them."""
    orders = view.look("shop", "orders", "log")
    wanted = [ORDERS.first + place for place in range(ORDERS.count)]
    if orders == wanted if view.done else orders == wanted[: len(orders)]:
        return True
    return f"the table holds the orders {orders or 'nothing'}; it should hold {wanted}"


def program(sink):
    """Return the program of a sink."""
    return Program(sink, ORDERS)


def left(plan, sink=forgetful):
    """Return (the run of a sink under a plan, the orders that it left)."""
    run = simulate(program(sink), plan)
    orders = dict(run.outcome.others).get("shop.orders", "[]")
    return run, orders


def read(answer):
    """Return (plan, sink), or None for an answer with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES):
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with plan and sink.")
    if not callable(answer["sink"]):
        raise BadInput(f"The sink is {answer['sink']!r}; it is a function of the node.")
    return plan_of(answer["plan"]), answer["sink"]


def check(answer):
    """Run the forgetful sink under the plan, and prove the repaired one."""
    found = read(answer)
    if found is None or found[0] is None:
        return unsolved("a fault plan and a sink")
    plan, sink = found
    run, orders = left(plan)
    if not run.reached:
        return wrong("The fault of your plan does not strike the forgetful sink.", run, program(forgetful))
    if orders == left(FaultPlan())[1]:
        return wrong(
            "Under your plan the forgetful sink leaves each order once. Which step can take place, and the "
            "process not know it?",
            run,
            program(forgetful),
        )
    broken, states = withstands(sink, program, each_order_once)
    if broken is not None:
        return broken if broken.state != "wrong" else replace(broken, sentence=f"{BROKEN} {broken.sentence}")
    return right(
        f"Under your plan the forgetful sink leaves the orders {orders}. Your sink writes each order once, "
        f"whatever strikes ({len(FAULTS)} lists of faults, {states:,} states). A version tells that something has "
        "changed. The index tells which orders are done.",
        picture=drawing.spacetime(run),
    )


def show(answer):
    """Draw the forgetful sink under the plan; without a plan, draw it when nothing goes wrong."""
    found = read(answer)
    plan = found[0] if found and found[0] is not None else FaultPlan()
    return drawing.spacetime(left(plan)[0])


TASK = Task(
    answer="repair",
    show=show,
    check=check,
)
