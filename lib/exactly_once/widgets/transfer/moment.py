"""The bank at one moment of a run: balances, holders of locks, waiting nodes, the auditor's knowledge."""

from typing import NamedTuple

from ...explore.search.outlook import BROKEN
from ...show.steps.steps import Steps
from ...stores.codec import decode
from ..player.moves import made
from .model import is_quiet

OVER = ("dies", "ends", "raised")


class Moment(NamedTuple):
    """One moment of the bank. Nodes count from 0. `total` is the sum of the `balances`.

    `missing` is the initial total minus the present total; it is `lost` when no process can bring it back. `holders`
    maps each locked account to its node; `waits` maps each waiting node to (account, holder). `answers` maps each
    mover to its answers, `read` are the auditor's readings, `audits` its results. `dead` are the killed nodes,
    `circle` the nodes that wait for each other.
    """

    balances: dict
    total: int
    missing: int
    holders: dict
    waits: dict
    answers: dict
    read: tuple
    audits: tuple
    dead: tuple
    circle: tuple
    lost: bool


def moment_of(model):
    """Return the `Moment` of the model's present position."""
    position, bank = model.state.position, model.bank
    run, movers = position.replay.run, model.state.choice.movers
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
    total = sum(balances.values())
    missing = bank.total - total
    return Moment(
        balances,
        total,
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
    """Return {account: the node that holds its lock}."""
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
    """Return the nodes of a circle, in which each waits for a lock of the next one; () if there is none."""
    for start in waits:
        chain = [start]
        while chain[-1] in waits and (holder := waits[chain[-1]][1]) not in chain:
            chain.append(holder)
        if chain[-1] in waits and waits[chain[-1]][1] == start:
            return tuple(chain)
    return ()


def visible(replay):
    """Return the moves of a replay without the book-keeping."""
    return [move for move in made(replay) if move.is_fault or not is_quiet(move.text)]
