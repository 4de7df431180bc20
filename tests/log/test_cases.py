"""Case files: the broker's behaviour in small scripts, on both storages."""

import itertools
import json
import os

import pytest

from tests.log.cases import OTHERS, OURS, protocols, read_cases, run_case, run_cases
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


WRONG = [
    ("retry-is-recognised", 2, {"duplicate": False}, "expected duplicate False, seen duplicate True"),
    ("retry-is-recognised", 2, {"error": "OUT_OF_ORDER_SEQUENCE_NUMBER"}, "seen offset 0"),
    ("epochs-fence", 4, {"error": "PRODUCER_FENCED"}, "seen INVALID_PRODUCER_EPOCH"),
    ("hashes", 0, {"hash": 5}, "expected hash 5, seen hash -973932308"),
    ("partition-of-a-key", 1, {"partition": 1}, "seen partition 3"),
    ("without-a-key-it-sticks", 0, {"partition_in": [9]}, "expected partition_in [9], seen partition"),
    ("two-producers-have-two-ids", 1, {"pid_same_as": "A"}, "expected pid_same_as 'A'"),
    ("transactions-at-the-partition", 8, {"aborted": []}, "expected aborted []"),
]


def test_a_wrong_expectation_fails_and_says_what_was_expected_and_seen():
    for name, step, wrong, said in WRONG:
        case = json.loads(json.dumps(CASES[name]))
        case["expect"] = [entry for entry in case["expect"] if entry["step"] != step] + [{"step": step} | wrong]
        found = run_case(case, Driver(case))
        assert found.outcome == "failed"
        assert found.reason.startswith(f"step {step}, ")
        assert said in found.reason


def test_a_step_without_expectation_must_succeed():
    case = CASES["hashes"] | {
        "given": [{"op": "fetch", "partition": "t-0", "isolation": "read_uncommitted", "from": 4}], "expect": []
    }  # fmt: skip
    said = run_case(case, Driver(case)).reason
    assert "expected success, seen OFFSET_OUT_OF_RANGE (Offset 4 of t-0 does not exist" in said
