"""Finding a handler by the name of its delivery strategy, or by the order of its writes."""

from ..errors import BadInput, one_of
from .at_least_once import at_least_once
from .at_most_once import at_most_once
from .orders import handler_in_order

STRATEGIES = {"at_least_once": at_least_once, "at_most_once": at_most_once}


def handler_for(strategy=None, order=None):
    """Return the handler of a strategy, or of an order of writes; at-least-once when neither is given.

    Raises `BadInput` for an unknown strategy or order, or for both at once.
    """
    if strategy and order:
        raise BadInput(f"Both the strategy {strategy!r} and the order {order!r} were given; give one of them.")
    if order:
        return handler_in_order(order)
    return STRATEGIES[one_of("the strategy", strategy or "at_least_once", STRATEGIES)]
