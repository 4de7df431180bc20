"""How followers keep up with their leader, and how the set of in-sync replicas follows them.

A follower fetches from its own end on. The request tells the leader the end of the follower's log, which moves the
high watermark; the answer brings batches and that high watermark. So a record is known to be committed at the leader
one fetch after it was copied, and at the follower yet one later, as in Kafka.

`asked` and `taken` are the follower's half, `answered` is the leader's: they may be in different processes.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..log_errors import CorruptLog, FencedLeaderEpoch
from .replica import Replica


class FetchRequest(NamedTuple):
    """A follower's request: its number, log end, newest epoch, followed epoch, log start and high watermark."""

    broker: int
    end: int
    latest: int
    epoch: int
    knows: tuple


class FetchAnswer(NamedTuple):
    """A leader's answer: `batches` to add, and its log start and high watermark; or where to `cut` the log.

    `cut` is (epoch, offset): the logs part there at the latest; the epoch is None where lengths alone count.
    `moved`: the request was news to the leader.
    """

    batches: list
    start: int
    high_watermark: int
    cut: tuple | None = None
    moved: bool = False


def fetch_once(
    leader: Replica,
    follower: Replica,
    expand: Callable[[int], object],
    upto: int | None = None,
    by_epoch: bool = True,
) -> bool:
    """Let a follower fetch once. Returns whether anything moved.

    `leader` and `follower` are `Replica`s; `expand(broker)` is called when the follower, by what it reports, has
    caught up and is not among those in sync. `upto` is the offset below which batches are copied, None for all.
    `by_epoch=False` is the rule before KIP-101: logs are compared by their length alone.
    """
    request = asked(follower)
    return taken(follower, request, answered(leader, request, expand, upto, by_epoch))


def asked(follower: Replica) -> FetchRequest:
    """Return the `FetchRequest` of a follower."""
    with follower.reading():
        latest, epoch = follower.log_index.epochs.latest, follower.state["epoch"]
        return FetchRequest(follower.broker, follower.end, latest, epoch, (follower.start, follower.high_watermark))


def answered(
    leader: Replica,
    request: FetchRequest,
    expand: Callable[[int], object],
    upto: int | None = None,
    by_epoch: bool = True,
) -> FetchAnswer:
    """Return the leader's `FetchAnswer`, after it noted the follower's log end; the rest is as in `fetch_once`.

    Raises `NotLeader` where another leads, `FencedLeaderEpoch` for a follower of another epoch, and `CorruptLog` when
    the leader's disk lacks what the follower has from this very leader.
    """
    with leader.reading():
        state = leader.leading()
        if request.epoch != state["epoch"]:
            raise FencedLeaderEpoch(
                f"{leader.name} on broker {request.broker} follows epoch {request.epoch}, an old one."
            )
        common, until = leader.epoch_end(request.latest)
        here = leader.start, leader.high_watermark
        cut = (common, until) if by_epoch else (None, leader.end)
    apart = common < request.latest or until < request.end if by_epoch else leader.end < request.end
    if request.latest >= 0 and apart:
        if by_epoch and request.latest == request.epoch:  # it came from this leader, which gives nothing up
            raise CorruptLog(
                f"Broker {leader.broker} leads {leader.name} in epoch {request.epoch} and its log ends at offset "
                f"{until}, but broker {request.broker} has its records up to {request.end}: the leader's disk has "
                f"lost them. Nothing was cut off; kill({leader.broker}) lets another broker lead."
            )
        return FetchAnswer([], *here, cut)
    moved = _reported(leader, request.broker, request.end, expand)
    with leader.reading():
        batches = leader.disk.batches(leader.name, max(request.end, leader.start), upto)
        return FetchAnswer(batches, leader.start, leader.high_watermark, None, moved)


def is_news(request: FetchRequest, answer: FetchAnswer) -> bool:
    """Tell whether an answer has something for the follower that asked."""
    known = answer.start, min(answer.high_watermark, request.end)
    return bool(answer.batches) or answer.cut is not None or request.knows != known


def taken(follower: Replica, request: FetchRequest, answer: FetchAnswer) -> bool:
    """Let the follower carry out the leader's answer. Returns whether anything moved, there or here."""
    if answer.cut is not None:
        return _truncated(follower, *answer.cut)
    if not is_news(request, answer):
        return answer.moved
    with follower.changing():
        if (follower.end, follower.state["epoch"]) == (request.end, request.epoch) and not follower.state["leader"]:
            follower.copy(answer.batches, answer.start, answer.high_watermark)  # else another process was faster
    return True


def _truncated(follower: Replica, common: int | None, until: int) -> bool:
    """Cut the follower's log back to where, by leader epochs, it parts from the leader's (KIP-101, KIP-279)."""
    with follower.changing():
        end = follower.end
        found, own = follower.epoch_end(common) if common is not None else (None, until)
        follower.truncate(min(until, own) if found == common else own)
        return follower.end != end


def _reported(leader: Replica, broker: int, end: int, expand: Callable[[int], object]) -> bool:
    with leader.reading():
        if leader.state["positions"].get(str(broker)) == end and broker in leader.state["isr"]:
            return False
    with leader.changing():
        before = leader.state["positions"].get(str(broker))
        leader.leading()
        leader.report(broker, end)
        joins = broker not in leader.state["isr"] and leader.in_sync(broker)
    if joins:
        expand(broker)
    return joins or before != end
