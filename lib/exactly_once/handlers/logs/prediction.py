"""Predict the result of a plan of faults on both sides of a log, by counting: no handler runs here.

Each fault on the way leaves none, one or two copies of its record in the log; each death of a consumer leaves a
batch half processed, which is then processed from its beginning, or never. Senders number their records over three
rules of the broker, and over Kafka's once more with a new producer id in each incarnation, as Kafka's producers
without a transactional id have it.
"""

import random
from dataclasses import dataclass, replace

from ...errors import BadInput, one_of, whole
from ...faults import Fault, FaultPlan
from ...node import Numbers, Program
from .both_sides import POSITIONS, PRODUCERS
from .idempotent import numbering, readings

RECORDS = 400
COPIES = {
    "retry": {"lost request": 1, "lost reply": 2, "crash before": 1, "crash after": 2},
    "give up": {"lost request": 0, "lost reply": 1, "crash before": 0, "crash after": 1},
}
CRASHES = ("crash before", "crash after")
EFFECT = "database.increment"
NO_RULE, ARTICLE, KAFKA, NEW_IDS = "no rule", "the article's rule", "Kafka's rule", "Kafka's rule, new ids"
SENDERS = {NO_RULE: ("none", True), ARTICLE: ("article", True), KAFKA: ("kafka", True), NEW_IDS: ("kafka", False)}
ONCE = {"lost request": 1, "lost reply": 1, "crash before": 1, "crash after": 1}
COPIES_OF_SENDERS = {
    NO_RULE: ONCE | {"lost reply": 2, "crash after": 2},
    ARTICLE: ONCE,
    KAFKA: ONCE,
    NEW_IDS: ONCE | {"crash after": 2},
}


@dataclass(frozen=True)
class Counted:
    """Which records are in the log, and which took effect, both in order; predicted, or found after a run."""

    records: int
    log: tuple
    applied: tuple

    @property
    def lost(self):
        """How many records never took effect."""
        return self.records - len(set(self.applied))

    @property
    def doubled(self):
        """How many effects there are too many."""
        return len(self.applied) - len(set(self.applied))


def draw_faults(records=RECORDS, seed=1, requests=20, replies=20, deaths=2):
    """Draw the faults of both sides, each at a record of its own. Returns (sending, receiving) as fault plans.

    So many requests and replies of the producer's are lost, and so often each side dies, in turn before and after the
    step. Raises `BadInput` for numbers that make no sense.
    """
    whole("the number of records", records, least=10, most=999_999)
    for name, count in (("lost requests", requests), ("lost replies", replies), ("deaths", deaths)):
        whole(f"the number of {name}", count)
    if requests + replies + deaths > records:
        raise BadInput(f"{requests + replies + deaths} faults do not fit into {records} records; give more records.")
    rng = random.Random(f"faults {seed}")
    kinds = ["lost request"] * requests + ["lost reply"] * replies + crashes(deaths)
    struck = rng.sample(range(1, records + 1), len(kinds))
    sending = [Fault("output.push", number, kind) for number, kind in zip(struck, kinds, strict=True)]
    struck = rng.sample(range(1, records + 1), deaths)
    receiving = [Fault(EFFECT, number, kind) for number, kind in zip(struck, crashes(deaths), strict=True)]
    return FaultPlan(sending), FaultPlan(receiving)


def crashes(count):
    """Return so many kinds of crash, in turn before and after."""
    return ["crash before" if number % 2 else "crash after" for number in range(count)]


def predict(sending, receiving, retry, position, records, batch):
    """Return the predicted result of `sending` and `receiving`, as `Counted`.

    `retry`, `position` and `batch` are those of the handlers. Raises `BadInput` for settings that make no sense, and
    for faults of which the counting knows nothing.
    """
    one_of("what the producer does after an error", retry, PRODUCERS)
    one_of("when the position is saved", position, POSITIONS)
    kinds = _countable(sending, ["output.push"], COPIES[retry], 1)
    copies = [(number, COPIES[retry].get(kinds.get(number), 1)) for number in range(1, records + 1)]
    log = [number for number, times in copies for _ in range(times)]
    deaths = _countable(receiving, [EFFECT], CRASHES, log[0] if log else 1)
    applied, start = [], 0
    while start < len(log):
        part = log[start : start + batch]
        dies = next((place for place, number in enumerate(part) if number in deaths), None)
        if dies is None:
            applied += part
        else:
            applied += part[: dies + (deaths.pop(part[dies]) == "crash after")]
        if dies is None or position == "first":
            start += len(part)
    return Counted(records, tuple(log), tuple(applied))


def _countable(plan, steps, kinds, first):
    """Return {record: kind} of a plan's faults; one without an item strikes at the `first` record."""
    found = {}
    for fault in (plan or FaultPlan()).faults:
        number = first if fault.item is None else fault.item
        if fault.at not in steps or fault.kind not in kinds or fault.lives or number in found:
            raise BadInput(
                f"What a {fault.kind} at {fault.at}{'' if fault.item is None else f', record {fault.item},'} comes "
                f"to cannot be counted beforehand: only {', '.join(kinds)} at {' or '.join(steps)} can be, once for "
                "each record. `simulate` runs any plan."
            )
        found[number] = fault.kind
    return found


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
    """Return the numbers that the log holds after a plan of `draw_appends`, in order, as a tuple.

    Raises `BadInput` for a sender that is not there, and for a fault of which the counting knows nothing.
    """
    copies = COPIES_OF_SENDERS[one_of("the sender", name, SENDERS)]
    kinds = _countable(plan, ["log.append"], ONCE, 1)
    return tuple(n for n in range(1, records + 1) for _ in range(copies.get(kinds.get(n), 1)))
