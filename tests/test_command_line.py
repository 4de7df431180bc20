"""The command line: verdicts as JSON, and one sentence with status 1 or 2 for what cannot be done."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exactly_once.__main__ import main

OWN = """
import functools
import os

from exactly_once.lockfree import Given, general

incarnations = []


def mine(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.crash_point("A")
        node.output.push(window.average())
        node.crash_point("B")
        node.state.save(window)
        node.positions.save(positions)
        node.crash_point("E")


def remembers_lives(more, node):
    incarnations.append(more)
    node.output.push([incarnations, node.duration, node.threshold])
    mine(node)


in_parts = functools.partial(remembers_lives, 7)
without_points = general(lambda state, inputs: (state, [len(inputs)]))


def add(state, inputs):
    state += sum(value or 0 for value in inputs)
    return state, [state, "big" if state > 20 else None]


sums = general(add, 0, Given(("left", "right"), ((1, 2), (30,))), ("sums", "words"), "sums", points=True)
one = general(add, 0, Given(("left",), ((1,),)), ("sums", "words"), "one")


def raises(node):
    raise ValueError("of my own")


def exits(node):
    exit(3)


def ends_its_process(node):
    os._exit(3)


def loops(node):
    while True:
        pass
"""
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


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    return f"{tmp_path}/own.py:{{}}".format


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("mine", ["--at", "A", "--item", "3"], {"consistent": True, "reached": True, "lives": 2}),
        ("mine", ["--at", "B", "--item", "3"], {"consistent": False, "duplicated": [3], "plan": "eo2-B3w-F78R"}),
        ("mine", ["--at", "B", "--item", "3", "--lives", "1,2"], {"duplicated": [3], "lives": 3}),
        ("mine", ["--at", "E", "--item", "8", "--items", "9", "--kill", "executor"], {"reached": True, "lives": 2}),
        ("mine", ["--at", "B", "--item", "7"], {"consistent": True, "reached": False}),
        ("mine", ["--at", "C", "--item", "3"], {"consistent": True, "reached": False, "lives": 1}),
        ("mine", ["--at", "E", "--nodes", "2", "--node", "2"], {"consistent": False, "reached": True, "lives": 3}),
        ("in_parts", ["--at", "A", "--window", "3", "--threshold", "2"], {"reached": True, "lives": 2}),
        ("without_points", ["--at", "A", "--nodes", "2"], {"consistent": True, "reached": False}),
        ("sums", ["--at", "B", "--nodes", "3"], {"consistent": True, "reached": True, "lives": 4}),
        ("raises", ["--at", "A"], {"consistent": False, "reached": False, "lives": 1}),
        ("exits", ["--at", "A"], {"consistent": False, "reached": False, "lives": 1}),
    ],
)
def test_the_verdict_on_a_handler_in_a_file(capsys, own, name, arguments, expected):
    found = crash(capsys, own(name), *arguments)
    assert found.keys() >= KEYS
    assert {name: found[name] for name in expected} == expected


def said(capsys, *arguments):
    """Return (exit status, the one line that the command prints or, when it cannot be done, says as its error)."""
    status = main([*arguments])
    out, err = capsys.readouterr()
    assert (out + err).count("\n") == 1
    assert (status == 0) == (err == "") == (out != "")
    assert "Traceback" not in err
    return status, out + err


@pytest.mark.slow
def test_a_handler_that_fails_or_has_no_end_is_told_in_one_sentence(capsys, own):
    for name, words in (("raises", "ValueError: of my own"), ("exits", "SystemExit: 3"), ("mine", "pass of hour 3")):
        status, sentence = said(capsys, "crash", own(name), "--at", "B", "--item", "3")
        assert (status, words in sentence) == (0, True), sentence
    for command, name, words in (
        (["crash", "--at", "B"], "loops", "stopped after 5 seconds: it had not come to an end"),
        (["crash", "--at", "B"], "ends_its_process", "ended with exit status 3"),
        (["cost"], "ends_its_process", "ended with exit status 3"),
        (["cost"], "raises", "ValueError: of my own"),
    ):
        status, sentence = said(capsys, command[0], own(name), *command[1:])
        assert (status, words in sentence) == (1, True), sentence


def test_a_file_that_is_not_to_be_read_is_one_sentence(capsys, tmp_path):
    for source, words in (("exit(3)", "SystemExit: 3"), ("def mine(:", "SyntaxError")):
        (tmp_path / "bad.py").write_text(source)
        crash = ("crash", "--at", "B", "--world")
        for command, *options in (("prove",), (*crash, "simulated"), (*crash, "spark")):
            status, sentence = said(capsys, command, f"{tmp_path}/bad.py:mine", *options)
            assert status == 2
            assert "cannot be read as Python" in sentence
            assert words in sentence


def cost(capsys, *arguments):
    assert main(["cost", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.not_by_day
def test_what_a_handler_costs(capsys, own):
    for arguments, operations, seconds, partitions in (
        (["--strategy", "two_phase", "--latency", "5ms", "--rate", "2000"], 4, 0.02, 40),
        (["--strategy", "lock_free", "--latency", "500us", "--rate", "100"], 17, 0.0085, 1),
        ([own("mine"), "--latency", "0.2ms", "--rate", "2500", "--window", "3"], 4, 0.0008, 2),
        ([own("in_parts"), "--latency", "1s", "--rate", "0.5"], 4, 4.0, 2),
        ([own("sums"), "--rate", "100", "--latency", "1ms"], 17, 0.017, 2),
    ):
        found = cost(capsys, *arguments)
        assert found["operations"] == operations
        assert found["seconds"] == pytest.approx(seconds)
        assert found["rate"] == pytest.approx(1 / seconds)
        assert found["partitions"] == partitions


def test_what_a_handler_costs_in_sentences(capsys, own):
    assert main(["cost", own("mine"), "--rate", "2000"]) == 0
    assert capsys.readouterr().out == (
        "mine asks its stores for 4 operations a record, one after the other: engine: 2 write, 1 fetch, 1 append.\n"
        "At 5ms an operation: A record takes 20 ms. So one handler makes 50 a second.\n"
        "For 2,000 records a second it needs 40 partitions, each with a handler of its own, on stores that keep up; "
        "or steps that take 40 records each with no more operations than now.\n"
    )


def test_a_point_that_is_not_reached_is_said_in_the_sentence(capsys, own):
    assert crash(capsys, "--at", "B", "--item", "1")["sentence"].startswith("Not reached: B at hour 1")
    sentence = crash(capsys, own("mine"), "--at", "C")["sentence"]
    assert sentence.startswith("Not reached: C; the handler passed A, B and E, so nothing was killed there.")


NONSENSE = {
    "crash --at F": "'F'",
    "crash --at B --order output,state": "'output,state'",
    "crash --at output.push": "A, B, C, D, E.",
    "crash --at B --node 2": "node 2",
    "crash --at B --nodes 3 --strategy offset_in_sink": "runs on 2",
    "crash own.py --at B": "PATH.py:FUNCTION",
    "crash nowhere.py:mine --at B": "no file",
    "crash OWN:nothing --at B": "no function 'nothing'",
    "crash OWN:add --at B": "made a handler by `general`",
    "crash OWN:mine --at B --strategy two_phase": "--strategy",
    "cost --latency 5": "5ms, 0.2ms, 500us or 1s",
    "cost OWN:one": "two values",
    "prove own.py": "PATH.py:FUNCTION",
    "prove nowhere.py:mine": "no file",
    "prove OWN:nothing": "no function 'nothing'",
    "prove OWN:mine --seconds 1e6": "The limit of time is 1000000.0",
    "reset 99": "'99'",
}
NO_COMMAND = ["", "explode", "crash", "crash --at B --item x", "crash --world mars", "doctor x", "reset 04 05"]


def test_nonsense_is_one_sentence_and_status_2(capsys, own):
    for line, words in NONSENSE.items():
        status, sentence = said(capsys, *(word.replace("OWN:", own("")) for word in line.split()))
        assert (status, words in sentence) == (2, True), (line, sentence)
    for line in NO_COMMAND:
        with pytest.raises(SystemExit) as left:
            main(line.split())
        assert left.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def on_the_command_line(*arguments, **variables):
    return subprocess.run(
        [sys.executable, "-m", "exactly_once", "crash", *arguments],
        env=os.environ | {"EXACTLY_ONCE_LEASE": f"command-line-{os.getpid()}"} | variables,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.parametrize(
    "arguments",
    [
        ["OWN:in_parts", "--at", "B", "--item", "3", "--lives", "1,2", "--window", "3", "--threshold", "2"],
        ["--at", "D", "--item", "4", "--strategy", "two_phase"],
        ["OWN:sums", "--at", "B", "--nodes", "2"],
    ],
)
def test_on_the_cluster_it_prints_the_verdict_and_nothing_else(capsys, own, arguments):
    arguments = [one.replace("OWN:", own("")) for one in arguments]
    done = on_the_command_line(*arguments, "--world", "spark", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found, simulated = json.loads(done.stdout), crash(capsys, *arguments)
    own_words = {"sentence"} if "--nodes" in arguments else set()  # either twin may be the one that dies
    same = KEYS - own_words | {"lives"}
    assert {name: found[name] for name in same} == {name: simulated[name] for name in same}


def test_a_place_that_cannot_be_written_is_one_sentence():
    done = on_the_command_line("--at", "B", "--world", "spark", EXACTLY_ONCE_TMP="/dev/null/nowhere")
    assert done.returncode == 1
    assert "/dev/null/nowhere" in done.stderr
    assert done.stderr.count("\n") == 1


def test_files_in_the_working_folder_that_are_named_like_modules_hide_none(tmp_path):
    """Neither from the command, nor from the processes that it starts; and a helper there is found all the same."""
    for name in ("json", "exactly_once", "enum", "re", "types", "random", "pickle", "cloudpickle"):
        (tmp_path / f"{name}.py").write_text(f"from helper import NOTHING\n{OWN}")
    (tmp_path / "helper.py").write_text("NOTHING = None\n")
    for command in (["exactly-once"], ["python", "-P", "-m", "exactly_once"]):
        program = Path(sys.executable).with_name(command[0])
        told = [str(program), *command[1:], "crash", "json.py:mine", "--at", "B", "--json"]
        done = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["lives"] == 2
