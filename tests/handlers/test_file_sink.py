"""A file that holds output and position and is renamed when it is whole: proved, and each twin refuted."""

import pytest

from exactly_once import Fault, FaultPlan, Job, judge, prove, simulate
from exactly_once.handlers import file_sink, in_place, two_files

SMALL = Job(3, 2, 2)
EVERYWHERE = FaultPlan([Fault(point, hour) for hour in (1, 2, 3) for point in "ABCD"])


@pytest.mark.parametrize(
    "faults", [{"crashes": 2}, {"crashes": 1, "lost_replies": 1}, {"crashes": 0, "duplicates": 1}]
)
def test_renaming_is_proved(faults):
    proof = prove(file_sink, job=SMALL, **faults)
    assert proof.ok, str(proof)


@pytest.mark.parametrize(("twin", "said"), [(in_place, "killed at B"), (two_files, "killed at C")])
def test_without_the_rename_or_with_two_files_a_crash_breaks_it(twin, said):
    proof = prove(twin, job=SMALL, crashes=1)
    assert not proof.ok
    assert said in str(proof)


def test_a_rename_is_no_compare_and_swap():
    proof = prove(file_sink, job=SMALL, crashes=0, pauses=1)
    assert not proof.ok, "who was only asleep renames an old file over a newer one"


def test_a_kill_at_each_point_of_each_hour_leaves_what_no_kill_leaves():
    run = simulate(file_sink, EVERYWHERE, SMALL)
    assert len(run.trace.deaths()) == 12
    unharmed = dict(simulate(file_sink, None, SMALL).outcome.others)
    assert {name: held for name, held in run.outcome.others if name.startswith("files.")} == unharmed
    assert judge(run, file_sink).exactly_once
