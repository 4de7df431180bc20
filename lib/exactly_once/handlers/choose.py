"""Finding a handler by the name of its delivery strategy, or by the order of its writes."""

from ..errors import one_of
from .stream.at_least_once import at_least_once
from .stream.at_most_once import at_most_once
from .stream.idempotent_output import idempotent_output
from .stream.lock_free import lock_free
from .stream.offset_in_sink import offset_in_sink
from .stream.orders import handler_in_order
from .stream.structured_streaming import structured_streaming
from .stream.transactional import transactional
from .stream.two_phase import two_phase

NAIVE = {"at_least_once": at_least_once, "at_most_once": at_most_once}
STRATEGIES = {
    **NAIVE,
    "idempotent_output": idempotent_output,
    "transactional": transactional,
    "two_phase": two_phase,
    "offset_in_sink": offset_in_sink,
    "lock_free": lock_free,
    "structured_streaming": structured_streaming,
}


def handler_for(strategy=None, order=None):
    """Return the handler of a strategy, or of an order of writes; at-least-once when neither is given.

    An order says more than a strategy: when both are given, the writes come in that order. Raises `BadInput` for an
    unknown strategy or order.
    """
    found = STRATEGIES[one_of("the strategy", "at_least_once" if strategy is None else strategy, STRATEGIES)]
    return found if order is None else handler_in_order(order)
