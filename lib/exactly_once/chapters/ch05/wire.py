"""A burst of Java's producer over one connection to a broker with the log's rule, request by request (for 05c)."""

from collections import deque
from types import SimpleNamespace

from ...errors import OutcomeUnknown
from ...handlers.logs.idempotent import numbered_burst
from ...log.broker.producer_state import Producers
from ...log.client.requests import draft
from ...log.errors import NotEnoughReplicas, NotEnoughReplicasAfterAppend, OutOfOrderSequence
from ...log.storage.records import PLAIN

BATCHES = "abcdef"  # of one record each
CONNECTION, AFTER, BEFORE = MISHAPS = "connection", "too few replicas", "not written"


class Wire:
    """A producer's connection to a broker that has one partition, with one mishap: (one of `MISHAPS`, the batch).

    The broker restarts before a batch is sent again; then it knows the newest batch of each producer. `requests` are
    all that were sent, as rows of a table; `log` are the batches in the log, and `expired` tells whether the client
    gave one up.
    """

    def __init__(self, mishap=None):
        self.what, self.struck = mishap or ("", "")
        self.producers, self.log, self.requests, self.expired = Producers(), "", [], False
        self._answers, self._restarted = deque(), False

    @property
    def doubled(self):
        """Whether a batch is in the log twice."""
        return len(set(self.log)) < len(self.log)

    def producer_id(self, topic):
        """Return the producer's id."""
        return 0

    def send(self, topic, records, acks, producer, epoch, sequence, in_flight):
        """Send a batch of one record, which arrives at once; its answer waits for `acknowledgement`."""
        batch = BATCHES[records[0] - 1]
        again = any(batch == one["batch"] for one in self.requests)
        if again and not self._restarted:
            entries, self._restarted = self.producers.entries.items(), True
            self.producers = Producers({who: entry._replace(window=entry.window[-1:]) for who, entry in entries})
        strikes = self.what if not again and batch == self.struck else ""
        done, answer = self._arrived(batch, draft(PLAIN, 1, 0, (producer, epoch, sequence)), strikes)
        if self.what == CONNECTION and not self._restarted and batch >= self.struck:
            answer = OutcomeUnknown("The connection is lost.")
        self._answers.append(answer)
        said = "no answer" if isinstance(answer, OutcomeUnknown) else type(answer).__name__
        window = [str(first) for first, _, _ in self.producers.entries[producer].window] if self.log else []
        self.requests.append(
            {
                "batch": batch,
                "number": f"{sequence} (epoch {epoch})" if epoch else str(sequence),
                "sent": "again" if again else "first",
                "the broker": done,
                "what came back": f"✗ {said}" if answer else "acknowledged",
                "its window then": " ".join(window) or "–",
            }
        )

    def _arrived(self, batch, drafted, strikes):
        if strikes == BEFORE:
            return "not written", NotEnoughReplicas("Too few replicas are in sync.")
        try:
            base = self.producers.check(drafted, 0)
        except OutOfOrderSequence as why:
            return "out of order", why
        if base is not None:
            return f"recognised, at offset {base}", None
        self.producers.note(drafted._replace(base=len(self.log)))
        self.log += batch
        answer = NotEnoughReplicasAfterAppend("Too few replicas are in sync.") if strikes == AFTER else None
        return f"written at offset {len(self.log) - 1}", answer

    def acknowledgement(self):
        """Return if the oldest answer is a success. Raises the error that it is otherwise."""
        if (answer := self._answers.popleft()) is not None:
            raise answer


def played(mishap=None):
    """Return the `Wire` behind a burst of Java's client, the first batch alone, with one mishap and a restart."""
    wire = Wire(mishap)
    try:
        numbered_burst(len(BATCHES), one_connection=True)(SimpleNamespace(log=wire))
    except TimeoutError:
        wire.expired = True
    return wire
