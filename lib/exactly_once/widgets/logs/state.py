"""The log viewer's state beside the log itself, and the reading of numbers from its controls."""

from dataclasses import dataclass

from ...errors import BadInput, whole
from ..base.model import BaseState
from .stories import NONE

TOPIC = "orders"
BROKERS = 3
MOST_RECORDS = 40
MOST_PARTITIONS = 3
LONGEST_KEY = 20
REMEMBERED = 100
MODES = ("manual", "auto")
ACKS = {"0": 0, "1": 1, "all": "all"}


@dataclass(frozen=True)
class Settings:
    """The topic's settings, and a follower's rule for cutting its log; a story can set the rule before Kafka 0.11."""

    partitions: int = 2
    min_insync_replicas: int = 1
    unclean_election: bool = False
    truncation: str = "leader epoch"


@dataclass(frozen=True)
class Note:
    """One action and its consequences, in sentences."""

    what: str
    then: tuple = ()
    refused: bool = False


@dataclass(frozen=True)
class State(BaseState):
    """The screen's state beside the log itself; `positions` and `read` are the consumer's."""

    settings: Settings = Settings()
    acks: str = "all"
    replication: str = "manual"
    elections: str = "auto"
    story: str = NONE
    step: int = 0
    sent: int = 0
    positions: tuple = (0, 0)
    read: tuple = ()
    notes: tuple = ()


def number(value, name, most, least=1):
    """Return the whole number of a control's text. Raises `BadInput` for anything else."""
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadInput(f"{name[0].upper()}{name[1:]} is {text[:20]!r}; give a whole number from {least} to {most}.")
    return whole(name, int(text), least, most)


def two(value):
    """Return the partition and the broker of a text such as "0|1"."""
    partition, _, broker = str(value).partition("|")
    return (
        number(partition, "the partition", MOST_PARTITIONS - 1, least=0),
        number(broker, "the broker", BROKERS - 1, least=0),
    )
