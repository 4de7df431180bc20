"""Exercise 05d: a broker's knowledge of its producers, rebuilt from its log's headers; a snapshot's gap.

A snapshot holds the last batch of each producer alone (Kafka 4.3.1, ProducerStateManager).
"""

from html import escape
from typing import NamedTuple

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...log.broker.producer_state import WINDOW
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers
from ..kinds.task import Task


class Header(NamedTuple):
    """A batch's header. `producer` is None for a batch without numbers."""

    offset: int
    producer: int | None
    epoch: int
    first: int
    records: int


def log_of(*batches):
    """Return the headers of batches given as (producer, epoch, first number, records), one behind the other."""
    headers, offset = [], 0
    for producer, epoch, first, count in batches:
        headers.append(Header(offset, producer, epoch, first, count))
        offset += count
    return headers


NONE = -1  # the epoch and the first number of a batch without a producer
ONE = [(7, 0, number, 1) for number in range(7)]
OTHER = [(9, 0, number, 1) for number in range(3)]
LOGS = (  # the smallest that shows a mistake stands first
    log_of(),
    log_of(*ONE[:1]),
    log_of((7, 0, 0, 3), (7, 0, 3, 2)),
    log_of((7, 0, 0, 1), (0, 0, 0, 1)),  # 0 is a producer's id, too
    log_of((None, NONE, NONE, 2), (7, 0, 0, 1)),
    log_of(*ONE),
    log_of(*ONE[:3], (7, 1, 0, 1)),
    log_of(*ONE[:2], *OTHER, *ONE[2:], (9, 1, 0, 2), (None, NONE, NONE, 1), (9, 1, 2, 1)),
)
CUTS = ((1, 1), (3, 1), (3, 2), (4, 2), (5, 3), (5, 7), (5, 0), (6, 3), (6, 4), (7, 4), (7, 7), (7, 12), (7, 13))
SHOWN = 9
NAMES = ("rebuild", "forgets")


def rebuilt(snapshot, headers):
    """Return {producer: (epoch, its last five batches as (offset, first number, records))}."""
    known = {producer: (epoch, list(batches)) for producer, (epoch, batches) in snapshot.items()}
    for offset, producer, epoch, first, count in headers:
        if producer is not None:
            before, batches = known.get(producer, (epoch, []))
            kept = batches if before == epoch else []
            known[producer] = (epoch, [*kept, (offset, first, count)][-WINDOW:])
    return known


def snapshot_of(headers):
    """Return the snapshot of this log: the last batch of each producer."""
    return {producer: (epoch, batches[-1:]) for producer, (epoch, batches) in rebuilt({}, headers).items()}


def forgotten(headers, place):
    """Return the offsets of the batches that are recognised before a restart with a snapshot, and not after it."""
    before = rebuilt({}, headers)
    after = rebuilt(snapshot_of(headers[:place]), headers[place:])
    known = {each[0] for _, batches in after.values() for each in batches}
    return [each[0] for _, batches in before.values() for each in batches if each[0] not in known]


def rebuild_cases():
    """Return [(arguments, words)] of `rebuild`: without a snapshot, and with one at every place."""
    cases = [([{}, plain(log)], "without a snapshot") for log in LOGS]
    for log in LOGS:
        for place in range(1, len(log) + 1):
            words = f"with a snapshot of offset {log[place].offset if place < len(log) else _end(log)}"
            cases.append(([snapshot_of(log[:place]), plain(log[place:])], words))
    return cases


def plain(headers):
    """Return headers as plain tuples."""
    return [tuple(header) for header in headers]


def _end(log):
    return log[-1].offset + log[-1].records if log else 0


def check(answer):
    """Ask `rebuild` about logs, the smallest first, and then `forgets`."""
    answer = read(answer)
    if answer is None:
        return unsolved("your two functions")
    cases = rebuild_cases()
    told = answers(answer["rebuild"], [case for case, _ in cases])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of rebuild")
    for (case, words), (fine, said) in zip(cases, told, strict=True):
        if sentence := _objection(*case, words, fine, said):
            return wrong(f"rebuild, {words}: {sentence}", picture=drawn(*case, said if fine else None))
    asked = [(LOGS[log], place) for log, place in CUTS]
    told = answers(answer["forgets"], [[plain(log), place] for log, place in asked])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of forgets")
    for (log, place), (fine, said) in zip(asked, told, strict=True):
        if sentence := _slip(log, place, fine, said):
            return wrong(f"forgets: {sentence}", picture=restarted(log, place, said if fine else None))
    return right(
        f"A broker's knowledge of its producers stands in the headers of their batches, so a replica that copies "
        f"the log has the same knowledge. But no broker reads its whole log at each start: after a start from a "
        f"snapshot, of up to {WINDOW} batches it recognises the last one, and the batches behind the snapshot.",
        picture=restarted(LOGS[-1], 12, forgotten(LOGS[-1], 12)),
    )


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if has_dots(answer):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES) or not all(map(callable, answer.values())):
        raise BadInput(
            f"The answer is {repr(answer)[:80]}; it is a dictionary with two functions, {', '.join(NAMES)}."
        )
    return answer


def _objection(snapshot, headers, words, fine, said):
    """Return a sentence on the mistake in the answer of `rebuild`, or None."""
    if not fine:
        return f"it fails with {said}."
    should = rebuilt(snapshot, headers)
    try:
        told = {producer: (epoch, [tuple(each) for each in batches]) for producer, (epoch, batches) in said.items()}
    except (TypeError, ValueError, AttributeError):
        return f"it returns {said!r}; return a dictionary {{producer: (epoch, [(offset, first, records), …])}}."
    if told == should:
        return None
    if set(told) != set(should):
        return _producers(told, should, snapshot)
    producer = next(each for each in should if told[each] != should[each])
    return _producer(producer, told[producer], should[producer], snapshot)


def _producers(told, should, snapshot):
    if None in told:
        return "it knows a producer None. A batch without a producer has no numbers, and nothing is noted of it."
    if extra := set(told) - set(should):
        return f"it knows a producer {extra.pop()!r}, which is neither in the log nor in the snapshot."
    missing = sorted(set(should) - set(told))[0]
    where = "only in the snapshot" if missing in snapshot else "in the log"
    return f"it knows nothing of producer {missing}, which is {where}."


def _producer(producer, told, should, snapshot):
    epoch, batches = told
    if epoch != should[0]:
        return f"for producer {producer} it says epoch {epoch}; its newest batch has epoch {should[0]}."
    if len(batches) > WINDOW:
        return f"it keeps {len(batches)} batches of producer {producer}; each producer's window holds {WINDOW}."
    extra = [each for each in batches if each not in should[1]]
    missing = [each for each in should[1] if each not in batches]
    if not extra and not missing:
        return f"the batches of producer {producer} are the right ones, in another order: the newest stands last."
    if not missing:
        return (
            f"it keeps the batch at offset {extra[0][0]} of producer {producer}, which is of an older epoch or older "
            "than the window. A new epoch begins with 0 and an empty window."
        )
    if producer in snapshot and missing[0] in snapshot[producer][1]:
        return (
            f"the batch at offset {missing[0][0]}, the one that the snapshot holds of producer {producer}, is gone."
        )
    return f"for producer {producer} it does not have {missing[0]}, the batch at offset {missing[0][0]}."


def _slip(log, place, fine, said):
    """Return a sentence on the mistake in the answer of `forgets`, or None."""
    if not fine:
        return f"it fails with {said}."
    should = sorted(forgotten(log, place))
    try:
        told = sorted(said)
    except TypeError:
        return f"it returns {said!r}; return a list of offsets."
    if told == should:
        return None
    after = rebuilt(snapshot_of(log[:place]), log[place:])
    if extra := [each for each in told if each not in should]:
        known = {each[0] for _, batches in after.values() for each in batches}
        if extra[0] in known:
            return f"it names offset {extra[0]}, and a retry of that batch is recognised after the restart, too."
        return f"it names offset {extra[0]}, and a retry of that batch was not recognised before the restart either."
    if missing := [each for each in should if each not in told]:
        return (
            f"it leaves out offset {missing[0]}: before the restart that batch is one of its producer's last "
            f"{WINDOW}, and after it neither the snapshot nor the log behind it has it."
        )
    return f"it returns {said!r}, with an offset twice."


def drawn(snapshot, headers, said, told=True):
    """Return the picture of a snapshot and the log behind it, with an answer and the right one."""
    listed = [["–" if each is None or each == NONE else each for each in header] for header in headers]
    log = pd.DataFrame(listed, columns=["offset", "producer", "epoch", "first number", "records"], dtype=object)
    states = {"in the snapshot": snapshot, "yours": said, **({"right": rebuilt(snapshot, headers)} if told else {})}
    rows = [(name, *row) for name, known in states.items() for row in _rows(known)]
    known = pd.DataFrame(rows, columns=["", "producer", "epoch", "numbers @ offset"])
    where = "behind the snapshot" if snapshot else "in the log"
    return drawing.Picture(
        f'<p class="eo-h">The headers {where}</p>{drawing.table_html(log)}'
        f'<p class="eo-h">Known of the producers</p>{drawing.table_html(known)}',
        text=f"{log.to_string(index=False)}\n{known.to_string(index=False)}",
    )


def _rows(known):
    """Return (producer, epoch, its batches) of each producer; of a value of another form, no rows."""
    try:
        return [
            (producer, epoch, " · ".join(f"{_numbers(first, count)} @ {offset}" for offset, first, count in batches))
            for producer, (epoch, batches) in known.items()
        ]
    except (TypeError, ValueError, AttributeError):
        return []


def _numbers(first, count):
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def restarted(log, place, said, told=True):
    """Return the picture of a log with a snapshot: which batches are forgotten, by an answer, and, if it is `told`,
    which are recognised before a restart, and after it.
    """
    before, after = rebuilt({}, log), rebuilt(snapshot_of(log[:place]), log[place:])
    known = [{each[0] for _, batches in one.values() for each in batches} for one in (before, after)]
    named = said if isinstance(said, (list, tuple, set)) else ()
    rows = [
        {
            "offset": header.offset,
            "producer": "–" if header.producer is None else header.producer,
            "epoch": "–" if header.producer is None else header.epoch,
            "numbers": "–" if header.producer is None else _numbers(header.first, header.records),
            "the snapshot": "covers it" if number < place else "–",
            "yours": "○ forgotten" if header.offset in named else "",
            **(_recognised(header.offset, *known) if told else {}),
        }
        for number, header in enumerate(log)
    ]
    table = pd.DataFrame(rows)
    words = "A restart with a snapshot, batch by batch"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


def _recognised(offset, before, after):
    return {
        "a retry, before": "✓ recognised" if offset in before else "–",
        "after the restart": "✓ recognised" if offset in after else "–",
    }


def show(answer):
    """Draw the answers of the two functions for the longest log, with a snapshot of its first nine batches."""
    answer, (log, place) = read(answer), (LOGS[-1], SHOWN)
    case = [snapshot_of(log[:place]), plain(log[place:])]
    if answer is None:
        return drawn(*case, None, told=False)
    [(known, knows)], [(names, named)] = (
        answers(answer["rebuild"], [case]), answers(answer["forgets"], [[plain(log), place]]),
    )  # fmt: skip
    pictures = [
        drawn(*case, knows if known else None, told=False),
        restarted(log, place, named if names else None, False),
    ]
    failed = [
        f"{name} fails with {said}."
        for name, fine, said in (("rebuild", known, knows), ("forgets", names, named))
        if not fine
    ]
    html = "".join([*(f"<p>{escape(each)}</p>" for each in failed), *(each.html for each in pictures)])
    return drawing.Picture(html, text="\n".join([*failed, *map(str, pictures)]))


TASK = Task(
    answer="answer_d",
    show=show,
    check=check,
)
