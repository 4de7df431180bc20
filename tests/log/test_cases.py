"""Case files: the broker's behaviour in small scripts, on both storages, and what the command says about them."""

import json
import os

import pytest

from exactly_once.__main__ import main
from exactly_once.errors import BadInput
from exactly_once.log.cases.command import run_cases
from exactly_once.log.cases.driver import Driver
from exactly_once.log.cases.judging import protocols, run_case, run_with_each_protocol, why_not
from exactly_once.log.cases.reading import OURS, read_cases

CASES = {case["id"]: case for case in read_cases(OURS)}
ODD = {"id": "needs-what-nobody-has", "requires": ["telepathy"], "given": [], "expect": []}
RUNS = [(case, protocol) for name, case in CASES.items() for protocol in protocols(case)]
OTHERS = "EXACTLY_ONCE_CASES"  # names a file of further cases


@pytest.mark.parametrize(("case", "protocol"), RUNS, ids=[f"{case['id']}-{protocol}" for case, protocol in RUNS])
@pytest.mark.parametrize("where", ["memory:", "sqlite:"])
def test_each_case_holds(case, protocol, where, tmp_path):
    place = where if where == "memory:" else f"{where}{tmp_path / 'log'}"
    found = run_case(case, lambda one: Driver(one, place, protocol))
    assert found.outcome == "passed", str(found)


@pytest.mark.skipif(OTHERS not in os.environ, reason=f"{OTHERS} names no file of cases")
def test_the_cases_of_another_file_hold():
    failed = [str(finding) for finding in run_cases(os.environ[OTHERS]) if finding.outcome == "failed"]
    assert not failed, "\n".join(failed)


def test_what_is_not_there_yet_is_skipped_with_the_reason():
    assert why_not(ODD, Driver) == "it requires telepathy, which this log does not have"
    assert not [name for name, case in CASES.items() if why_not(case, Driver)]


def test_the_command_counts_and_is_content(tmp_path, capsys):
    assert main(["cases"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{len(CASES)} passed, 0 failed, 0 skipped"]
    (tmp_path / "more.json").write_text(json.dumps([*CASES.values(), ODD]))
    assert main(["cases", str(tmp_path / "more.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{len(CASES)} passed, 0 failed, 1 skipped"
    assert any("needs-what-nobody-has" in line and "telepathy" in line for line in lines)


def test_a_case_runs_with_each_protocol_that_it_is_for(monkeypatch):
    seen = []

    def make(case, protocol):
        seen.append((case["id"], protocol))
        return Driver(case, protocol=protocol)

    for name in ("a-transaction", "only-classic", "only-newer"):
        assert run_with_each_protocol(CASES[name], make).outcome == "passed"
    assert seen == [("a-transaction", "1"), ("a-transaction", "2"), ("only-classic", "1"), ("only-newer", "2")]
    wrong = CASES["only-classic"] | {"tv": "any"}
    assert "transaction protocol 2, step " in run_with_each_protocol(wrong, make).reason


WRONG = [
    ("retry-is-recognised", 2, {"duplicate": False}, "expected duplicate False, seen duplicate True"),
    ("retry-is-recognised", 4, {"values": ["one"]}, "expected values ['one']"),
    ("retry-is-recognised", 2, {"error": "OUT_OF_ORDER_SEQUENCE_NUMBER"}, "seen offset 0"),
    ("epochs-fence", 4, {"error": "PRODUCER_FENCED"}, "seen INVALID_PRODUCER_EPOCH"),
    ("hashes", 0, {"hash": 5}, "expected hash 5, seen hash -973932308"),
    ("partition-of-a-key", 1, {"partition": 1}, "seen partition 3"),
    ("without-a-key-it-sticks", 0, {"partition_in": [9]}, "expected partition_in [9], seen partition"),
    ("two-producers-have-two-ids", 1, {"pid_same_as": "A"}, "expected pid_same_as 'A'"),
    ("transactions-at-the-partition", 8, {"aborted": []}, "expected aborted []"),
    ("transactions-at-the-partition", 4, {"end": 1}, "expected end 1, seen end 0"),
    ("two-producers-have-two-ids", 1, {"pid_same_as": "Z"}, "'Z' stands for no producer; the names so far are A"),
    ("two-producers-have-two-ids", 1, {"aborted": []}, "expected aborted [], seen pid "),
    ("two-producers-have-two-ids", 1, {"partition_in": [0]}, "expected partition_in [0], seen pid "),
]


@pytest.mark.parametrize(("name", "step", "wrong", "said"), WRONG)
def test_a_wrong_expectation_fails_and_says_what_was_expected_and_seen(name, step, wrong, said, tmp_path, capsys):
    case = json.loads(json.dumps(CASES[name]))
    case["expect"] = [entry for entry in case["expect"] if entry["step"] != step] + [{"step": step} | wrong]
    (tmp_path / "wrong.json").write_text(json.dumps([case, CASES["hashes"] | {"id": "right"}]))
    assert main(["cases", str(tmp_path / "wrong.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"
    assert lines[0].startswith(f"FAILED  {name}: transaction protocol 1, step {step}, ")
    assert said in lines[0]


def test_a_step_without_expectation_must_succeed(tmp_path):
    given = [{"op": "fetch", "partition": "t-0", "isolation": "read_uncommitted", "from": 4}]
    (tmp_path / "one.json").write_text(json.dumps([{"id": "beyond", "given": given, "expect": []}]))
    (found,) = run_cases(tmp_path / "one.json")
    assert found.outcome == "failed"
    assert "expected success, seen OFFSET_OUT_OF_RANGE (Offset 4 of t-0 does not exist" in found.reason


MALFORMED = [
    ("not json", "is no JSON"),
    ("[]", "holds no list of cases"),
    ("{}", "holds no list of cases"),
    ("[3]", "case 1 is no object"),
    ('[{"given": [], "expect": []}]', "case 1 has no id"),
    ('[{"id": "x", "expect": []}]', "(x) has no list of objects 'given'"),
    ('[{"id": "x", "given": [], "expect": [], "tv": "3"}]', "has the tv '3'"),
    ('[{"id": "x", "given": [], "expect": [], "requires": "time"}]', "requires no list"),
    ('[{"id": "x", "given": [{"op": "fly"}], "expect": []}]', "has the operation 'fly' in step 0"),
    ('[{"id": "x", "given": [{"op": "advance_time"}], "expect": []}]', "lacks 'ms' in step 0"),
    ('[{"id": "x", "given": [], "expect": [{"step": 0}]}]', "expects something of step 0"),
    ('[{"id": "x", "given": [{"op": "restart", "mode": "crash"}], "expect": [{"step": 0, "colour": 1}]}]', "colour"),
    ('[{"id": "x", "setup": {"colour": 1}, "given": [], "expect": []}]', "has colour in its setup"),
    ('[{"id": "x", "setup": {"replicas": "2"}, "given": [], "expect": []}]', "replicas '2'; it is a whole number"),
    ('[{"id": "x", "given": [{"op": "advance_time", "ms": true}], "expect": []}]', "ms True; it is a whole number"),
    ('[{"id": "x", "given": [{"op": "restart", "mode": "crash"}], "expect": [{"step": 0, "error": null}]}]', "error"),
    (
        '[{"id": "x", "given": [{"op": "partition_for", "num_partitions": 1}], '
        '"expect": [{"step": 0, "same_partition_as_step": 3}]}]',
        "compares step 0 with step 3",
    ),
    ('[{"id": "x", "given": [], "expect": []}, {"id": "x", "given": [], "expect": []}]', "more than one case x"),
]


@pytest.mark.parametrize(("text", "said"), MALFORMED, ids=[said for _, said in MALFORMED])
def test_a_malformed_file_is_told_with_its_name_and_place(text, said, tmp_path, capsys):
    path = tmp_path / "cases.json"
    path.write_text(text)
    with pytest.raises(BadInput) as why:
        run_cases(path)
    assert said in str(why.value)
    assert str(path) in str(why.value)
    assert main(["cases", str(path)]) == 2
    assert said in capsys.readouterr().err


def test_a_missing_file_is_told(capsys):
    assert main(["cases", "nowhere.json"]) == 2
    assert "nowhere.json cannot be read (No such file" in capsys.readouterr().err
