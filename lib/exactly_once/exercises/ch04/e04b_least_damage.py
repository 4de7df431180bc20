"""Exercise 04b: the order of the four writes with the least damage, and why none is harmless."""

import functools

from ... import show as drawing
from ...errors import BadInput
from ...explore import prove
from ...faults import FaultPlan
from ...handlers import ORDERS, handler_in_order
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers
from ..kinds.task import Task

INNER = ("B", "C", "D")
HOUR = 3


@functools.cache
def verdict(order, point):
    """Return the `Verdict` on the handler with its writes in `order`, killed at `point` of hour 3."""
    handler = handler_in_order(order)
    return judge(simulate(handler, FaultPlan.crash(point, HOUR), Job()), handler)


def harm(order):
    """Return the damage of an order: the weights of the damage at B, C and D, summed."""
    return sum(verdict(order, point).damage.weight for point in INNER)


def corrupts(order, point):
    """Tell whether the crash leaves a wrong value, a wrong window, or positions that do not fit."""
    return "corrupts" in drawing.words(verdict(order, point))


def read(answer):
    """Return (order, function) of an answer, or None for one with dots left. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != {"order", "corrupts_at"}:
        raise BadInput(f"The answer is {answer!r}; it is a dictionary with order and corrupts_at.")
    order = answer["order"]
    try:
        order = tuple(word.strip() for word in (order.split(",") if isinstance(order, str) else order))
    except (TypeError, AttributeError):
        order = (order,)
    handler_in_order(order)  # refuses what is no order, in a sentence
    if not callable(answer["corrupts_at"]):
        raise BadInput(f"corrupts_at is {answer['corrupts_at']!r}; it is a function of an order, giving a letter.")
    return order, answer["corrupts_at"]


def check(answer):
    """Check the order against all 24 orders, and `corrupts_at` against each of them."""
    found = read(answer)
    if found is None:
        return unsolved("an order of the writes")
    order, corrupts_at = found
    told = answers(corrupts_at, ORDERS)
    if all(fine and (said is None or said is ...) for fine, said in told):
        return unsolved("the body of corrupts_at")
    least = min(map(harm, ORDERS))
    if harm(order) > least:
        worst = max(INNER, key=lambda point: verdict(order, point).damage.weight)
        return wrong(
            f"The damage of this order is {harm(order)}, and other orders do less. "
            f"Its worst crash is at {worst}. {verdict(order, worst).sentence}",
            verdict(order, worst),
            handler_in_order(order),
        )
    for each, (fine, said) in zip(ORDERS, told, strict=True):
        if objection := _objection(each, fine, said):
            shown = (
                (verdict(each, said), handler_in_order(each))
                if fine and isinstance(said, str) and said in INNER
                else ()
            )
            return wrong(f"Your order has the least damage, {least}. But corrupts_at is wrong: {objection}", *shown)
    found = prove(handler_in_order(order), job=Job()).counterexample
    return right(
        f"No order does less damage than {least}, and your function names for each of the 24 a crash that corrupts. "
        "State and positions record one fact in two places, and a crash between the two writes makes them disagree. "
        f"Your order does harm too. The simplest run that shows it: {found.sentence}",
        found,
        handler_in_order(order),
        show(answer),
    )


def _is_letter(said):
    return isinstance(said, str) and said in INNER


def _objection(order, fine, said):
    arrows = " → ".join(order)
    if not fine:
        return f"for the order {arrows} it fails with {said}."
    if not _is_letter(said):
        return f"for the order {arrows} it says {said!r}; the letters between two writes are B, C and D."
    if not corrupts(order, said):
        words = " and ".join(drawing.words(verdict(order, said)))
        return f"for the order {arrows} it says {said}, where a crash {words}, but corrupts nothing."
    return None


def show(answer):
    """Draw the row of an order: the damage of a crash at each letter."""
    found = read(answer)
    if found is None:
        return drawing.Picture("<p>No order is chosen yet.</p>", text="No order is chosen yet.")
    order = found[0]
    results = {(order, point): verdict(order, point) for point in "ABCDE"}
    return drawing.matrix([(order, f"{' → '.join(order)}: damage {harm(order)}")], results)


TASK = Task(
    answer="answer_b",
    show=show,
    check=check,
)
