"""Producers that number their records, over a broker with a rule: predict the log after faults by counting.

One handler, `numbering`, over three rules of the broker; and over Kafka's once more with a new producer id in each
incarnation, as Kafka's producers without a transactional id have it.
"""

from dataclasses import replace

from ..errors import BadInput, one_of
from ..faults import FaultPlan
from ..handlers.logs.idempotent import numbering, readings
from ..node import Numbers, Program
from .prediction import draw_faults

NO_RULE, ARTICLE, KAFKA, NEW_IDS = "no rule", "the article's rule", "Kafka's rule", "Kafka's rule, new ids"
SENDERS = {NO_RULE: ("none", True), ARTICLE: ("article", True), KAFKA: ("kafka", True), NEW_IDS: ("kafka", False)}
ONCE = {"lost request": 1, "lost reply": 1, "crash before": 1, "crash after": 1}
COPIES = {
    NO_RULE: ONCE | {"lost reply": 2, "crash after": 2},
    ARTICLE: ONCE,
    KAFKA: ONCE,
    NEW_IDS: ONCE | {"crash after": 2},
}


def sender(name, records):
    """Return the program of one of `SENDERS`, with so many records: the numbers from 1 on.

    Raises `BadInput` for a name that is not there.
    """
    rule, keeps_id = SENDERS[one_of("the sender", name, SENDERS)]
    return Program(numbering(keeps_id), Numbers(records), readings(rule), "producer")


def draw_appends(records=200, seed=1, requests=10, replies=10, deaths=4):
    """Draw the faults of a sender's appends, each at a record of its own, as a fault plan.

    So many requests and replies are lost, and so often the sender dies, in turn before and after an append. Raises
    `BadInput` for numbers that make no sense.
    """
    sending, _ = draw_faults(records, seed, requests, replies, deaths)
    return FaultPlan([replace(fault, at="log.append") for fault in sending.faults])


def predict_log(name, plan, records):
    """Return the numbers that the log holds after a plan of `draw_appends`, in order.

    Raises `BadInput` for a sender that is not there, and for a fault of which the counting knows nothing.
    """
    one_of("the sender", name, SENDERS)
    for fault in plan.faults:
        if fault.at != "log.append" or fault.kind not in ONCE or fault.item is None or fault.lives:
            raise BadInput(
                f"What a {fault.kind} at {fault.at} comes to cannot be counted beforehand: only {', '.join(ONCE)} at "
                "log.append can be, at a record that is named."
            )
    copies = {fault.item: COPIES[name][fault.kind] for fault in plan.faults}
    return [number for number in range(1, records + 1) for _ in range(copies.get(number, 1))]
