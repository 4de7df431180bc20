"""The level "serializable": which transaction has to fail, as PostgreSQL's serializable snapshot isolation has it.

Source: D. Ports and K. Grittner, "Serializable Snapshot Isolation in PostgreSQL", VLDB 2012, after M. Cahill, U. Röhm
and A. Fekete, "Serializable Isolation for Snapshot Databases", SIGMOD 2008.
"""

from .transactions import ALL, Database, Transaction


def doom(database: Database, life: int | None) -> Database:
    """Mark those transactions that have to fail so that what commits is serializable.

    Of two concurrent ones, one *depends* on the other if it read a value that the other overwrote. The pattern T1 →
    T2 → T3, in which T3 commits first, is part of every history that is not serializable. The one in the middle
    fails, or, when it has committed, the one whose statement completes the pattern.
    """
    order = {one.number: place for place, one in enumerate(database.done)}
    everyone = (*database.done, *(one for one in database.open if one.level == "serializable"))
    doomed: set[int | None] = set()
    for last in database.done:
        after = [one for one in everyone if order.get(one.number, len(order)) > order[last.number]]
        for middle in after:
            if middle.doomed or not _depends(middle, last):
                continue
            for first in (last, *after):
                if first.number != middle.number and not first.doomed and _depends(first, middle):
                    only_read = first.number in order and not first.written
                    if not only_read or last.number in first.before:
                        doomed.add(life if middle.number in order else middle.life)
    return database._replace(
        open=tuple(one._replace(doomed=one.doomed or one.life in doomed) for one in database.open)
    )


def _depends(reader: Transaction, writer: Transaction) -> bool:
    """Tell whether a transaction has read a version that another one, which ran beside it, replaced."""
    if writer.number in reader.before or reader.number in writer.before:
        return False
    rows = {row for row, _ in writer.written}
    return bool(rows) and (ALL in reader.reads or not rows.isdisjoint(reader.reads))


def pruned(database: Database) -> Database:
    """Forget committed transactions that can matter to no open one, now or later."""
    going = [one for one in database.open if one.level == "serializable" and one.snapshot is not None]
    kept = [one for one in database.done if any(one.number not in other.before for other in going)]
    more = kept
    while more:
        more = [one for one in database.done if one not in kept and any(_depends(other, one) for other in more)]
        kept += more
    numbers = {one.number for one in kept}

    def without_forgotten(one: Transaction) -> Transaction:
        return one._replace(before=tuple(number for number in one.before if number in numbers))

    return database._replace(
        open=tuple(map(without_forgotten, database.open)),
        done=tuple(without_forgotten(one) for one in database.done if one.number in numbers),
    )
