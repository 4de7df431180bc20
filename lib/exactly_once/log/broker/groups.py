"""Consumer groups' committed offsets: records of a compacted topic, as in Kafka, so that they share the log's
fate.
"""

import time
from collections.abc import Mapping

from ...errors import BadInput, OutcomeUnknown, whole
from ...stores.codec import encode
from ..errors import UnknownTopicOrPartition
from ..storage.records import Pair

OFFSETS = "__consumer_offsets"
REPLICAS = 3


class Groups:
    """The committed offsets, as this process last read them; every question reads on from there."""

    def __init__(self, log):
        self._log = log
        self._offsets, self._position, self._epoch = {}, 0, None

    def commit(self, group, offsets):
        """Commit {(topic, partition): offset}, all in one batch; if its leader moves, again. Raises as `append`."""
        if not isinstance(offsets, Mapping) or not offsets:
            raise BadInput(f"The offsets to commit are {offsets!r}; they map (topic, partition) to the next offset.")
        pairs = []
        for place, offset in offsets.items():
            if not isinstance(place, tuple) or len(place) != 2:
                raise BadInput(f"Offsets are committed for (topic, partition), and not for {place!r}.")
            self._log.topic(*place)
            pairs.append(Pair(_key(group, *place), whole("The offset", offset)))
        log = self._log
        try:
            log.topic(OFFSETS)
        except UnknownTopicOrPartition:
            log.create_topic(OFFSETS, replicas=min(REPLICAS, log.brokers), compact=True, exist_ok=True)
        deadline = time.monotonic() + log.delivery_seconds
        while True:
            try:
                log.append(OFFSETS, 0, pairs)
                return
            except OutcomeUnknown:  # the same offsets twice are the same offsets
                if time.monotonic() > deadline:
                    raise

    def offset(self, group, topic, partition):
        """Return the offset that a group committed for a partition, or None."""
        key = _key(group, topic, partition)
        try:
            start = self._log.log_start(OFFSETS, 0)
        except UnknownTopicOrPartition:
            return None
        epoch = self._log.controller.partition(OFFSETS, 0).epoch
        if epoch != self._epoch:  # an unclean election may have lost what was read here
            self._offsets, self._position, self._epoch = {}, 0, epoch
        position = max(self._position, start)
        while found := self._log.fetch(OFFSETS, 0, position, isolation="read_committed"):
            self._offsets.update((record.key, record.value) for record in found)
            position = found.next
        self._position = position
        return self._offsets.get(key)


def _key(group, topic, partition):
    if not isinstance(group, str) or not group:
        raise BadInput(f"The consumer group is {group!r}; give it a name.")
    return encode([group, topic, partition])
