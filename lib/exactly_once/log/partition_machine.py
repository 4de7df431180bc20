"""A partition as part of a store: the broker's rules as functions (content, request) → (content, reply).

The content is the dump of a log in memory with that one partition, as text. So every store of contents can hold
partitions: a store in memory, a store in a SQLite file, the explorer. All of them answer by the log's own rules.
Beside the log, the content holds the writers that have ended (`close`), and the input number of each record. Faults
and verdicts identify a record by its input number, in any partition.
"""

import contextlib
import functools
import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..errors import BadInput, whole
from ..stores.codec import Value, decode, describe
from ..stores.operations import OFFSET, WRITER, Acted, Blocked, Kind, NoInput, Operation, register, register_kind
from . import log_errors
from .broker.groups import OFFSETS
from .client.open import load_log, open_log
from .log import Log, Receipt
from .storage.records import Pair

KIND = "partition"
TOPIC = "partition"
BY_HAND = {"clock": lambda: 0}
REFUSALS = {one.__name__: one for one in vars(log_errors).values() if isinstance(one, type)}
BROKER = ("kill", "revive", "pause", "resume", "elect", "replicate", "delete_records", "restart", "new_producer_id")
OF_PARTITION = ("elect", "replicate", "delete_records")


class Observed(NamedTuple):
    """In place of a content: what readers of a real broker's partition see, and its groups' offsets, as texts."""

    read_uncommitted: str
    read_committed: str
    offsets: str


def _fresh(settings: Any = None) -> str:
    """Return the content of an empty partition with a topic's settings, and `brokers`, their number."""
    settings = dict(settings or {})
    brokers = settings.pop("brokers", 1)
    by_hand = {name: settings.pop(name) for name in ("replication", "elections") if name in settings}
    log = open_log("memory:", brokers, **BY_HAND, **by_hand)
    log.create_topic(TOPIC, **{"replicas": brokers, **settings})
    return _text(log, {"by_hand": by_hand, "ended": [], "numbers": {}})


def _text(log: Log, more: dict[str, Any]) -> str:
    return json.dumps({**more, "log": log.dump()}, sort_keys=True, separators=(",", ":"))


def _opened(content: Any) -> tuple[Log, dict[str, Any]]:
    found = json.loads(content or EMPTY)
    return load_log(found.pop("log"), **BY_HAND, **found["by_hand"]), found


def answering(opened: Callable[[Any], Any], text: Callable[..., str]) -> Callable[..., Callable[..., Acted]]:
    """Return what makes a function of a content: one that lets `work(*opened(content), *arguments)` answer.

    A refusal is an answer, too; `noted(answer, *arguments)` is the journal's entry for it. `text` returns the content
    of what was opened.
    """
    empty = text(*opened(None))

    def made(work: Callable[..., Any], noted: Callable[..., Any] = lambda answer, *_: answer) -> Callable[..., Acted]:
        def act(content: Any, *arguments: Any, **origin: Any) -> Acted:
            found = opened(content)
            answer = answer_of(work, *found, *arguments, **origin)
            after = text(*found)
            return (content if after == (content or empty) else after), answer, noted(answer, *arguments)

        return act

    return made


def _reading(work: Callable[..., Any]) -> Callable[..., Acted]:
    return _answering(work, lambda *_: None)


def _noted(answer: Any, records: Any, _: object) -> Any:
    """Return the journal's entry for an append: the broker's answer, and the records' values if it took them."""
    if "error" in answer or answer.get("duplicate"):
        return answer
    return answer | {"values": [value for _, value in records]}


def answer_of(work: Callable[..., Any], *arguments: Any, **origin: Any) -> Any:
    """Return the result of `work`; of a refusal, an answer that `refused` raises again."""
    try:
        return work(*arguments, **origin)
    except log_errors.LogError as why:
        return {"error": type(why).__name__, "says": str(why)}


def refused(answer: Any) -> Any:
    """Raise the broker's refusal, if an answer is one; else return the answer."""
    if isinstance(answer, dict) and "error" in answer:
        raise REFUSALS[answer["error"]](answer["says"])
    return answer


def _append(log: Log, more: dict[str, Any], records: Any, settings: Any, origin: Any = None) -> dict[str, Any]:
    """Append a batch, and note the number of the input that its records were made of."""
    end = log.log_end(TOPIC, 0)
    receipt = log.append(TOPIC, 0, [Pair(*record) for record in records], **settings)
    base = end if receipt.offset is None else receipt.offset  # acks=0: where they stand, the sender never hears
    if not receipt.duplicate and origin is not None and origin.item is not None:
        more["numbers"] |= {str(base + place): origin.item for place in range(len(records))}
    return answer_to(receipt)


def answer_to(receipt: Receipt) -> dict[str, Any]:
    """Return a partition's answer to an append: with acks=0, no offset."""
    if receipt.offset is None:
        return {"offset": None}
    return {"offset": receipt.offset, "duplicate": receipt.duplicate, "acknowledged": receipt.acknowledged}


def _fetch(
    log: Log, more: dict[str, Any], offset: int, most: int | None, isolation: Any = "read_uncommitted"
) -> dict[str, Any]:
    found = log.fetch(TOPIC, 0, offset, max_records=most, isolation=isolation)
    records = [
        [record.offset, record.key, record.value, more["numbers"].get(str(record.offset), record.offset + 1)]
        for record in found
    ]
    return {"records": records, "next": found.next}


def _poll(
    log: Log, more: dict[str, Any], offset: int, most: int | None, writers: Iterable[int],
    isolation: Any = "read_uncommitted",
) -> dict[str, Any]:  # fmt: skip
    answer = _fetch(log, more, offset, most, isolation)
    if not answer["records"] and answer["next"] == offset and not set(writers) <= set(more["ended"]):
        if log.log_end(TOPIC, 0) > offset:
            raise Blocked(f"The records from offset {offset} on cannot be read yet.")
        raise NoInput(f"Nothing is at offset {offset}, and writers of the log have not ended.")
    return answer


def _close(log: Log, more: dict[str, Any], writer: int) -> None:
    more["ended"] = sorted({*more["ended"], writer})


def _commit(log: Log, more: dict[str, Any], group: str, offset: int) -> None:
    log.commit(group, {(TOPIC, 0): offset})


def _committed(log: Log, more: dict[str, Any], group: str) -> int | None:
    return log.committed_offset(group, TOPIC, 0)


def _marker(
    log: Log, more: dict[str, Any], producer: int, epoch: int, result: Any, coordinator: int, rules: Any = 1
) -> dict[str, Any]:
    return {"offset": log.write_marker(TOPIC, 0, producer, epoch, result, coordinator, rules).offset}


def _broker(log: Log, more: dict[str, Any], what: str, arguments: Any) -> Any:
    if what == "restart":  # the process goes, its disks stay
        broker = arguments[0] if arguments else 0
        log.kill(broker)
        log.revive(broker)
        return None
    told, act = [TOPIC, 0, *arguments] if what in OF_PARTITION else arguments, getattr(log, what)
    try:
        inspect.signature(act).bind(*told)
    except TypeError as why:
        raise BadInput(f"A broker cannot be asked to {what!r} with {arguments!r}: {why}.") from None
    answer = act(*told)
    return answer if isinstance(answer, int) else None


def seen_in(content: Any) -> list[list[Value]]:
    """Return a partition's records as a reader sees them: [offset, key, value, number]."""
    return [list(record) for record in _records_in(content, "read_uncommitted")]


def committed_in(content: Any) -> list[list[Value]]:
    """Return the records that a read_committed reader sees, in the form of `seen_in`."""
    return [list(record) for record in _records_in(content, "read_committed")]


@functools.lru_cache(4_096)
def offsets_in(content: Any) -> dict[str, int]:
    """Return {group: the offset that it committed} of a partition."""
    if isinstance(content, Observed):
        return decode(content.offsets)
    log, _ = _opened(content)
    found = {}
    with contextlib.suppress(log_errors.LogError):  # nobody committed any, or their broker is down
        for record in log.fetch(OFFSETS, 0, 0):
            group, *place = decode(str(record.key))
            found |= {group: record.value} if place else {}
    return found


@functools.lru_cache(4_096)  # the explorer looks at the same contents in many worlds
def _records_in(content: Any, isolation: Any) -> Any:
    if isinstance(content, Observed):
        return decode(getattr(content, isolation))
    log, more = _opened(content)
    try:
        return _fetch(log, more, log.log_start(TOPIC, 0), None, isolation)["records"]
    except log_errors.LogError:
        return []


def _create(content: Any, settings: Any) -> Acted:
    if content is not None:
        raise BadInput("This partition is there already; create it before anything is written to it.")
    return _fresh(settings), None, None


def _check_most(most: int | None) -> None:
    if most is not None:
        whole("the number of records", most, least=1)


def _check_what(what: str) -> None:
    if what not in BROKER:
        raise BadInput(f"A broker cannot be asked to {what!r}; it can {', '.join(BROKER)}.")


def _said(answer: Any) -> str:
    """Return a broker's answer in words."""
    if isinstance(answer, dict) and "error" in answer:
        return f"refused: {answer['error']}"
    if isinstance(answer, dict) and "offset" in answer:
        again = ", which was there already" if answer.get("duplicate") else ""
        values = f"{', '.join(map(describe, answer['values']))} at " if "values" in answer else ""
        return (
            f"{values}offset {answer['offset']}{again}" if answer["offset"] is not None else f"{values}no offset told"
        )
    if isinstance(answer, dict):
        found = [record[2] for record in answer["records"]]
        return describe(found) if found else "nothing more"
    return "done" if answer is None else describe(answer)


EMPTY = _fresh()
_answering = answering(_opened, _text)
register_kind(KIND, Kind(None, seen_in))
for _operation in (
    Operation("create", KIND, ("settings",), "make the partition, with a topic's settings and the number of brokers",
              _create),
    Operation("produce", KIND, ("records", "settings"),
              "append [[key, value], …] as one batch; return where it stands", _answering(_append, _noted),
              keeps_origin=True, answered=_said, noted_text=_said),
    Operation("consume", KIND, ("offset", "most", "isolation"), "return up to `most` records from an offset on",
              _reading(_fetch), (OFFSET, _check_most), optional=1, reads=True, answered=_said),
    Operation("poll", KIND, ("offset", "most", "writers", "isolation"),
              "as `consume`, but wait for a record, or until these writers have ended",
              _reading(_poll), (OFFSET, _check_most), optional=1, reads=True, blocks=True, answered=_said),
    Operation("close", KIND, ("writer",), "note that a writer has ended", _answering(_close),
              (WRITER,), sure=True,
              noted_text=lambda _: "a writer has ended"),
    Operation("commit", KIND, ("group", "offset"), "keep the offset of a consumer group's next record",
              _answering(_commit), answered=_said, noted_text=_said),
    Operation("committed", KIND, ("group",), "return the offset that a consumer group committed, or None",
              _reading(_committed), reads=True, answered=_said),
    Operation("marker", KIND, ("producer", "epoch", "result", "coordinator", "rules"),
              "end a producer's transaction in this partition", _answering(_marker), optional=1,
              answered=_said, noted_text=_said),
    Operation("broker", KIND, ("what", "arguments"), "have a broker killed, revived, paused, …, or a leader elected",
              _answering(_broker), (_check_what,), answered=_said, noted_text=_said),
):  # fmt: skip
    register(_operation)
