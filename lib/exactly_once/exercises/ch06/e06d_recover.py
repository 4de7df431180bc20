"""Exercise 06d: a new coordinator's recovery from its log, for every end of the log."""

from typing import NamedTuple

import pandas as pd

from ... import show as drawing
from ...errors import BadInput
from ...explore.plain import Broken
from ...log.transactions import rules
from ...log.transactions.coordinator import Coordinator
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import answers
from ..kinds.task import Task

NOW = 100_000
TIMEOUT = 60_000
RECORD, MARKER = ACTIONS = ("record", "marker")
STATES = (rules.PREPARE_ABORT, rules.COMPLETE_COMMIT, rules.COMPLETE_ABORT)
OFFSETS = "__consumer_offsets-0"


class Kept(dict):
    """A coordinator's memory, and every record that it writes; a record is (id, `Transaction` or None)."""

    def __init__(self):
        super().__init__()
        self.records, self._producers = [], 0

    def __setitem__(self, name, transaction):
        self.records.append((name, transaction))
        super().__setitem__(name, transaction)

    def __delitem__(self, name):
        self.records.append((name, None))
        super().__delitem__(name)

    def new_producer_id(self):
        """Return the next producer id."""
        self._producers += 1
        return self._producers + 6


def log_of(*requests):
    """Return the log of the course's coordinator after the requests, each (time, what, transactional id, *more)."""
    kept, time, mine = Kept(), [0], {}
    coordinator = Coordinator(kept, lambda: time[0])
    for at, what, name, *more in requests:
        time[0] = at
        if what == "init":
            mine[name] = coordinator.init_producer(name, *more or [TIMEOUT])
        elif what == "add":
            coordinator.add_partitions(name, *mine[name], more)
        elif what == "end":
            mine[name] = coordinator.end(name, *mine[name], *more)
        elif what == "complete":
            [due] = coordinator.due(name)
            coordinator.complete(name, due.producer, due.epoch)
        else:
            del kept[name]
    return kept.records


LOGS = (  # the smallest that shows a mistake stands first
    log_of((0, "init", "pay")),
    log_of((0, "init", "pay"), (90_000, "add", "pay", "output-0")),
    log_of((0, "init", "pay"), (1_000, "add", "pay", "output-0")),
    log_of((0, "init", "pay"), (1, "add", "pay", "output-0"), (2, "end", "pay", "commit"), (3, "complete", "pay")),
    log_of((0, "init", "pay"), (1, "add", "pay", "output-0"), (2, "end", "pay", "abort"), (3, "complete", "pay")),
    log_of(
        (0, "init", "pay"),
        (1, "add", "pay", "output-0"),
        (2, "add", "pay", "output-1", OFFSETS),
        (3, "end", "pay", "commit"),
        (4, "complete", "pay"),
        (5, "add", "pay", "output-1"),
        (95_000, "end", "pay", "abort"),
    ),
    log_of((0, "init", "pay"), (1, "end", "pay", "abort"), (2, "complete", "pay")),
    log_of((0, "init", "old"), (1, "init", "pay"), (2, "forget", "old")),
    log_of(
        (0, "init", "old"),
        (1, "add", "old", "output-0"),
        (2, "end", "old", "commit"),
        (3, "complete", "old"),
        (4, "forget", "old"),
        (5, "init", "old"),
    ),
    log_of(
        (0, "init", "pay"),
        (1, "init", "ship", 10_000),
        (2, "init", "bill"),
        (3, "add", "pay", "output-0", OFFSETS),
        (80_000, "add", "ship", "output-1"),
        (81_000, "add", "bill", "output-0"),
        (82_000, "end", "pay", "commit"),
        (83_000, "end", "bill", "abort"),
        (84_000, "complete", "bill"),
        (85_000, "add", "bill", "output-0", "output-1"),
        (86_000, "complete", "pay"),
        (87_000, "end", "ship", "commit"),
    ),
)
SHOWN = LOGS[-1][:8]


class Played(NamedTuple):
    """A log after some actions: its records, and the markers as (id, partition, result)."""

    records: list
    markers: set


def newest(records):
    """Return {transactional id: its newest `Transaction`}, without those that were forgotten."""
    found = dict(records)
    return {name: transaction for name, transaction in found.items() if transaction is not None}


def carried_out(records, actions, now=NOW):
    """Carry out the actions of a coordinator that has taken over these records. Returns a `Played` for each.

    Raises `Broken` for an action that is not allowed.
    """
    done, records, markers = [], list(records), set()
    for action in actions:
        kind, name, *rest = _checked(action)
        was = newest(records).get(name)
        if was is None:
            raise Broken(f"{action!r}: the newest record of {name!r} says that it is forgotten, or there is none.")
        if kind == MARKER:
            markers = markers | {(name, *_marker(was, action, *rest))}
        else:
            records = [*records, (name, _next(was, action, rest[0], markers, now))]
            markers = {one for one in markers if one[0] != name}
        done.append(Played(records, markers))
    return done


def _checked(action):
    if not isinstance(action, (list, tuple)) or not action or action[0] not in ACTIONS:
        raise Broken(f"{action!r} is no action; give ('record', id, state) or ('marker', id, partition, result).")
    if len(action) != (3 if action[0] == RECORD else 4) or not all(isinstance(each, str) for each in action):
        raise Broken(f"{action!r} is no action; give ('record', id, state) or ('marker', id, partition, result).")
    return action


def _marker(was, action, partition, result):
    if was.state == rules.ONGOING:
        raise Broken(
            f"{action!r}: the newest record of {was.transactional_id!r} says Ongoing. Nothing is decided yet: should "
            "this coordinator die after the marker, the next one may let the producer decide otherwise."
        )
    if was.state not in rules.RESULTS:
        raise Broken(
            f"{action!r}: the newest record of {was.transactional_id!r} says {was.state}, so there is nothing to "
            "end, and the marker could end the transaction that the producer begins next."
        )
    if result != rules.RESULTS[was.state]:
        raise Broken(f"{action!r}: {was.state} is decided, and the producer may have been told so.")
    if partition not in was.partitions:
        raise Broken(f"{action!r}: {partition} is not among the partitions of this transaction.")
    return partition, result


def _next(was, action, state, markers, now):
    if state not in STATES:
        raise Broken(f"{action!r}: a new coordinator writes one of {', '.join(STATES)}, nothing else.")
    if state == rules.PREPARE_ABORT:
        if was.state != rules.ONGOING:
            raise Broken(f"{action!r}: the newest record of {was.transactional_id!r} says {was.state}, not Ongoing.")
        if not rules.timed_out(now, was):
            raise Broken(
                f"{action!r}: this transaction has been open for {now - was.started} ms, and may take "
                f"{was.timeout_ms}. Its producer is alive, as far as anybody knows, and may continue with the "
                "new coordinator."
            )
        return rules.fenced(now, 2, was)
    if was.state not in rules.RESULTS or state != rules.COMPLETE[rules.RESULTS[was.state]]:
        why = "and a decision stands" if was.state in rules.RESULTS else "so there is no decision to complete"
        raise Broken(f"{action!r}: the newest record of {was.transactional_id!r} says {was.state}, {why}.")
    written = {partition for name, partition, _ in markers if name == was.transactional_id}
    if missing := [each for each in was.partitions if each not in written]:
        raise Broken(
            f"{action!r} comes before the marker for {missing[0]}. Should the coordinator die between the two, the "
            "next one reads that all is done, and the transaction stays open there."
        )
    return rules.completed(now, was)


def left(records, now=NOW):
    """Return a sentence on the work that is left, or None."""
    for name, was in newest(records).items():
        if was.state in rules.RESULTS:
            return (
                f"{name!r} is left in {was.state}: its partitions {', '.join(was.partitions) or '(none)'} wait for "
                "markers, or the log for the record that all are written."
            )
        if rules.timed_out(now, was):
            return (
                f"{name!r} is left open, {now - was.started} ms after its start, and may take {was.timeout_ms}. It "
                "holds back every read_committed reader of its partitions."
            )
    return None


def right_actions(records, now=NOW):
    """Return the next actions of a coordinator: decisions that are due, markers and a record for each decision."""
    actions = []
    for name, was in sorted(newest(records).items()):
        if rules.timed_out(now, was):
            actions.append((RECORD, name, rules.PREPARE_ABORT))
            was = was._replace(state=rules.PREPARE_ABORT)
        if result := rules.RESULTS.get(was.state):
            actions += [(MARKER, name, partition, result) for partition in was.partitions]
            actions.append((RECORD, name, rules.COMPLETE[result]))
    return actions


def prefixes():
    """Return every log, cut at every place, the shortest first, as lists of records."""
    found = [tuple(log[:end]) for log in LOGS for end in range(len(log) + 1)]
    return sorted(dict.fromkeys(found), key=len)


def check(answer):
    """Ask for the actions after every prefix of every log, and again after each record among the actions."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of records and a time.")
    cases = [list(each) for each in prefixes()]
    told = answers(answer, [[list(case), NOW] for case in cases])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    again = []
    for case, (fine, said) in zip(cases, told, strict=True):
        sentence, done = _objection(case, fine, said)
        if sentence:
            return wrong(sentence, picture=drawn(case, said if fine else None))
        again += [one.records for one in done[:-1] if len(one.records) > len(case)]
    told = answers(answer, [[list(case), NOW] for case in again])
    for case, (fine, said) in zip(again, told, strict=True):
        sentence, _ = _objection(case, fine, said)
        if sentence:
            return wrong(f"After a second death: {sentence}", picture=drawn(case, said if fine else None))
    return right(
        "Wherever the log ends, your coordinator completes each decision, leaves an open transaction to its producer "
        f"until its time is over, and decides nothing twice ({len(cases)} logs, and {len(again)} more where the "
        "coordinator dies again while it recovers). No other coordinator and no producer had to be asked.",
        picture=drawn(list(SHOWN), right_actions(SHOWN)),
    )


def _objection(records, fine, said):
    """Return (a sentence on the mistake, or None; the log after each action)."""
    if not fine:
        return f"It fails with {said}.", []
    if not isinstance(said, (list, tuple)):
        return f"It returns {said!r}; return a list of actions.", []
    try:
        done = carried_out(records, said)
    except Broken as why:
        return str(why), []
    return left(done[-1].records if done else records), done


def drawn(records, said, told=True):
    """Return the picture of a log, of an answer's actions, and of right ones."""
    rows = [
        {
            "record": number,
            "transactional id": name,
            "state": "– (forgotten)" if one is None else one.state,
            "epoch": "" if one is None else one.epoch,
            "partitions": "" if one is None else ", ".join(one.partitions),
            "open for": f"{NOW - one.started} of {one.timeout_ms} ms"
            if one is not None and one.state == rules.ONGOING
            else "",
        }
        for number, (name, one) in enumerate(records)
    ]
    table = pd.DataFrame(rows, columns=["record", "transactional id", "state", "epoch", "partitions", "open for"])
    sides = {"yours": said, **({"right, for example": right_actions(records)} if told else {})}
    listed = {name: _listed(actions) for name, actions in sides.items() if actions is not None}
    longest = max(map(len, listed.values()), default=0)
    steps = pd.DataFrame({name: [*lines, *[""] * (longest - len(lines))] for name, lines in listed.items()})
    words = f"The coordinator’s log at time {NOW} ms"
    below = f'<p class="eo-h">What the coordinator does</p>{drawing.table_html(steps)}' if listed else ""
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}{below}',
        text="\n".join([words, table.to_string(index=False), *([steps.to_string(index=False)] if listed else [])]),
    )


def _listed(actions):
    """Return actions as lines; any other value as it is."""
    if not isinstance(actions, (list, tuple)):
        return [str(actions)]
    return [" ".join(map(str, each)) if isinstance(each, (list, tuple)) else repr(each) for each in actions] or [
        "nothing"
    ]


def show(answer):
    """Draw a log of three transactional ids, and the function's actions after it."""
    if has_dots(answer):
        return drawn(SHOWN, None, told=False)
    if not callable(answer):
        raise BadInput(f"The answer is {repr(answer)[:80]}; it is a function of records and a time.")
    [(fine, said)] = answers(answer, [[list(SHOWN), NOW]])
    return drawn(SHOWN, said if fine else f"fails with {said}", told=False)


TASK = Task(
    answer="recover",
    show=show,
    check=check,
)
