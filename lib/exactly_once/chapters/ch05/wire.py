"""A burst of Java's producer over one connection to a broker with the log's rule, request by request (for 05c)."""

from collections import deque
from types import SimpleNamespace
from typing import NamedTuple

from ...errors import OutcomeUnknown
from ...handlers.logs.idempotent import numbered_burst
from ...log.broker.producer_state import Producers
from ...log.client.requests import draft
from ...log.errors import NotEnoughReplicas, NotEnoughReplicasAfterAppend, OutOfOrderSequence
from ...log.storage.records import PLAIN

CONNECTION, AFTER, BEFORE = "connection", "too few replicas", "not written"
MISHAPS = (CONNECTION, AFTER, BEFORE)


class Request(NamedTuple):
    """One request: its record, its number and epoch, the count of sends of this record so far, the broker's deed, its
    answer, and the numbers of the batches in the broker's window afterwards.
    """

    record: int
    number: int
    epoch: int
    time: int
    done: str
    came_back: str
    window: tuple


class Wire:
    """A producer's connection to a broker that has one partition, with one mishap: (one of `MISHAPS`, the record).

    The broker restarts before a batch is sent again; then it knows the newest batch of each producer. `requests` are
    all that were sent, `log` the records in the log; `expired` tells whether the client gave a batch up.
    """

    def __init__(self, mishap=None):
        self.what, self.struck = mishap or ("", 0)
        self.producers, self.log, self.requests, self.expired = Producers(), [], [], False
        self._answers, self._restarted = deque(), False

    @property
    def doubled(self):
        """Whether a record is in the log twice."""
        return len(set(self.log)) < len(self.log)

    def producer_id(self, topic):
        """Return the producer's id."""
        return 0

    def send(self, topic, records, acks, producer, epoch, sequence, in_flight):
        """Send a batch of one record, which arrives at once; its answer waits for `acknowledgement`."""
        (record,) = records
        time = 1 + sum(one.record == record for one in self.requests)
        if time > 1 and not self._restarted:
            entries, self._restarted = self.producers.entries.items(), True
            self.producers = Producers({who: entry._replace(window=entry.window[-1:]) for who, entry in entries})
        strikes = self.what if time == 1 and record == self.struck else ""
        done, answer = self._arrived(record, draft(PLAIN, 1, 0, (producer, epoch, sequence)), strikes)
        if self.what == CONNECTION and not self._restarted and record >= self.struck:
            answer = OutcomeUnknown("The connection is lost.")
        said = "no answer" if isinstance(answer, OutcomeUnknown) else type(answer).__name__
        self._answers.append(answer)
        window = tuple(first for first, _, _ in self.producers.entries[producer].window) if self.log else ()
        came_back = f"✗ {said}" if answer else "acknowledged"
        self.requests.append(Request(record, sequence, epoch, time, done, came_back, window))

    def _arrived(self, record, batch, strikes):
        if strikes == BEFORE:
            return "not written", NotEnoughReplicas("Too few replicas are in sync.")
        try:
            base = self.producers.check(batch, 0)
        except OutOfOrderSequence as why:
            return "out of order", why
        if base is not None:
            return f"recognised, at offset {base}", None
        self.producers.note(batch._replace(base=len(self.log)))
        self.log.append(record)
        answer = NotEnoughReplicasAfterAppend("Too few replicas are in sync.") if strikes == AFTER else None
        return f"written at offset {len(self.log) - 1}", answer

    def acknowledgement(self):
        """Return if the oldest answer is a success. Raises the error that it is otherwise."""
        if (answer := self._answers.popleft()) is not None:
            raise answer


def played(records, mishap=None):
    """Return the `Wire` behind a burst of Java's client, the first batch alone, with one mishap and a restart."""
    wire = Wire(mishap)
    try:
        numbered_burst(records, one_connection=True)(SimpleNamespace(log=wire))
    except TimeoutError:
        wire.expired = True
    return wire
