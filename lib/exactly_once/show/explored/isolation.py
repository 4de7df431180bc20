"""Transactions side by side, in the order of a schedule; and the table of levels and forms."""

from html import escape
from typing import NamedTuple

from ...errors import BadInput
from ...explore.isolation import LevelsAndForms
from ...explore.proof import Counterexample, Proof
from ...stores.isolation.machine import PART, opened
from ...stores.isolation.transactions import CALLED, Database, RowLocked
from ...stores.operations import OPERATIONS, Blocked
from ..base.checks import given
from ..base.picture import Picture, cells_table, plain_table, scrolling, word_html

WAITS = "waits"
SQL = {
    "begin_rows": "BEGIN", "read_row": "SELECT {0}", "read_rows": "SELECT all rows",
    "lock_row": "SELECT {0} FOR UPDATE", "update_row": "UPDATE SET {0} = {1}",
    "update_row_where": "UPDATE SET {0} = {2} WHERE {0} = {1}", "add_to_row": "UPDATE SET {0} = {0} + {1}",
    "insert_row": "INSERT {0}", "commit_rows": "COMMIT", "roll_back_rows": "ROLLBACK",
}  # fmt: skip


class Line(NamedTuple):
    """One line of the picture: the step of each node, {node: (statement, answer)}, and the committed rows after
    it.
    """

    cells: dict[int, tuple[str, str]]
    rows: dict[str, object]


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
    nodes = sorted({node for line in lines for node in line.cells})
    shown = [name for name in lines[0].rows if len({str(line.rows.get(name)) for line in lines}) > 1]
    says = f'<div class="eo-says eo-is-bad"><strong>✗ {escape(level)}.</strong> {escape(found.sentence)}</div>'
    head, rows = _cells(lines, nodes, shown)
    drawn = scrolling(cells_table(head, rows, "eo-table eo-side-by-side"), "Transactions side by side")
    return Picture(f"{says}{drawn}", plain_table(head, rows), unfold="")


def _lines(found):
    """Return (the level, the lines) of a schedule: each statement is carried out once more on the model."""
    events = [event for event in found.trace if "asked" in event.detail and event.kind == "send"]
    lives = {event.life: event.detail.get("node", 0) for event in found.trace.lives()}
    asked = {(event.life, event.step): event for event in events}
    order = [key for key in found.steps if key in asked]
    content, lines, level = (Database.of(found.run.job.rows()).rows, (), ()), [], ""
    for place, key in enumerate(order):
        verb, *arguments = asked[key].detail["asked"]
        level = level or (arguments[1] if verb == "begin_rows" else "")
        operation = OPERATIONS[verb]
        sql = SQL[verb].format(*arguments[1:])
        try:
            done = operation.carry_out(PART, [content], arguments)
        except Blocked:
            break
        except BadInput:  # such as BEGIN in a transaction that was not ended
            lines.append(Line({lives[key[0]] + 1: (sql, "✗ refused")}, dict(opened(content).rows)))
            break
        content = done.contents[0]
        answer = operation.answered(done.answer) if verb not in ("begin_rows", "commit_rows") else ""
        if isinstance(done.answer, dict):
            answer = f"✗ {done.answer['error']}"
        cells = {lives[key[0]] + 1: (sql, answer)}
        for life in lives:
            following = next((one for one in order[place + 1 :] if one[0] == life), None)
            if life != key[0] and following and _waits(content, asked[following].detail["asked"]):
                cells[lives[life] + 1] = (WAITS, "")
        lines.append(Line(cells, dict(opened(content).rows)))
    return f"{level} ({CALLED[level]})" if level else "", lines


def _waits(content, asked):
    verb, *arguments = asked
    if verb == "begin_rows" and opened(content).of_life(arguments[0]) is not None:
        return False
    try:
        OPERATIONS[verb].carry_out(PART, [content], arguments)
    except RowLocked:
        return True
    except BadInput:  # its transaction has not begun
        return False
    return False


def _cells(lines, nodes, shown):
    """Return (the heads, the rows) of the table."""
    head = ["", *(f"node {node}" for node in nodes), *(f"{escape(name)}<br>committed" for name in shown)]
    body, before = [], {}
    for number, line in enumerate(lines, 1):
        cells = [_cell(*line.cells.get(node, ("", ""))) for node in nodes]
        for name in shown:
            value = escape(str(line.rows.get(name)))
            cells.append(f"<b>{value}</b>" if before.get(name, value) != value else value)
            before[name] = value
        body.append([str(number), *cells])
    return head, body


def _cell(sql, answer):
    if not sql:
        return ""
    if sql == WAITS:
        return '<i class="eo-dim">⋮ waits for the row</i>'
    colour = "green" if sql == "COMMIT" and not answer else "red" if answer.startswith("✗") else "text"
    weight = "font-weight:700;" if sql in ("COMMIT", "ROLLBACK") or colour == "red" else ""
    said = f' <span class="eo-dim">→ {escape(answer)}</span>' if answer and colour != "red" else ""
    said = f' <span class="eo-bad">{escape(answer)}</span>' if colour == "red" else said
    return f'<code style="{weight}color:var(--eo-{colour})">{escape(sql)}</code>{said}'


def levels_and_forms_table(found: LevelsAndForms) -> Picture:
    """Return the table isolation level × form: right, or the result of the simplest schedule."""
    given(found, LevelsAndForms)
    rows = [
        [f'{escape(level)} <span class="eo-dim">({CALLED[level]})</span>']
        + [_verdict(found.proofs[level, form]) for form in found.forms]
        for level in found.levels
    ]
    head = ["level", *map(escape, found.forms)]
    drawn = scrolling(cells_table(head, rows, "eo-grid"), "Isolation levels and forms")
    return Picture(drawn, plain_table(head, rows), unfold="")


def _word(proof):
    """Return (sign, word, class) of a proof."""
    if proof is None:
        return "–", "not there", "none"
    if proof.counterexample is not None:
        return ("✗", "fails", "fails") if proof.counterexample.kind == "raised" else ("✗", "doubles", "doubles")
    return ("✓", "right", "harmless") if proof.ok else ("?", "not proved", "none")


def _verdict(proof):
    sign, word, kind = _word(proof)
    about = "SQLite has no such statement." if proof is None else " ".join(proof.sentences)
    if proof is not None and proof.counterexample is not None:
        about = " ".join((proof.counterexample.sentence, *proof.counterexample.explanation))
    return word_html(sign, word, kind, about)
