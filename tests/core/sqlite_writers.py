"""Processes that write to one SQLite store at once, for the tests that hurry or kill them."""

import random

from exactly_once.stores import Origin, SQLiteStore


def add_and_append(path, process, transactions):
    """Carry out `transactions` operations, of which every second adds one and every second appends a record."""
    store = SQLiteStore(path)
    for number in range(transactions):
        origin = Origin(life=process, step=number, stamp=number)
        if number % 2:
            store.do("log", "append", [process, number], origin=origin)
        else:
            store.do("sum", "add", 1, origin=origin)
    store.close()


def write_for_ever(path, process):
    """Write cells, records and sums with values of many sizes until killed."""
    store = SQLiteStore(path)
    chance, number = random.Random(process), 0
    while True:
        number += 1
        origin = Origin(life=process, step=number, stamp=number)
        store.do("sum", "add", 1, origin=origin)
        store.do("log", "append", [number, "x" * chance.choice([1, 100, 20_000])], origin=origin)
        store.do("cell", "write", number, origin=origin)


def open_and_close(path, times):
    """Open a store that may not exist yet, add one and close it, many times."""
    for _ in range(times):
        store = SQLiteStore(path)
        store.do("sum", "add", 1)
        store.close()
