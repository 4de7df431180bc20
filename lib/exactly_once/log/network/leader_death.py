"""The results of a run in which the leader's process was killed: records, logs, and a timeline."""

from dataclasses import dataclass
from typing import NamedTuple

from .client import Answer


class Moment(NamedTuple):
    """An event, `seconds` after the start of the run: `who` acted, a `text` in words, and one word for it."""

    seconds: float
    who: str
    text: str
    what: str


@dataclass(frozen=True, repr=False)
class LeaderDeath:
    """The result of a run in which the leader of broker processes was killed (see `spark.experiments.brokers`).

    `acknowledged` are the numbers of the records that a broker had acknowledged by the end, and `readable` those that
    a reader finds, in their order. `logs` is {broker: the records in its own file}, with the dead broker's file as of
    its death. `came_back` are the records in the dead broker's file after it was started again and followed the new
    leader. `attempts` are the producer's `Answer`s, by the seconds of the `timeline`, which lists `Moment`s;
    `leaderless` is the number of seconds without a leader.
    """

    acks: int | str
    moment: str
    at: int
    records: int
    idempotent: bool
    acknowledged: tuple[int, ...]
    readable: tuple[int, ...]
    logs: dict[int, tuple[int, ...]]
    came_back: tuple[int, ...]
    attempts: tuple[Answer, ...]
    timeline: tuple[Moment, ...]
    leader_before: int
    leader_after: int
    leaderless: float
    pids: dict[str, int]
    seconds: float

    @property
    def lost(self) -> tuple[int, ...]:
        """The records that were acknowledged and cannot be read."""
        return tuple(number for number in self.acknowledged if number not in self.readable)

    @property
    def missing(self) -> tuple[int, ...]:
        """The records that cannot be read, whether acknowledged or not."""
        return tuple(number for number in range(1, self.records + 1) if number not in self.readable)

    @property
    def doubled(self) -> tuple[int, ...]:
        """The records that can be read more than once."""
        return tuple(number for number in sorted(set(self.readable)) if self.readable.count(number) > 1)

    def __str__(self) -> str:
        def of(numbers: tuple[int, ...]) -> str:
            return (
                f"{len(numbers)} ({', '.join(map(str, numbers[:6]))}{', …' * (len(numbers) > 6)})" if numbers else "0"
            )

        return (
            f"acks={self.acks}: {self.records} records sent, {len(self.acknowledged)} acknowledged, "
            f"{len(self.readable)} to be read. Acknowledged and lost: {of(self.lost)}; missing in all: "
            f"{of(self.missing)}; there twice: {of(self.doubled)}. Broker {self.leader_before} led and was killed, "
            f"broker {self.leader_after} leads; nobody led for {self.leaderless:.2f} s."
        )

    __repr__ = __str__
