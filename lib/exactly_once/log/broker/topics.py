"""Topics: a name, a number of partitions, and the rules that hold for each of them."""

import re
from dataclasses import dataclass

from ...errors import BadInput, one_of, whole
from .producer_state import SEQUENCE_RULES, SequenceRule

NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Topic:
    """A topic. Raises `BadInput` for settings that make no sense.

    `partitions`: how many logs it is cut into. `replicas`: how many brokers hold each of them. `min_insync_replicas`:
    how many must have a record before it counts as committed. `unclean_election`: whether a replica that is not in
    sync may lead when no other is left. `segment_bytes`: a segment is closed at this size. `retention_ms`,
    `retention_bytes`: `Log.retain` deletes segments older, or beyond this size; None keeps all. `compact`: only the
    newest record of each key is kept. `max_record_bytes`: the largest record, key and value together.
    `sequence_rule`: the broker's use of the numbers of idempotent producers, see `producer_state`.
    """

    name: str
    partitions: int = 1
    replicas: int = 1
    min_insync_replicas: int = 1
    unclean_election: bool = False
    segment_bytes: int = MEBIBYTE
    retention_ms: int | None = None
    retention_bytes: int | None = None
    compact: bool = False
    max_record_bytes: int = MEBIBYTE
    sequence_rule: SequenceRule = "kafka"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name) or self.name in (".", ".."):
            raise BadInput(
                f"A topic cannot be named {self.name!r}; use 1 to 200 letters, digits, dots, dashes or underscores."
            )
        whole("The number of partitions", self.partitions, least=1, most=10_000)
        whole("The number of replicas", self.replicas, least=1)
        whole("min_insync_replicas", self.min_insync_replicas, least=1, most=self.replicas)
        whole("segment_bytes", self.segment_bytes, least=1)
        whole("max_record_bytes", self.max_record_bytes, least=1)
        for name in ("unclean_election", "compact"):
            one_of(name, getattr(self, name), (True, False))
        one_of("sequence_rule", self.sequence_rule, SEQUENCE_RULES)
        for name in ("retention_ms", "retention_bytes"):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name))

    def brokers_of(self, partition: int, brokers: int) -> list[int]:
        """Return the brokers that hold a partition, of so many; the first is the preferred leader."""
        return [(partition + number) % brokers for number in range(self.replicas)]
