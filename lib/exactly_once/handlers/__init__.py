"""Handlers: the stream handler in each delivery strategy, and the programs of the other chapters.

`STRATEGIES` names the strategies that a learner can choose, `NAIVE` those of them that repair nothing; `handler_for`
finds one by name or by order. `stream` has them; `logs` has producers and consumers,
`transaction_protocol` Kafka's transactions, `transfer` a bank, `mutual_exclusion` Lamport's algorithm.
"""

from ..doors import open_door
from ..errors import one_of
from .stream.lock_free import lock_free
from .stream.naive import at_least_once, at_most_once, idempotent_output
from .stream.offset_in_sink import counter_sink, offset_in_sink
from .stream.orders import ARTICLE_ORDER, ORDERS, handler_in_order
from .stream.structured_streaming import structured_streaming, structured_streaming_appending
from .stream.transactional import transactional
from .stream.two_phase import finish, shared_decision, two_phase

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


open_door(
    __name__,
    {
        "logs.idempotent": "JavaSequences PATIENCE numbering",
        "logs.replicated_log": "promises_kept",
        "mutual_exclusion": "in_order_of_requests one_at_a_time",
        "transaction_protocol": "story",
        "transfer": "early_return",
    },
)
