"""Case files: the broker's behaviour in small scripts, on both storages."""

import itertools
import os

import pytest

from tests.log.cases import OTHERS, OURS, protocols, read_cases, run_cases
from tests.log.driver import Driver

CASES = {case["id"]: case for case in read_cases(OURS)}


@pytest.mark.parametrize("where", ["memory:", "sqlite:"])
def test_each_case_holds_with_each_protocol_that_it_is_for(where, tmp_path):
    number = itertools.count()

    def make(case, protocol):
        return Driver(case, where if where == "memory:" else f"{where}{tmp_path / str(next(number))}", protocol)

    found = run_cases(CASES.values(), make)
    assert [one for one in found if one.outcome != "passed"] == []
    assert len(found) == sum(len(protocols(case)) for case in CASES.values())


@pytest.mark.skipif(OTHERS not in os.environ, reason=f"{OTHERS} names no file of cases")
def test_the_cases_of_another_file_hold():
    found = run_cases(read_cases(os.environ[OTHERS]), lambda case, protocol: Driver(case, protocol=protocol))
    assert [one for one in found if one.outcome == "failed"] == []
    assert any(one.outcome == "passed" for one in found)
