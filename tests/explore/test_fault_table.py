"""Every kind of fault, found by the explorer, replayed from its token, and told as a plan that leaves the same."""

import pytest

from exactly_once import simulate
from exactly_once.explore import replay
from exactly_once.simulate import SPENDS, STRIKES, write_token
from tests.explore.searching import searched
from tests.node.fault_table import JOB, PAIR, ROWS, decisive, left

BOUNDS = {"crash": "crashes", **{fault: SPENDS[kind] for kind, fault in STRIKES.items()}}


def found(row):
    """Return the token of the simplest schedule with the outcome of the row's simulated run."""
    bounds = {BOUNDS[row.fault.kind]: 1}
    if row.fault.kind == "duplicated request" and row.fault.until:  # a second copy may be late where requests may
        bounds["late_requests"] = 1
    programs = row.programs if row.programs is PAIR else [row.programs]
    wrong = simulate(row.programs, row.plan, JOB).outcome
    schedule = searched(programs, True, True, {wrong}, 2, **bounds)[0].violation.schedule
    return write_token(programs, JOB, len(programs), schedule), wrong


@pytest.mark.parametrize("row", [row for row in ROWS if row.fault.at != "A"], ids=lambda row: row.name)
def test_the_explorer_finds_it_and_replay_carries_it_out(row):
    token, wrong = found(row)
    run = replay(token, row.programs).run
    assert run.outcome == wrong
    (fault,) = run.plan.faults
    assert left(run)[1:] == (row.heard, row.lives)
    if row.fault.deadly or row.fault.kind == "pause":  # after a step is before the next, so any of them will do
        assert (fault.deadly, fault.kind == "pause") == (row.fault.deadly, row.fault.kind == "pause")
    else:
        assert (fault.kind, fault.at) == (row.fault.kind, row.fault.at)
        assert decisive(run) == row.told
    if row.programs is not PAIR:  # with turns of its own a plan leaves what the schedule left
        assert simulate(row.programs, run.plan, JOB).outcome == wrong
