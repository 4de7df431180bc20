"""The protocol as a handler for `prove`: its bounds, the rules that a mutant can drop, and its checked properties.

At the end stand the possible ends of a transaction: the moment of its commit is the one after which nothing can undo
it.
"""

import functools
import json
import re
from typing import Any, NamedTuple

from ...errors import BadInput, one_of, whole
from ...log.transactions.coordinator import MARKER_RULES
from . import events
from .events import ASKS, FAULTS, INCLUSION, OVER, Life, State

COMMITTED, ABORTED = "committed", "aborted"
CHOICE = "o"  # the kind of decision that a schedule has for a choice, as in `simulate.schedule`


class Mutant(NamedTuple):
    """A rule to drop: in words, and the bounds within which `prove` finds the resulting error."""

    sentence: str
    bounds: dict[str, Any]


MUTANTS = {
    "marker forgotten": Mutant("The coordinator forgets the marker of the second partition.", {"lives": 1}),
    "offsets outside": Mutant("The position is committed by itself, outside the transaction.", {"lives": 1}),
    "epoch not raised": Mutant(
        "An incarnation that is let in gets the epoch of the incarnation before it.", {"pauses": 1}
    ),
    "init does not wait": Mutant("An incarnation is let in while markers are still to be written.", {}),
    "state read uncommitted": Mutant(
        "An incarnation loads its state as a read_uncommitted reader does.", {"transactions": 1}
    ),
    "last stable offset too high": Mutant("Readers see records of transactions that are open.", {"lives": 1}),
    "acknowledged early": Mutant(
        "A commit is acknowledged before PrepareCommit is in the coordinator's log.", {"deaths": 1, "transactions": 1}
    ),
}
VERSIONS = {  # of Kafka, and what is to be said of its protocol; the first has neither part of KIP-890
    "before 3.6": {"protocol": 1},
    "3.6 to 3.9": {"protocol": 1, "verification": True},
    "4.0 and 4.1": {"protocol": 2, "marker_rule": "kafka 4.1"},
    "since 4.2": {"protocol": 2},
}
HISTORY = {  # what breaks an earlier version's protocol, and not that since 4.2: words, and bounds
    "hanging transaction": (
        "A record that was late lands after the abort marker.",
        {"lives": 1, "transactions": 1, "late_records": 1},
    ),
    "in the next transaction": (
        "A record that was late becomes part of the next transaction.",
        {"lives": 1, "late_records": 1, "asks": (INCLUSION,)},
    ),
    "ended by an old marker": ("A marker that was late ends the next transaction.", {"lives": 1, "late_markers": 1}),
    "ended by an old request": (
        "A commit that was late ends the next transaction.",
        {"lives": 1, "late_requests": 1},
    ),
}


def transaction_protocol(*protocol, **bounds):
    """Return a handler for `prove`: the whole protocol of Kafka's transactions, with its events in any order.

    A program loads its position, and its state from the second of two partitions; it reads inputs, and for each it
    writes a record to both partitions and commits its position, all in one transaction. One transactional id has so
    many `lives` of it, each with up to so many `transactions`. The second incarnation begins at any moment; the first
    one ends then, or, of up to so many `pauses`, it is only stalled. Besides, up to so many times: the coordinator or
    the broker that leads a partition dies (`deaths`), also between its work and its answer; a record that a producer
    writes to a partition is late (`late_records`), or its request to the coordinator (`late_requests`), or a marker
    (`late_markers`): the sender hears nothing, sends it again, or aborts, and the first one arrives at any later
    moment, or never; an answer is lost (`lost_replies`); a transaction times out (`timeouts`).

    `protocol` is 1 (classic) or 2 (KIP-890); with `verification` leaders ask the coordinator before they append, as
    since 3.6. `marker_rule` is how leaders check markers of protocol 2: "kafka", the rule since 4.2 (KIP-1228), or
    "kafka 4.1", that of 4.0 and 4.1. `mutant` is one or several names in `MUTANTS`: the rules to drop. `asks` names
    the errors to find: "inclusion", a result that no transactional store could show; "rest", a transaction that never
    ends. Raises `BadInput` for other values.
    """
    start = beginning(*protocol, **bounds)

    def cluster(node):
        state = start
        while what_can_happen(state):
            state = after(state, node.choose(what_can_happen(state)))
        node.state.save([start, state])

    return cluster


def beginning(
    protocol=2, mutant=None, lives=2, transactions=2, verification=False, asks=ASKS, marker_rule="kafka", **faults
):
    """Return the first state, as text; the arguments are those of `transaction_protocol`."""
    one_of("The transaction protocol", protocol, (1, 2))
    one_of("marker_rule", marker_rule, MARKER_RULES)
    whole("lives", lives, least=1, most=2)
    whole("transactions", transactions, least=1, most=3)
    for name, value in faults.items():
        one_of("The kind of fault that is bounded", name, FAULTS)
        whole(name, value, most=9)
    left = tuple(faults.get(name, 0) for name in FAULTS)
    struck = (mutant,) if isinstance(mutant, str) else tuple(sorted(mutant or ()))
    for one in struck:
        one_of("The mutant", one, MUTANTS)
    for one in asks:
        one_of("What is asked", one, ASKS)
    if not isinstance(verification, bool):
        raise BadInput(f"verification is {verification!r}; it can be True or False.")
    both = Life(), Life("waits") if lives == 2 else OVER
    known = {"lives": both, "left": left, "marker_rule": marker_rule}
    return events.text(State(protocol, struck, transactions, verification, tuple(asks), **known))


def what_can_happen(state: str) -> list[Any]:
    """Return the names of the events that can come next."""
    return list(events.following(state))


def after(state: str, name: str) -> str:
    """Return the state after the event of this name."""
    return events.following(state)[name]


def as_the_abstract_store(view):
    """The invariant: the abstract store could show the same, and acknowledged transactions become visible.

    They become visible in order, when no further fault strikes.
    """
    return not isinstance(view.state, list) or events.wrong(events.read(view.state[1])) or True


def story(counterexample: Any) -> list[tuple[Any, ...]]:
    """Return the events of a counterexample of `prove`: a list of (name of the event, the `State` after it).

    The first one is the beginning, without a name.
    """
    written, _ = json.loads(counterexample.run.outcome.state)
    found = [("", events.read(written))]
    for decision in counterexample.schedule:
        if decision.kind == CHOICE:
            name = what_can_happen(written)[decision.option]
            written = after(written, name)
            found.append((name, events.read(written)))
    return found


def a_run(wanted=(), **bounds):
    """Return a run of the protocol within `bounds`, those of `transaction_protocol`, as `story` does.

    `wanted` are beginnings of names of events: each happens as soon as it can, one after the other. All other events
    of the run need no fault.
    """
    written, found, wanted = beginning(**bounds), [], list(wanted)
    found.append(("", events.read(written)))
    while names := what_can_happen(written):
        chosen = next((name for name in names if wanted and name.startswith(wanted[0])), None)
        wanted, name = (wanted[1:], chosen) if chosen else (wanted, names[0])
        written = after(written, name)
        found.append((name, events.read(written)))
    if wanted:
        raise BadInput(f"The event {wanted[0]!r} cannot happen in this run within these bounds.")
    return found


def fates(state: State, name: str) -> frozenset[str]:
    """Return the possible ends of a transaction, a set of `COMMITTED` and `ABORTED`.

    All that can follow is gone through, with no more faults than one: that the transaction times out.
    """
    left = tuple(int(fault == "timeouts") for fault in FAULTS)
    return _fates(events.text(state._replace(left=left)), name)


@functools.lru_cache(events.MOST)
def _fates(written: str, name: str) -> frozenset[str]:
    following = events.following(written)
    if following:
        return frozenset().union(*(_fates(after, name) for after in following.values()))
    outputs, _ = events.shown(events.at_rest(events.read(written)))
    return frozenset({COMMITTED if name in outputs[0] else ABORTED})


def moment_of_commit(run: list[tuple[Any, ...]], name: str = "1.1") -> int | None:
    """Return the number of the event that decided to commit a transaction, or None where none did.

    `run` is a result of `a_run` or `story`; events are counted from 1. Raises `BadInput` for a transaction that the
    run does not begin.
    """
    if name not in transactions_in(run):
        raise BadInput(
            f"No transaction {name!r} begins in this run; there are: {', '.join(transactions_in(run)) or 'none'}."
        )
    could = [fates(state, name) for _, state in run]
    for number, known in enumerate(could):
        if known == {COMMITTED} and all(later == {COMMITTED} for later in could[number:]):
            return number if number and ABORTED in could[number - 1] else None
    return None


def transactions_in(run: list[tuple[Any, ...]]) -> list[str]:
    """Return the names of the transactions that a run begins, in order."""
    return sorted({word for name, _ in run for word in re.findall(r"\b\d\.\d\b", name)})
