"""The command line: verdicts as JSON, and one sentence with status 1 or 2 for what cannot be done."""

import json
import os
import subprocess
import sys

import pytest

from exactly_once.__main__ import main

KEYS = {"duplicated", "missing", "wrong", "counter", "expected_counter", "reached", "consistent", "sentence"}


def crash(capsys, *arguments):
    assert main(["crash", *arguments, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--at", "A", "--item", "3"], {"consistent": True, "reached": True, "duplicated": [], "counter": 4}),
        (["--at", "B", "--item", "3"], {"consistent": False, "duplicated": [3], "wrong": [], "counter": 4}),
        (["--at", "C", "--item", "3"], {"duplicated": [3], "wrong": [], "counter": 5, "expected_counter": 4}),
        (["--at", "D", "--item", "3"], {"duplicated": [3], "wrong": [3, 4, 5, 6], "counter": 5}),
        (["--at", "E", "--item", "3"], {"consistent": True, "reached": True, "lives": 2}),
        (["--at", "B", "--item", "1"], {"consistent": True, "reached": False, "lives": 1}),
        (["--at", "B", "--item", "7"], {"consistent": True, "reached": False}),
        (["--at", "C", "--item", "3", "--strategy", "at_most_once"], {"missing": [3], "counter": 3}),
        (
            ["--at", "B", "--item", "3", "--order", "positions,state,output,counter"],
            {"missing": [3], "wrong": [4, 5, 6]},
        ),
        (["--at", "D", "--item", "3", "--window", "3", "--items", "8"], {"wrong": [3, 4, 5]}),
        (
            ["--at", "C", "--item", "3", "--strategy", "at_least_once", "--order", "positions,state,output,counter"],
            {"missing": [3], "duplicated": []},  # the order outdoes the strategy
        ),
        (["--at", "B", "--item", "3", "--lives", "1,2"], {"duplicated": [3], "lives": 3}),
        (["--at", "A", "--item", "2", "--kill", "executor"], {"consistent": True, "reached": True}),
        *(
            (
                ["--at", point, "--item", "4", "--strategy", strategy, "--node", node],
                {"consistent": True, "reached": True, "counter": 4, "lives": lives},
            )
            for strategy, node, points, lives in (
                ("two_phase", "1", "ABCDE", 2),
                ("offset_in_sink", "1", "ABCDE", 3),
                ("offset_in_sink", "2", "AE", 3),
            )
            for point in points
        ),
        (["--at", "B", "--item", "4", "--strategy", "offset_in_sink", "--node", "2"], {"reached": False}),
    ],
)
def test_the_verdict_as_json(capsys, arguments, expected):
    found = crash(capsys, *arguments)
    assert found.keys() >= KEYS
    assert {name: found[name] for name in expected} == expected


def test_a_point_that_is_not_reached_is_said_in_the_sentence(capsys):
    assert crash(capsys, "--at", "B", "--item", "1")["sentence"].startswith("Not reached: B at hour 1")


def test_without_json_it_is_the_sentence(capsys):
    assert main(["crash", "--at", "B", "--item", "3"]) == 0
    assert capsys.readouterr().out.startswith("Not exactly once: the average of hour 3")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["crash", "--at", "F"], "'F'"),
        (["crash", "--at", "B", "--item", "-3"], "-3"),
        (["crash", "--at", "B", "--item", "0"], "0"),
        (["crash", "--at", "B", "--kill", "gpu"], "'gpu'"),
        (["crash", "--at", "B", "--strategy", "always"], "'always'"),
        (["crash", "--at", "B", "--order", "output,state"], "'output,state'"),
        (["crash", "--at", "B", "--order", ""], "''"),
        (["crash", "--at", "B", "--strategy", ""], "''"),
        (["crash", "--at", "output.push"], "A, B, C, D, E."),
        (["crash", "--at", "B", "--items", "0"], "0"),
        (["crash", "--at", "B", "--items", "9999"], "8759"),
        (["crash", "--at", "B", "--window", "-1"], "-1"),
        (["crash", "--at", "B", "--lives", "one"], "'one'"),
        (["crash", "--at", "B", "--node", "2"], "node 2"),
        (["crash", "--at", "B", "--strategy", "offset_in_sink", "--node", "3"], "node 3"),
        (["crash", "--at", "B", "--node", "0"], "0"),
        (["reset", "99"], "'99'"),
    ],
)
def test_nonsense_is_one_sentence_and_status_2(capsys, arguments, words):
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["explode"],
        ["crash"],
        ["crash", "--at", "B", "--item", "x"],
        ["crash", "--world", "mars"],
        ["doctor", "--nonsense"],
        ["doctor", "x"],
        ["reset"],
        ["reset", "04", "05"],
        ["reset", "--all"],
    ],
)
def test_what_cannot_be_parsed_is_one_line_and_status_2(capsys, arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def on_the_command_line(*arguments, **variables):
    return subprocess.run(
        [sys.executable, "-m", "exactly_once", "crash", *arguments],
        env=os.environ | {"EXACTLY_ONCE_LEASE": f"command-line-{os.getpid()}"} | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.cluster
@pytest.mark.parametrize(
    "arguments",
    [
        ["--at", "D", "--item", "3", "--kill", "executor"],
        ["--at", "D", "--item", "4", "--strategy", "two_phase"],
        ["--at", "A", "--item", "4", "--strategy", "offset_in_sink", "--node", "2"],
    ],
)
def test_on_the_cluster_it_prints_the_verdict_and_nothing_else(capsys, arguments):
    done = on_the_command_line(*arguments, "--world", "spark", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found, simulated = json.loads(done.stdout), crash(capsys, *arguments)
    assert {name: found[name] for name in KEYS} == {name: simulated[name] for name in KEYS}


def test_a_place_that_cannot_be_written_is_one_sentence():
    done = on_the_command_line("--at", "B", "--world", "spark", EXACTLY_ONCE_TMP="/dev/null/nowhere")
    assert done.returncode == 1
    assert "/dev/null/nowhere" in done.stderr
    assert done.stderr.count("\n") == 1
