"""Under every schedule, the committed transactions at the level "serializable" have the effect of a serial run."""

import itertools
import random

import pytest

from exactly_once.stores import Blocked
from exactly_once.stores import isolation as model
from exactly_once.stores.isolation import Database

ROWS = ("a", "b", "c")


def some_program(chance):
    """Return a transaction: (rows to read, the row to set to the sum of these rows plus one, or None)."""
    return chance.sample(ROWS, chance.randint(1, 2)), chance.choice([*ROWS, None])


def steps(program, level):
    """Return the transaction's statements, each a function of (database, life, values read so far)."""
    reads, written = program

    def reading(row):
        def step(database, life, seen):
            database, answer = model.read(database, life, row)
            seen.append(answer)
            return database, answer

        return step

    def writing(database, life, seen):
        return model.update(database, life, written, sum(seen) + 1)

    def beginning(database, life, seen):
        return model.begin(database, life, level)

    def committing(database, life, seen):
        return model.commit(database, life)

    return [beginning, *map(reading, reads), *([writing] if written else []), committing]


def run(programs, order, level):
    """Run the programs in an order of `life` numbers; return (the final rows, {life: values read} of commits)."""
    database, at, seen, going = Database.of(dict.fromkeys(ROWS, 0)), {}, {}, set(range(len(programs)))
    for life in going:
        at[life], seen[life] = steps(programs[life], level), []
    committed = {}
    turns = itertools.chain(order, itertools.cycle(range(len(programs))))
    while going:
        if (life := next(turns)) not in going:
            continue
        try:
            database, answer = at[life][0](database, life, seen[life])
        except Blocked:
            continue
        at[life].pop(0)
        if isinstance(answer, model.Refusal):
            database, _ = model.rollback(database, life)
            going.remove(life)
        elif not at[life]:
            going.remove(life)
            committed[life] = tuple(seen[life])
    return dict(database.rows), committed


def serial_outcomes(programs, committed):
    """Yield (final rows, {life: values read}) for each serial order of the committed transactions."""
    for order in itertools.permutations(committed):
        rows, read = dict.fromkeys(ROWS, 0), {}
        for life in order:
            reads, written = programs[life]
            read[life] = tuple(rows[row] for row in reads)
            if written:
                rows[written] = sum(read[life]) + 1
        yield rows, read


def histories(level, seed, count, transactions):
    chance = random.Random(seed)
    for _ in range(count):
        programs = [some_program(chance) for _ in range(transactions)]
        order = [chance.randrange(transactions) for _ in range(4 * transactions)]
        yield programs, order, *run(programs, order, level)


@pytest.mark.parametrize(
    ("level", "transactions", "count"),
    [("serializable", 2, 400), ("serializable", 3, 600), ("serializable", 4, 300)],
)
def test_serializable_histories_have_a_serial_order(level, transactions, count):
    for programs, order, rows, committed in histories(level, transactions, count, transactions):
        assert committed, "some transaction always commits"
        assert any(found == (rows, committed) for found in serial_outcomes(programs, committed)), (programs, order)


def test_histories_of_weaker_levels_need_not_have_one():
    for level, transactions in (("snapshot", 3), ("read committed", 2), ("repeatable read", 2)):
        assert any(
            all(found != (rows, committed) for found in serial_outcomes(programs, committed))
            for programs, _, rows, committed in histories(level, transactions, 600, transactions)
        ), level
