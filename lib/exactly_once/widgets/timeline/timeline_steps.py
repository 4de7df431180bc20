"""The table of the timeline's steps, with the letter, button, action and refusal of each; and the stories.

A step's code is "1" or "2" for the producer and the step's letter, or the letter alone for a step of the cluster.
The world does a step by the method of its name.
"""

from dataclasses import dataclass
from typing import Any

from ...log.transactions.producer import ABORTABLE_ERROR, FATAL_ERROR, IN_TRANSACTION, READY

PRODUCERS = ("P1", "P2")
INPUT, OUTPUT = "in", "out"
PARTITION = f"{OUTPUT}-0"
TIMEOUT_S = 60  # seconds: transaction.timeout.ms
MOST_ITEMS = 20
CALLS = {"init": "init_transactions", "commit": "commit_transaction", "abort": "abort_transaction"}
DEAD = "DEAD"  # the state of a producer that is none of its client's


@dataclass(frozen=True)
class Step:
    """A step: its letter, its button, the tip at it, and for one of the cluster its name in a sentence.

    `instead` names the step whose place its button takes while it is possible.
    """

    letter: str
    title: str
    tip: str
    said: str = ""
    instead: str = ""


PRODUCER = {
    "begin": Step("b", "begin", "begin_transaction(): nobody but the producer knows of it"),
    "send": Step("s", "send", "the producer reads its next item and sends a record for it"),
    "late": Step("l", "◷ late", "it sends a record, and the request is late in the network"),
    "arrive": Step("n", "◷ arrive", "the late request arrives now", instead="late"),
    "offsets": Step("o", "offsets", "send_offsets_to_transaction(): its position becomes part of the transaction"),
    "commit": Step("c", "commit", "commit_transaction()"),
    "abort": Step("a", "abort", "abort_transaction(), and the application seeks back to the committed position"),
    "kill": Step("k", "✖ kill", "the producer is killed"),
    "restart": Step(
        "r", "↻ restart", "a new incarnation with the same transactional id: init_transactions()", instead="kill"
    ),
    "stall": Step(
        "z", "‖ stall", "the producer stops for a while and does not know of it, as in a long garbage collection"
    ),
    "wake": Step("w", "▶ wake", "it goes on where it stopped", instead="stall"),
}
CLUSTER = {
    "tick": Step(
        "t",
        "+10 s",
        "Ten seconds pass; the coordinator looks for transactions older than 60 s every 10 s",
        "ten seconds",
    ),
    "down": Step("d", "✖ kill", "The coordinator is killed; its log stays", "the coordinator is killed"),
    "back": Step("u", "↻ back", "A coordinator is made anew from its log", "the coordinator comes back", "down"),
    "hold": Step(
        "h", "‖ hold", "Markers that are decided stay on their way until they are released", "markers are held"
    ),
    "release": Step("m", "▶ release", "The markers are written now", "markers are released", "hold"),
}
STEPS = PRODUCER | CLUSTER
CODES = {one.letter: (what, None) for what, one in CLUSTER.items()} | {
    f"{number}{one.letter}": (what, owner)
    for number, owner in enumerate(PRODUCERS, 1)
    for what, one in PRODUCER.items()
}
CODE_OF = {step: code for code, step in CODES.items()}

CALL = "bsloca"  # a producer's own calls; those after "b" need an open transaction
REFUSALS = (  # (letters of steps, what has to be so that they are refused, the sentence); the first that fits counts
    ("d", "down", "The coordinator is dead already."),
    ("u", "not down", "The coordinator is alive."),
    ("h", "held", "The markers are held already."),
    ("m", "not held", "No markers are held."),
    ("n", "not late", "No request of {owner} is late."),
    ("w", "not asleep", "{owner} is not stalled."),
    ("r", "not stopped", "{owner} runs; kill it or stall it first."),
    (f"{CALL}kz", "dead", "{owner} is dead; restart it."),
    (f"{CALL}kz", "stalled", "{owner} is stalled and does nothing; wake it, or start a new incarnation of it."),
    ("z", "zombie", "An earlier incarnation of {owner} is stalled; wake it."),
    (CALL, "fenced", "{owner} is fenced: a producer has to be closed then. Restart it."),
    (CALL, "asks", "{owner} waits for the answer to {call}()."),
    ("l", "late", "One request of {owner} is late already."),
    ("sl", "read all", "{owner} has read all its {most} items."),
    ("bsloc", "must abort", "{owner} has an error to answer for: it can abort, and nothing else."),
    ("b", "not ready", "{owner} has a transaction open already; end it first."),
    ("sloca", "not in transaction", "{owner} has no transaction open; begin one first."),
)


def refusal(world: Any, what: str, life: Any = None) -> str:
    """Tell why a step is impossible now, in a sentence; "" if it is possible. A cluster's step has no `life`."""
    facts, named = _facts(world, life), {}
    if life is not None:
        named = {"owner": life.owner, "call": CALLS.get(life.asks), "most": MOST_ITEMS}
    for letters, fact, said in REFUSALS:
        if STEPS[what].letter in letters and facts[fact.removeprefix("not ")] != fact.startswith("not "):
            return said.format(**named)
    return ""


def _facts(world: Any, life: Any) -> dict[str, bool]:
    """Return {fact: whether it is so} of the cluster, or of an incarnation of a producer."""
    if life is None:
        return {"down": world.coordinator is None, "held": world.held}
    state, stalled, zombie = life.state, life.stalled, world.zombie(life.owner) is not None
    return {
        "late": life.owner in world.late,
        "stalled": stalled,
        "zombie": zombie,
        "asleep": stalled or zombie,
        "stopped": stalled or state in (DEAD, FATAL_ERROR),
        "asks": bool(life.asks),
        "read all": life.position >= MOST_ITEMS,
        "in transaction": state in (IN_TRANSACTION, ABORTABLE_ERROR),
        "must abort": state == ABORTABLE_ERROR,
        "fenced": state == FATAL_ERROR,
        "ready": state == READY,
        "dead": life.dead,
    }


OWN = "own"


class Story:
    """A story: its title, its steps as (code, the sentence that announces it), and the protocol, 1 or 2 (KIP-890)."""

    def __init__(self, title: str, *steps: tuple[str, ...], protocol: int = 1) -> None:
        self.title, self.steps, self.protocol = title, steps, protocol


LATE = (
    ("1b", "P1 begins a transaction."),
    ("1s", "It sends a1."),
    ("1l", "It sends a2, and the request is late in the network. P1 hears nothing of it."),
    ("1a", "P1 gives up and aborts. What is on its way stays on its way."),
    ("2b", "P2 begins a transaction."),
    ("1n", "Now the late a2 arrives, after the abort marker. What does the partition’s leader do with it?"),
    ("2s", "P2 sends b1."),
    ("2c", "P2 commits. Will a read_committed consumer see b1?"),
    *[("t", "Ten seconds pass. Who could end a transaction that the coordinator does not know of?")] * 2,
)

STORIES = {
    "commit": Story(
        "commit",
        ("1b", "P1 begins a transaction. Who hears of that?"),
        ("1s", "It reads its first item and sends a1. Can anybody read a1 now?"),
        ("1s", "It sends a2."),
        ("1o", "It adds its position, 2, to the transaction."),
        ("1c", "It commits. Which offset does the commit take, and how far does the last stable offset move?"),
    ),
    "abort": Story(
        "abort, and again",
        ("1b", "P1 begins a transaction."),
        ("1s", "It sends a1."),
        ("1s", "It sends a2."),
        ("1a", "It aborts. Are a1 and a2 gone from the log?"),
        ("1b", "P1 begins again, from the position that is committed."),
        ("1s", "It sends a1 again. Which isolation level now sees a1 twice?"),
        ("1o", "It adds its position."),
        ("1c", "It commits."),
    ),
    "zombie": Story(
        "zombie fenced",
        ("1b", "P1 begins a transaction."),
        ("1s", "It sends a1."),
        ("1z", "P1 stalls, in the middle of its transaction."),
        ("1r", "It is taken for dead, and a new incarnation begins with the same transactional id. What of a1?"),
        ("1b", "The new incarnation begins a transaction."),
        ("1s", "It sends a1: it began at the committed position."),
        ("1w", "The first incarnation wakes up, knows of nothing, and sends a2. Is a2 written?"),
        ("1o", "The new incarnation adds its position."),
        ("1c", "It commits."),
    ),
    "stalled": Story(
        "stalled transaction",
        ("1b", "P1 begins a transaction."),
        ("1s", "It sends a1."),
        ("1s", "It sends a2."),
        ("1o", "It adds its position."),
        ("1c", "It commits."),
        ("2b", "P2 begins a transaction."),
        ("2s", "It sends b1."),
        ("2a", "It aborts."),
        ("1b", "P1 begins its second transaction."),
        ("1s", "It sends a3."),
        ("2b", "P2 begins as well."),
        ("2s", "It sends b1 again."),
        ("1s", "P1 sends a4."),
        ("1o", "P1 adds its position."),
        ("1z", "P1 stalls. Nobody knows of it."),
        ("2s", "P2 sends b2."),
        ("2o", "P2 adds its position."),
        ("2c", "P2 commits. Will a read_committed consumer see b1 and b2?"),
        *[("t", "Ten seconds pass. How long will P2’s consumers have to wait?")] * 5,
        ("1w", "P1 wakes up; for it no time has passed."),
        ("1s", "It sends its next record."),
        ("1a", "It was refused, so it can only abort. Does the coordinator still know it?"),
    ),
    "coordinator": Story(
        "coordinator dies",
        ("1b", "P1 begins a transaction."),
        ("1s", "It sends a1."),
        ("1s", "It sends a2."),
        ("1o", "It adds its position."),
        ("h", "The network is slow: the coordinator’s markers are held."),
        ("1c", "P1 commits. The coordinator writes PrepareCommit into its log, and answers. Is a1 read now?"),
        ("d", "The coordinator is killed before a marker is written. Is the commit lost?"),
        ("m", "The network is fast again. Who writes the markers?"),
        ("u", "The coordinator comes back and reads its log. What will it find, and do?"),
    ),
    "hanging": Story("late append hangs", *LATE),
    "kip-890": Story("late append, KIP-890", *LATE, protocol=2),
}
