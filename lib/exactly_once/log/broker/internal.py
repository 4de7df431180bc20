"""The topics that the log keeps for itself: compacted now and then, so that they are read in little time."""

REPLICAS = 3
SEGMENT_BYTES = 1 << 14
LEAST = 300  # records that are written before a compaction


class Cleaner:
    """Compacts a topic of the log's own whenever most of it is outdated: each record is rewritten a few times."""

    def __init__(self, log, topic):
        self._log, self._topic, self._written = log, topic, 0

    def wrote(self, keys):
        """Hear that a record was written, in a topic that has so many keys."""
        self._written += 1
        if self._written >= max(LEAST, 2 * keys):
            self._written = 0
            self._log.compact(self._topic, 0)
