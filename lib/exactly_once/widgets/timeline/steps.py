"""The steps of the timeline in one table: the letter in a token, the button, what it does, and what refuses it.

A step's code is "1" or "2" for the producer and the step's letter, or the letter alone for a step of the cluster.
The world does a step by the method of its name.
"""

from dataclasses import dataclass

from .parts import CALLS, MOST_ITEMS, PRODUCERS


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


def refusal(world, what, life=None):
    """Tell why a step is impossible now, in a sentence; "" if it is possible. A cluster's step has no `life`."""
    facts, named = _facts(world, life), {}
    if life is not None:
        named = {"owner": life.owner, "call": CALLS.get(life.asks), "most": MOST_ITEMS}
    for letters, fact, said in REFUSALS:
        if STEPS[what].letter in letters and facts[fact.removeprefix("not ")] != fact.startswith("not "):
            return said.format(**named)
    return ""


def _facts(world, life):
    """Return {fact: whether it is so} of the cluster, or of an incarnation of a producer."""
    if life is None:
        return {"down": world.coordinator is None, "held": world.held}
    state, stalled, zombie = life.state, life.stalled is not None, world.zombie(life.owner) is not None
    return {
        "late": life.owner in world.late,
        "stalled": stalled,
        "zombie": zombie,
        "asleep": stalled or zombie,
        "stopped": stalled or state in ("dead", "fenced"),
        "asks": bool(life.asks),
        "read all": life.position >= MOST_ITEMS,
        "in transaction": state in ("open", "must abort"),
        **{each: state == each for each in ("ready", "dead", "fenced", "must abort")},
    }
