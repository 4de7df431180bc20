"""Exercise 07c: the recovery of a coordinator of two participants from its log, wherever the log ends."""

from html import escape

import pandas as pd

from ... import show as drawing
from ...explore.plain import Broken
from ..kinds.cases import Cases, sketched

SHOP, BANK = PARTICIPANTS = ("shop", "bank")
BOTH = [SHOP, BANK]
HISTORIES = (  # until the coordinator died: the records of its log, and the acts of its participants
    (
        ("write", "begin", "1", [SHOP]),
        (SHOP, "prepare", "1"),
        ("write", "commit", "1"),
        (SHOP, "commit", "1"),
        ("write", "end", "1"),
    ),
    (
        ("write", "begin", "1", BOTH),
        (SHOP, "prepare", "1"),
        (BANK, "prepare", "1"),
        ("write", "commit", "1"),
        (SHOP, "commit", "1"),
        (BANK, "commit", "1"),
        ("write", "end", "1"),
    ),
    (
        ("write", "begin", "1", BOTH),
        (SHOP, "prepare", "1"),
        ("write", "begin", "2", BOTH),
        (BANK, "prepare", "2"),
        (BANK, "prepare", "1"),
        ("write", "commit", "1"),
        (BANK, "commit", "1"),
        (BANK, "rollback", "2"),
        ("write", "begin", "3", [BANK]),
        (BANK, "prepare", "3"),
        ("write", "commit", "3"),
        (SHOP, "commit", "1"),
        ("write", "end", "1"),
        (BANK, "commit", "3"),
    ),
)
EXAMPLE_CUT = 12


def at(history, end, away=None):
    """Return (the coordinator's log, {participant: what is prepared there}) after the first steps of a history.

    The entry of a participant that is `away` is None: nothing is known of it.
    """
    log, prepared = [], {name: [] for name in PARTICIPANTS}
    for who, what, *more in history[:end]:
        if who == "write":
            log.append((what, *more))
        elif what == "prepare":
            prepared[who].append(*more)
        else:
            prepared[who].remove(*more)
    return log, {name: None if name == away else sorted(ids) for name, ids in prepared.items()}


def cases():
    """Return every history, cut at every place, with every participant there, and with one of them away."""
    found = []
    for away in (None, *PARTICIPANTS):
        for history in HISTORIES:
            for end in range(len(history) + 1):
                case = at(history, end, away)
                found += [] if case in found else [case]
    return found


def right_actions(log, prepared):
    """Return the right actions, in one of the right orders."""
    parts = {name: of for what, name, *[of] in _begun(log)}
    decided = {name for what, name, *_ in log if what == "commit"}
    ended = {name for what, name, *_ in log if what == "end"}
    actions = [
        (who, "commit" if name in decided else "rollback", name)
        for who in PARTICIPANTS
        for name in prepared[who] or ()
    ]
    ready = [name for name in sorted(decided - ended) if all(prepared[who] is not None for who in parts[name])]
    return actions + [("write", "end", name) for name in ready]


def _begun(log):
    return [record for record in log if record[0] == "begin"]


def objection(log, prepared, said):
    """Carry out the actions; return a sentence on the first mistake, or None."""
    if not isinstance(said, (list, tuple)):
        return f"It returns {said!r}; return a list of actions."
    parts = {name: of for _, name, of in _begun(log)}
    decided = {name for what, name, *_ in log if what == "commit"}
    ended = {name for what, name, *_ in log if what == "end"}
    left = {who: None if ids is None else list(ids) for who, ids in prepared.items()}
    try:
        for action in said:
            _carry_out(action, parts, decided, ended, left)
    except Broken as why:
        return f"{action!r}: {why}"
    return _left(parts, decided, ended, left)


def _carry_out(action, parts, decided, ended, left):
    form = "give (participant, 'commit' or 'rollback', id) or ('write', 'end', id)."
    if not isinstance(action, (list, tuple)) or len(action) != 3 or not all(isinstance(one, str) for one in action):
        raise Broken(f"this is no action; {form}")
    who, what, name = action
    if (who, what) == ("write", "end"):
        _write_end(name, parts, decided, ended, left)
        return
    if who not in PARTICIPANTS or what not in ("commit", "rollback"):
        raise Broken(f"this is no action; {form}")
    if left[who] is None:
        raise Broken(f"the {who} is away: nobody knows what is prepared there, and no action reaches it.")
    if name not in left[who]:
        raise Broken(f"transaction {name} is not prepared in the {who}.")
    if what == "commit" and name not in decided:
        raise Broken(
            f"nothing in the log says that {name} was decided. A prepared transaction, even one that all "
            "participants have prepared, is a promise, and no decision."
        )
    if what == "rollback" and name in decided:
        raise Broken(f"the log says that {name} is to be committed, and another participant may have done so.")
    left[who].remove(name)


def _write_end(name, parts, decided, ended, left):
    if name not in decided or name in ended:
        raise Broken(f"an end belongs to a decided transaction without an end; {name} is not such a transaction.")
    for who in parts[name]:
        if left[who] is None:
            raise Broken(
                f"the {who} is away, and it may hold {name} in doubt. When it comes back, it has to learn "
                "the decision."
            )
        if name in left[who]:
            raise Broken(
                f"{name} is still prepared in the {who}. If this coordinator dies now, the next coordinator reads "
                "that all is done, and takes the prepared transaction for an undecided one."
            )
    ended.add(name)


def _left(parts, decided, ended, left):
    for who, ids in left.items():
        if ids:
            return f"Transaction {ids[0]} is left in doubt in the {who}, and its rows stay locked."
    for name in sorted(decided - ended):
        if all(left[who] is not None for who in parts[name]):
            return f"All participants of {name} have committed, and no end is written: the log can never be cut."
    return None


def drawn(log, prepared, said, told=True):
    """Return the picture of a case: the log, the participants, an answer's actions, and the right ones."""
    records = pd.DataFrame([(number, " ".join(_words(one))) for number, one in enumerate(log)], columns=["", "log"])
    rows = [(who, "away" if ids is None else ", ".join(ids) or "–") for who, ids in prepared.items()]
    found = pd.DataFrame(rows, columns=["participant", "prepared"])
    lines = [_line("Yours", said)] if said is not None else []
    lines += [_line("Right, for example", right_actions(log, prepared))] if told else []
    html = "".join(f"<p><b>{escape(line)}</b></p>" for line in lines)
    tables = [records, found]
    return drawing.Picture(
        "".join(map(drawing.table_html, tables)) + html,
        text="\n".join([*(table.to_string(index=False) for table in tables), *lines]),
    )


def _words(record):
    what, name, *of = record
    return [what, name, *(f"({', '.join(each)})" for each in of)]


def _line(whose, said):
    if not isinstance(said, (list, tuple)):
        return f"{whose}: {said!r}"
    actions = [" ".join(map(str, one)) if isinstance(one, (list, tuple)) else repr(one) for one in said]
    return f"{whose}: {'; '.join(actions) or 'nothing'}."


EXAMPLE = at(HISTORIES[2], EXAMPLE_CUT)


TASK = Cases(
    answer="recover",
    form="a function of the coordinator's log and of the prepared transactions",
    cases=cases,
    oracle=right_actions,
    objection=objection,
    fails=lambda log, prepared, said: f"For the log {log!r} and {prepared!r} it fails with {said}.",
    draw=drawn,
    sketch=sketched(drawn, EXAMPLE),
    praise="Wherever the coordinator died, both participants end a transaction in the same way ({count} cases). A "
    "transaction without a decision in the log is rolled back: presumed abort, so only commits have to be written.",
    example=EXAMPLE,
    arguments=lambda log, prepared: [list(log), dict(prepared)],
)
