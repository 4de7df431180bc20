"""Handlers: the stream handler in each delivery strategy, and the programs of the other chapters.

`STRATEGIES` names the strategies that a learner can choose, `NAIVE` those of them that repair nothing; `handler_for`
finds one by name or by order (`choose`). `stream` has them, a file each; `logs` has producers and consumers,
`transaction_protocol` Kafka's transactions, `transfer` a bank, `mutual_exclusion` Lamport's algorithm.
"""

from ..doors import open_door
from .choose import NAIVE, STRATEGIES, handler_for
from .stream.at_least_once import at_least_once
from .stream.at_most_once import at_most_once
from .stream.idempotent_output import idempotent_output
from .stream.lock_free import counted_once, database_twins, lock_free
from .stream.offset_in_sink import counter_sink, offset_in_sink
from .stream.orders import ARTICLE_ORDER, ORDERS, handler_in_order
from .stream.structured_streaming import structured_streaming, structured_streaming_appending
from .stream.transactional import transactional
from .stream.two_phase import finish, shared_decision, two_phase

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
