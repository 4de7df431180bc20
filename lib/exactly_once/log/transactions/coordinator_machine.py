"""The coordinator, and the groups' offsets, as parts of stores: functions (content, request) → (content, reply).

Each operation is one durable append to the coordinator's log, or none, before it answers; what takes several, such as
writing markers, is for the coordinator's node to do step by step. See `log.partition_machine` for partitions.
"""

import contextlib
import functools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...errors import BadInput
from ...stores.codec import decode, describe
from ...stores.operations import Acted, Blocked, Kind, Operation, register, register_kind
from ..broker.groups import OFFSETS
from ..client.open import load_log, open_log
from ..log import Log
from ..log_errors import NotCoordinator, UnknownTopicOrPartition, UnstableOffsetCommit
from ..partition_machine import Observed, answering
from .coordinator import Coordinator
from .producer import OFFSETS_PARTITION
from .rules import Transaction
from .topic import TOPIC

KIND, COORDINATOR_PART = "coordinator", TOPIC
OFFSETS_KIND, OFFSETS_PART = "offsets", OFFSETS_PARTITION
NEW = {"protocol": 2, "epoch": 0, "next": 0, "ended": [], "transactions": {}}


class Kept(dict):
    """A coordinator's transactions by their ids, and the next producer id, as a content holds them."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        super().__init__({name: _revived(fields) for name, fields in found["transactions"].items()})
        self.next, self.epoch = found["next"], found["epoch"]

    def new_producer_id(self) -> int:
        """Return a producer id that nobody had before."""
        self.next += 1
        return self.next - 1


def _revived(fields: Any) -> Transaction:
    return Transaction._make(tuple(field) if isinstance(field, list) else field for field in fields)


def _opened(content: Any) -> tuple[Coordinator, dict[str, Any]]:
    found = json.loads(content) if content else dict(NEW)
    return Coordinator(Kept(found), lambda: 0, found["protocol"]), found


def _text(coordinator: Any, found: Mapping[str, Any]) -> str:
    kept = coordinator.kept
    known = {**found, "epoch": kept.epoch, "next": kept.next, "transactions": kept}
    return json.dumps(known, sort_keys=True, separators=(",", ":"))


_answering = answering(_opened, _text)


def _begin(content: Any, settings: dict[str, Any]) -> Acted:
    if content is not None:
        raise BadInput("This coordinator is at work already; say which protocol it speaks before anything is asked.")
    return json.dumps(NEW | settings, sort_keys=True, separators=(",", ":")), None, None


def _asking(request: str) -> Callable[..., Acted]:
    """Return the function of a content that has the coordinator's method `request` answer."""

    def work(coordinator: Coordinator, _: object, *arguments: Any) -> Any:
        answer = getattr(coordinator, request)(*arguments)
        return None if answer is None else list(answer)

    return _answering(work)


def _settled(coordinator: Coordinator, _: object, transactional_id: str) -> None:
    if coordinator.due(transactional_id):
        raise Blocked(f"The last transaction of {transactional_id} is decided, and markers of it are missing.")


def _due(
    coordinator: Coordinator, found: Mapping[str, Any], epoch: int, producers: Iterable[int]
) -> list[Any] | None:
    if epoch < coordinator.epoch:
        raise NotCoordinator(f"The coordinator of epoch {epoch} was replaced by that of epoch {coordinator.epoch}.")
    for due in coordinator.due():
        return list(due)
    if not set(producers) <= set(found["ended"]):
        raise Blocked("Nothing is decided that is not complete, and producers have not ended.")
    return None


def _recover(coordinator: Any, _: object) -> int:
    coordinator.kept.epoch += 1
    return coordinator.epoch


def _leave(_: object, found: dict[str, Any], producer: int) -> None:
    found["ended"] = sorted({*found["ended"], producer})


def _offsets_text(log: Log) -> str:
    return json.dumps(log.dump(), sort_keys=True, separators=(",", ":"))


def _offsets_log(content: Any) -> Log:
    if content is not None:
        return load_log(json.loads(content), clock=lambda: 0)
    return open_log("memory:", clock=lambda: 0)


_offsets_answering = answering(lambda content: (_offsets_log(content),), _offsets_text)


def _seen_offsets(content: Any) -> dict[str, dict[str, int]]:
    """Return {group: {stream: offset}} as committed, without pending offsets."""
    return {} if content is None else _committed_in(content)


@functools.lru_cache(4_096)
def _committed_in(content: Any) -> dict[str, dict[str, int]]:
    if isinstance(content, Observed):
        return decode(content.offsets)
    return _committed(_offsets_log(content))


def _begin_group(content: Any, streams: Iterable[str]) -> Acted:
    log = _offsets_log(content)
    for stream in streams:
        log.create_topic(stream, exist_ok=True)
    log.internal_topic(OFFSETS)
    return _offsets_text(log), None, None


def _commit_offsets(log: Log, group: str, offsets: Mapping[str, int], settings: Mapping[str, Any]) -> dict[str, Any]:
    place = log.log_end(OFFSETS, 0)
    log.commit(group, {(stream, 0): offset for stream, offset in offsets.items()}, **settings)
    return {"offset": place, "offsets": offsets}


def committed_offsets(log: Any, group: str, streams: Iterable[str]) -> dict[str, int]:
    """Return {stream: the offset that a group committed}. Raises `Blocked` while one is in an open transaction."""
    try:
        found = {stream: log.committed_offset(group, stream, 0, require_stable=True) for stream in streams}
    except UnstableOffsetCommit as why:
        raise Blocked(str(why)) from None
    return {stream: offset for stream, offset in found.items() if offset is not None}


def _committed(log: Log) -> dict[str, dict[str, int]]:
    """Return {group: {stream: offset}} of all that is committed."""
    found = {}
    with contextlib.suppress(UnknownTopicOrPartition):  # nobody made the partition
        for record in log.fetch(OFFSETS, 0, 0, isolation="read_committed"):
            group, *place = decode(str(record.key))
            if place:
                found.setdefault(group, {})[place[0]] = record.value
    return found


def _offsets_marker(
    log: Log, producer: int, epoch: int, result: Any, coordinator: int, rules: Any = 1
) -> dict[str, Any]:
    return {"offset": log.write_marker(OFFSETS, 0, producer, epoch, result, coordinator, rules).offset}


def visible_commits(store: Any) -> Any:
    """Return the offsets of the records of __consumer_offsets that a read_committed reader of a store sees."""
    content = store.held(OFFSETS_KIND).get(OFFSETS_PART)
    return {} if content is None else _visible_in(content)


@functools.lru_cache(4_096)
def _visible_in(content: Any) -> frozenset[int]:
    if isinstance(content, Observed):
        return frozenset(offset for offset, *_ in decode(content.read_committed))
    found = _offsets_log(content).fetch(OFFSETS, 0, 0, isolation="read_committed")
    return frozenset(record.offset for record in found)


def _answer_said(answer: Any) -> str:
    if isinstance(answer, dict) and "error" in answer:
        return f"refused: {answer['error']}"
    return "done" if answer is None else describe(answer)


register_kind(KIND, Kind(None, lambda content: content and json.loads(content)["transactions"]))
register_kind(OFFSETS_KIND, Kind(None, _seen_offsets))
for _operation in (
    Operation("begin_coordinating", KIND, ("settings",), "speak a protocol", _begin),
    Operation("init_producer", KIND, ("transactional_id", "timeout_ms", "producer", "epoch"),
              "give a producer id and a new epoch, and abort what an earlier incarnation left open",
              _asking("init_producer"),
              answered=_answer_said, noted_text=_answer_said),
    Operation("add_partitions", KIND, ("transactional_id", "producer", "epoch", "partitions"),
              "note that the transaction is about to write to partitions", _asking("add_partitions"),
              answered=_answer_said, noted_text=_answer_said),
    Operation("end_transaction", KIND, ("transactional_id", "producer", "epoch", "result"),
              "decide: PrepareCommit or PrepareAbort", _asking("end"),
              answered=_answer_said, noted_text=_answer_said),
    Operation("settled", KIND, ("transactional_id",), "wait until no marker is missing", _answering(_settled),
              reads=True, blocks=True),
    Operation("due", KIND, ("epoch", "producers"), "wait for a decision that is not complete", _answering(_due),
              reads=True, blocks=True, answered=_answer_said),
    Operation("complete", KIND, ("transactional_id", "producer", "epoch", "coordinator"),
              "note that all markers are written", _asking("complete"), answered=_answer_said,
              noted_text=_answer_said),
    Operation("recover", KIND, (), "begin a new coordinator epoch", _answering(_recover), answered=_answer_said,
              noted_text=_answer_said),
    Operation("leave", KIND, ("producer",), "note that a producer has ended", _answering(_leave), sure=True),
    Operation("begin_group", OFFSETS_KIND, ("streams",), "make the partition of the groups' offsets", _begin_group),
    Operation("commit_offsets", OFFSETS_KIND, ("group", "offsets", "settings"), "write offsets in a transaction",
              _offsets_answering(_commit_offsets), answered=_answer_said, noted_text=_answer_said),
    Operation("committed_offsets", OFFSETS_KIND, ("group", "streams"),
              "wait until nothing is pending; return the offsets", _offsets_answering(committed_offsets),
              reads=True, blocks=True, answered=_answer_said),
    Operation("offsets_marker", OFFSETS_KIND, ("producer", "epoch", "result", "coordinator", "rules"),
              "end a producer's transaction in the groups' offsets", _offsets_answering(_offsets_marker), optional=1,
              answered=_answer_said, noted_text=_answer_said),
):  # fmt: skip
    register(_operation)
