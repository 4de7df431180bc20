"""Case files: the broker's behaviour in small scripts, on both storages, and what the command says about them."""

import itertools
import json
import os

import pytest

from exactly_once.__main__ import main
from exactly_once.log.cases.command import run_cases
from exactly_once.log.cases.driver import Driver
from exactly_once.log.cases.reading import OURS, read_cases

CASES = {case["id"]: case for case in read_cases(OURS)}
ODD = {"id": "needs-what-nobody-has", "requires": ["telepathy"], "given": [], "expect": []}
OTHERS = "EXACTLY_ONCE_CASES"  # names a file of further cases


@pytest.mark.parametrize("where", ["memory:", "sqlite:"])
def test_each_case_holds_with_each_protocol_that_it_is_for(where, tmp_path):
    number, ran = itertools.count(), []

    def make(case, protocol):
        ran.append((case["id"], protocol))
        return Driver(case, where if where == "memory:" else f"{where}{tmp_path / str(next(number))}", protocol)

    found = run_cases(OURS, make)
    assert [str(one) for one in found if one.outcome != "passed"] == []
    assert {("a-transaction", "1"), ("a-transaction", "2"), ("only-classic", "1"), ("only-newer", "2")} <= set(ran)
    assert len(found) == len(CASES) == len(set(ran)) - sum(case["tv"] == "any" for case in CASES.values())


@pytest.mark.skipif(OTHERS not in os.environ, reason=f"{OTHERS} names no file of cases")
def test_the_cases_of_another_file_hold():
    failed = [str(finding) for finding in run_cases(os.environ[OTHERS]) if finding.outcome == "failed"]
    assert not failed, "\n".join(failed)


def test_the_command_counts_and_skips_what_is_not_there_yet_with_the_reason(tmp_path, capsys):
    assert main(["cases"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{len(CASES)} passed, 0 failed, 0 skipped"]
    (tmp_path / "more.json").write_text(json.dumps([CASES["hashes"], ODD]))
    assert main(["cases", str(tmp_path / "more.json")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "SKIPPED needs-what-nobody-has: it requires telepathy, which this log does not have",
        "1 passed, 0 failed, 1 skipped",
    ]


WRONG = [
    ("retry-is-recognised", 2, {"duplicate": False}, "expected duplicate False, seen duplicate True"),
    ("retry-is-recognised", 2, {"error": "OUT_OF_ORDER_SEQUENCE_NUMBER"}, "seen offset 0"),
    ("epochs-fence", 4, {"error": "PRODUCER_FENCED"}, "seen INVALID_PRODUCER_EPOCH"),
    ("hashes", 0, {"hash": 5}, "expected hash 5, seen hash -973932308"),
    ("partition-of-a-key", 1, {"partition": 1}, "seen partition 3"),
    ("without-a-key-it-sticks", 0, {"partition_in": [9]}, "expected partition_in [9], seen partition"),
    ("two-producers-have-two-ids", 1, {"pid_same_as": "A"}, "expected pid_same_as 'A'"),
    ("transactions-at-the-partition", 8, {"aborted": []}, "expected aborted []"),
    ("two-producers-have-two-ids", 1, {"pid_same_as": "Z"}, "'Z' stands for no producer; the names so far are A"),
]


def test_a_wrong_expectation_fails_and_says_what_was_expected_and_seen(tmp_path, capsys):
    for name, step, wrong, said in WRONG:
        case = json.loads(json.dumps(CASES[name]))
        case["expect"] = [entry for entry in case["expect"] if entry["step"] != step] + [{"step": step} | wrong]
        (tmp_path / "wrong.json").write_text(json.dumps([case, CASES["hashes"] | {"id": "right"}]))
        assert main(["cases", str(tmp_path / "wrong.json")]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == "1 passed, 1 failed, 0 skipped"
        assert lines[0].startswith(f"FAILED  {name}: transaction protocol 1, step {step}, ")
        assert said in lines[0]


def test_a_step_without_expectation_must_succeed(tmp_path, capsys):
    given = [{"op": "fetch", "partition": "t-0", "isolation": "read_uncommitted", "from": 4}]
    (tmp_path / "one.json").write_text(json.dumps([{"id": "beyond", "given": given, "expect": []}]))
    assert main(["cases", str(tmp_path / "one.json")]) == 1
    assert "expected success, seen OFFSET_OUT_OF_RANGE (Offset 4 of t-0 does not exist" in capsys.readouterr().out


MALFORMED = [
    ("not json", "is no JSON"),
    ("[3]", "case 1 is no object"),
    ('[{"given": [], "expect": []}]', "case 1 has no id"),
    ('[{"id": "x", "given": [{"op": "fly"}], "expect": []}]', "has the operation 'fly' in step 0"),
    ('[{"id": "x", "given": [{"op": "advance_time"}], "expect": []}]', "lacks 'ms' in step 0"),
    ('[{"id": "x", "given": [], "expect": [{"step": 0}]}]', "expects something of step 0"),
    ('[{"id": "x", "given": [{"op": "restart", "mode": "crash"}], "expect": [{"step": 0, "colour": 1}]}]', "colour"),
    ('[{"id": "x", "setup": {"colour": 1}, "given": [], "expect": []}]', "has colour in its setup"),
    ('[{"id": "x", "given": [{"op": "restart", "mode": "crash"}], "expect": [{"step": 0, "error": null}]}]', "error"),
    (
        '[{"id": "x", "given": [{"op": "partition_for", "num_partitions": 1}], '
        '"expect": [{"step": 0, "same_partition_as_step": 3}]}]',
        "compares step 0 with step 3",
    ),
    ('[{"id": "x", "given": [], "expect": []}, {"id": "x", "given": [], "expect": []}]', "more than one case x"),
]


def test_a_malformed_or_missing_file_is_told_with_its_name_and_place(tmp_path, capsys):
    path = tmp_path / "cases.json"
    for text, said in MALFORMED:
        path.write_text(text)
        assert main(["cases", str(path)]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert str(path) in told
    assert main(["cases", "nowhere.json"]) == 2
    assert "nowhere.json cannot be read (No such file" in capsys.readouterr().err
