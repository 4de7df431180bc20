"""Transactions that are prepared: all that they are to change is durable and locked, and whether it counts is open.

This is a participant's part in two-phase commit (J. Gray, "Notes on Data Base Operating Systems", 1978), with the
commands of PostgreSQL: PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED, and the view pg_prepared_xacts. A row
that a prepared transaction changes is held until the transaction ends, even after the death of its preparer; nobody
else may change it, and readers see the earlier committed value. An id that is ended may be used again.

`prepare` stands for a whole transaction of a session, from BEGIN to PREPARE TRANSACTION. One that is on its way when
its life ends is carried out all the same: PostgreSQL does not look at the connection while it works
(`client_connection_check_interval` is 0), and a prepared transaction belongs to no session. Only where it would wait
for a row is it dropped: there the session ends before PREPARE TRANSACTION, and with it all that it had changed. A
second copy of PREPARE TRANSACTION finds no transaction open in its session, and does nothing.
"""

from collections.abc import Sequence

from ..errors import BadInput
from .codec import Value
from .operations import (
    HELD,
    KINDS,
    OPERATIONS,
    ROWS,
    Acted,
    Content,
    Done,
    Kind,
    Note,
    Operation,
    Place,
    committed,
    held_by,
    is_held,
    register,
    register_kind,
)

KIND = PART = "prepared"  # one part of a store lists its prepared transactions: ((id, ((kind, part), …)), …)
TRANSACT = OPERATIONS["transact"]
LONGEST = 200  # bytes of an id: PostgreSQL allows fewer than that


class Prepare(Operation):
    """Carries out operations on rows, and holds those that it changes."""

    def places(self, part: str, arguments: Sequence[Value]) -> list[Place]:
        """Return the list of what is prepared, and the rows."""
        return [(KIND, PART), *TRANSACT.places(part, arguments[1:])]

    def carried_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """Answer True; False where the id is in use; None when a `cas` is refused, or an `expect`."""
        (identifier, operations), (listed, *rows) = arguments, contents
        if identifier in dict(listed):
            return Done(contents, False, [Note(PART, self.verb, None)])
        done = TRANSACT.carry_out(part, [committed(row) for row in rows], [operations], origin)
        if done.answer is None:  # by the committed content: a fenced incarnation hears it without a wait
            return Done(contents, None, [Note(PART, self.verb, None)])
        if holders := [row[1] for row in rows if is_held(row)]:
            raise held_by(holders[0])
        places, changed, after = TRANSACT.places(part, [operations]), [], []
        for place, old, new in zip(places, rows, done.contents, strict=True):
            changed += [] if new is old else [place]
            after.append(old if new is old else (HELD, identifier, old, new))
        listed = tuple(sorted((*listed, (identifier, tuple(changed)))))
        return Done([listed, *after], True, [Note(PART, self.verb, identifier)])


class EndPrepared(Operation):
    """Ends a prepared transaction: its rows take their new values if it `commits`, and are free."""

    def more_places(self, part: str, contents: Sequence[Content], arguments: Sequence[Value]) -> list[Place]:
        """Return the rows that it holds."""
        return [(kind, name) for kind, name in dict(contents[0]).get(arguments[0], ())]

    def carried_out(
        self, part: str, contents: Sequence[Content], arguments: Sequence[Value], origin: object = None
    ) -> Done:
        """End the transaction; the answer is False where none of that id was prepared."""
        (identifier,), (listed, *rows) = arguments, contents
        held = dict(listed)
        if identifier not in held:
            return Done(contents, False, [Note(PART, self.verb, None)])
        left = tuple(one for one in listed if one[0] != identifier)
        commits, notes = self.verb == "commit_prepared", [Note(PART, self.verb, identifier)]
        for place, row in zip(held[identifier], rows, strict=True) if commits else ():
            notes += changes(place, row)
        return Done([left, *(row[3 if commits else 2] for row in rows)], True, notes)


def changes(place: Place, row: Content) -> list[Note]:
    """Return the journal's note on a row that a prepared transaction changes, as if it were changed now."""
    (kind, part), (_, _, before, after) = place, row
    found = KINDS[kind].seen(after)
    if kind == "log":
        return [Note(part, "append", value) for value in found[len(before) :]]
    return [Note(part, {"table": "add", "cell": "write"}[kind], found)]


def _list(content: Content) -> Acted:
    return content, [identifier for identifier, _ in content], None


def _check_id(identifier: Value) -> None:
    if not isinstance(identifier, str) or not identifier or len(identifier.encode()) >= LONGEST:
        raise BadInput(
            f"The identifier of a prepared transaction is {identifier!r}; it is text of 1 to {LONGEST - 1} bytes."
        )


def _check_operations(operations: Value) -> None:
    TRANSACT.checks[0](operations)
    for part, verb, *_ in operations:
        if OPERATIONS[verb].kind not in ROWS:
            raise BadInput(f"A prepared transaction holds {[part, verb]!r}; it changes cells, logs and tables.")


def _what_came_of_it(answer: Value) -> str:
    return {True: "prepared", False: "refused: the identifier is in use", None: "refused"}[answer]


def _noted(noted: Value) -> str:
    return "refused" if noted is None else str(noted)


def _ended(answer: Value) -> str:
    return "done" if answer else "no such prepared transaction"


register_kind(KIND, Kind((), lambda content: [identifier for identifier, _ in content]))
for _operation in (
    Prepare("prepare", KIND, ("id", "operations"), "prepare [[part, operation, arguments …], …]; wait for its rows",
            None, (_check_id, _check_operations), blocks=True, once=True, answered=_what_came_of_it,
            noted_text=_noted),
    EndPrepared("commit_prepared", KIND, ("id",), "commit a prepared transaction; return if there was one",
                None, (_check_id,), answered=_ended, noted_text=_noted),
    EndPrepared("rollback_prepared", KIND, ("id",), "roll a prepared transaction back; return if there was one",
                None, (_check_id,), answered=_ended, noted_text=_noted),
    Operation("prepared", KIND, (), "return the ids of all prepared transactions", _list, reads=True,
              answered=lambda ids: ", ".join(ids) or "none"),
):  # fmt: skip
    register(_operation)
