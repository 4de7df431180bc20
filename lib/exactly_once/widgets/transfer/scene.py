"""What the bank is like at one moment of a run: balances, who holds which lock, who waits, what the auditor knows."""

from typing import NamedTuple

from ...explore.search.outlook import BROKEN
from ...show.steps.steps import Steps
from ...stores.codec import decode
from ..adversary.moves import made
from .model import is_quiet

OVER = ("dies", "ends", "raised")


class Scene(NamedTuple):
    """One moment. Nodes count from 0; `holders` and `waits` name accounts, whose locks they are.

    `missing` is how much less the accounts hold than at the beginning; it is `lost` when nobody can bring it back.
    `answers` maps each mover to what it answered, `read` is what the auditor has read, `audits` what it wrote down.
    `dead` are the nodes that were killed, `circle` those that wait for each other.
    """

    balances: dict
    missing: int
    holders: dict
    waits: dict
    answers: dict
    read: tuple
    audits: tuple
    dead: tuple
    circle: tuple
    lost: bool


def scene_of(model):
    """Return the `Scene` at which the model stands."""
    position, bank = model.state.position, model.bank
    run, movers = position.replay.run, len(bank.orders)
    nodes = {start.life: start.detail.get("node", 0) for start in run.trace.lives()}
    balances = bank.balances(run.outcome)
    waits = {node: (event.detail["part"].removeprefix("lock."), holder) for node, event, holder in
             position.replay.waiting}  # fmt: skip
    answers = dict.fromkeys(range(movers), ())
    for number, _, answer in map(decode, run.outcome.outputs):
        answers[number - 1] += (answer,)
    read = tuple(
        (move.part.rpartition(".")[2], move.reply)
        for move in made(position.replay)
        if move.node == movers and move.part and move.part.startswith("bank") and move.reply is not None
    )
    dead = tuple(nodes[event.life] for event in run.trace if event.verb == "dies")
    missing = bank.total - sum(balances.values())
    return Scene(
        balances,
        missing,
        _holders(position, nodes),
        waits,
        answers,
        read,
        tuple(bank.audited(run.outcome)),
        dead,
        _circle(waits),
        bool(missing) and (position.outlook == BROKEN or position.ended),
    )


def _holders(position, nodes):
    """Return {account: the node whose life holds its lock}."""
    held = {}
    replay = position.replay
    for event in Steps(replay.run, replay.schedule, replay.steps).events:
        part = event.process.removeprefix("lock.")
        if part != event.process and event.kind == "receive" and event.verb == "acquire":
            held[part] = event.life
        elif part != event.process and event.kind == "receive" and (event.verb, event.text) == ("release", "free"):
            held.pop(part, None)
        elif event.verb in OVER:
            held = {account: life for account, life in held.items() if life != event.life}
    return {account: nodes[life] for account, life in held.items()}


def _circle(waits):
    """Return nodes each of which waits for what the next one holds, as far as they form a circle."""
    for start in waits:
        way = [start]
        while way[-1] in waits and (holder := waits[way[-1]][1]) not in way:
            way.append(holder)
        if way[-1] in waits and waits[way[-1]][1] == start:
            return tuple(way)
    return ()


def visible(replay):
    """Return the moves of a replay that are no book-keeping."""
    return [move for move in made(replay) if move.is_fault or not is_quiet(move.text)]
