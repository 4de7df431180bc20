"""Transactions side by side."""

from dataclasses import replace

from exactly_once import prove, show
from exactly_once.handlers.logs.database_consumer import applied_once, set_index, twins

WAITS = "⋮ waits for the row"


def broken(form, level, **more):
    return prove(twins(form, level, **more), crashes=0, invariant=applied_once)


def test_each_statement_has_a_line_with_what_was_committed_after_it():
    picture = show.side_by_side(broken(set_index, "read committed"))
    assert "PostgreSQL: READ COMMITTED" in picture.html
    assert "moved 2 times for 1 message" in picture.html
    table = picture.table
    assert list(table.columns) == ["", "node 1", "node 2", "counter committed", "index committed"]
    assert list(table["counter committed"]) == ["0"] * 6 + ["1"] * 3 + ["2"]
    assert table["node 2"].iloc[5] == "SELECT index → 5"
    assert table["node 1"].iloc[5] == ""


def test_who_waits_is_drawn_waiting():
    found = broken(set_index, "read committed").counterexample
    steps = found.steps[:2] + found.steps[4:6] + found.steps[2:4] + found.steps[6:]  # both read, and then both write
    table = show.side_by_side(replace(found, steps=steps)).table
    assert list(table["node 2"].iloc[2:8]) == [
        "BEGIN", "SELECT index → 5", WAITS, WAITS, "", "UPDATE SET counter = counter + 1 → 1 row"
    ]  # fmt: skip


def test_a_failure_is_drawn_where_it_strikes():
    picture = show.side_by_side(broken(set_index, "snapshot", again=False))
    assert "✗ 40001" in picture.table["node 2"].iloc[-1]
    assert "40001" in picture.html
