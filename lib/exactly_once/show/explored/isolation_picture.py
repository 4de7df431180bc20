"""Transactions side by side, in the order of a schedule."""

from html import escape
from typing import Any

from ...errors import BadInput
from ...explore.proof import Counterexample, Proof
from ...stores.isolation import LEVELS, PART, Database, opened
from ...stores.operations import OPERATIONS, Blocked
from ..base.checks import given
from ..base.picture import Picture, cells_table, plain_table, says, scrolling

WAITS = '<i class="eo-dim">⋮ waits for the row</i>'
SQL = {
    "begin_rows": "BEGIN", "read_row": "SELECT {0}", "read_rows": "SELECT all rows",
    "lock_row": "SELECT {0} FOR UPDATE", "update_row": "UPDATE SET {0} = {1}",
    "update_row_where": "UPDATE SET {0} = {2} WHERE {0} = {1}", "add_to_row": "UPDATE SET {0} = {0} + {1}",
    "insert_row": "INSERT {0}", "commit_rows": "COMMIT", "roll_back_rows": "ROLLBACK",
}  # fmt: skip


def side_by_side(schedule: Counterexample | Proof) -> Picture:
    """Return the transactions of a schedule side by side: a column for each node, a line for each statement.

    `schedule` is the counterexample of a proof, or the `Proof`. A node whose next statement has to wait for another's
    transaction is drawn waiting. Raises `BadInput` for a schedule without such transactions.
    """
    found = schedule.counterexample if isinstance(schedule, Proof) else schedule
    if found is None:
        raise BadInput("This proof has no counterexample to draw; nothing failed within its bounds.")
    if not hasattr(given(found, Counterexample).run.job, "rows"):
        raise BadInput("In this schedule no node begins a transaction, so there is nothing to put side by side.")
    level, lines = _lines(found)
    if not lines:
        raise BadInput("In this schedule no statement is carried out, so there is nothing to put side by side.")
    nodes = sorted({node for cells, _ in lines for node in cells})
    shown = [name for name in lines[0][1] if len({str(rows.get(name)) for _, rows in lines}) > 1]
    head = ["", *(f"node {node}" for node in nodes), *(f"{escape(name)}<br>committed" for name in shown)]
    body, before = [], lines[0][1]
    for number, (cells, rows) in enumerate(lines, 1):
        values = [(escape(str(rows.get(name))), rows.get(name) != before.get(name)) for name in shown]
        committed = [f"<b>{value}</b>" if changed else value for value, changed in values]
        body.append([str(number), *(cells.get(node, "") for node in nodes), *committed])
        before = rows
    verdict = says("bad", f"✗ {escape(level)}.", escape(found.sentence))
    drawn = scrolling(cells_table(head, body, "eo-table eo-side-by-side"), "Transactions side by side")
    return Picture(f"{verdict}{drawn}", plain_table(head, body), unfold="")


def _lines(found: Any) -> Any:
    """Return (the level, [({node: statement and answer as HTML}, the committed rows after it)]) of a schedule:
    each statement is carried out once more on the model.
    """
    asked = {
        (event.life, event.step): event.detail["asked"]
        for event in found.trace
        if "asked" in event.detail and event.kind == "send"
    }
    nodes = {event.life: 1 + event.detail.get("node", 0) for event in found.trace.lives()}
    order = [key for key in found.steps if key in asked]
    content, lines, level = (Database.of(found.run.job.rows()).rows, (), ()), [], ""
    for place, key in enumerate(order):
        verb, *arguments = asked[key]
        level = level or (arguments[1] if verb == "begin_rows" else "")
        sql, operation = SQL[verb].format(*arguments[1:]), OPERATIONS[verb]
        try:
            done = operation.carry_out(PART, [content], arguments)
        except Blocked:
            break
        except BadInput:  # such as BEGIN in a transaction that was not ended
            lines.append(({nodes[key[0]]: _cell(sql, "✗ refused")}, dict(opened(content).rows)))
            break
        content = done.contents[0]
        answer = operation.answered(done.answer) if verb not in ("begin_rows", "commit_rows") else ""
        if isinstance(done.answer, dict):
            answer = f"✗ {done.answer['error']}"
        cells = {nodes[key[0]]: _cell(sql, answer)}
        for life in nodes:
            following = next((one for one in order[place + 1 :] if one[0] == life), None)
            if life != key[0] and following and _waits(content, asked[following]):
                cells[nodes[life]] = WAITS
        lines.append((cells, dict(opened(content).rows)))
    return f"{level} ({LEVELS[level]})" if level else "", lines


def _waits(content: Database, asked: list[Any]) -> bool:
    verb, *arguments = asked
    try:
        OPERATIONS[verb].carry_out(PART, [content], arguments)
    except Blocked:
        return True
    except BadInput:  # its transaction has not begun
        pass
    return False


def _cell(sql: str, answer: Any) -> str:
    bad, done = answer.startswith("✗"), sql == "COMMIT" and not answer
    colour = "red" if bad else "green" if done else "text"
    weight = "font-weight:700;" if sql in ("COMMIT", "ROLLBACK") or bad else ""
    said = (
        f' <span class="eo-{"bad" if bad else "dim"}">{"" if bad else "→ "}{escape(answer)}</span>' if answer else ""
    )
    return f'<code style="{weight}color:var(--eo-{colour})">{escape(sql)}</code>{said}'
