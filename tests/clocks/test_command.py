"""`python -m exactly_once clocks FILE`: stamps as JSON, or one sentence and status 2."""

import io
import json
import sys

import pytest

from exactly_once.__main__ import main

LINES = """{"process": "a", "kind": "send", "message": "m"}
{"process": "b", "kind": "local"}
{"process": "b", "kind": "receive", "message": "m"}
{"process": "b", "kind": "receive", "message": "m", "redelivery": true}
"""
LOG = 'a {"a":1}\nsends\nb {"b":1}\nworks\nb {"a":1, "b":2}\nreceives\nb {"a":1, "b":3}\nworks on\n'


def clocks(capsys, *arguments):
    assert main(["clocks", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


def test_json_lines(capsys, tmp_path):
    (tmp_path / "trace").write_text(LINES)
    found = clocks(capsys, str(tmp_path / "trace"))
    assert (found["processes"], found["concurrent_pairs"], found["ordered_pairs"]) == (["a", "b"], 1, 5)
    assert found["executions"] == [
        {"name": "", "events": 4, "concurrent_pairs": 1, "ordered_pairs": 5, "completed_clocks": 0}
    ]
    assert found["events"][2] == {
        "process": "b",
        "index": 2,
        "kind": "receive",
        "message": "m",
        "line": 3,
        "lamport": 2,
        "vector": {"a": 1, "b": 2},
        "order": 3,
    }
    assert found["events"][3]["redelivery"] is True
    assert [event["lamport"] for event in found["events"]] == [1, 1, 2, 3]
    assert [event["order"] for event in found["events"]] == [1, 2, 3, 4]


def test_a_shiviz_log_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG.encode())))
    found = clocks(capsys, "-")
    assert [event["lamport"] for event in found["events"]] == [1, 1, 2, 3]
    assert found["concurrent_pairs"] == 1
    assert found["events"][2]["vector"] == {"a": 1, "b": 2}


def test_several_executions(capsys, tmp_path):
    (tmp_path / "log").write_text(f"=== one ===\n{LOG}=== two ===\n{LOG}")
    found = clocks(capsys, str(tmp_path / "log"))
    assert [(each["name"], each["concurrent_pairs"]) for each in found["executions"]] == [("one", 1), ("two", 1)]
    assert found["concurrent_pairs"] == 2
    assert [event["execution"] for event in found["events"]] == ["one"] * 4 + ["two"] * 4


def test_an_expression_for_a_log_without_a_head(capsys, tmp_path):
    (tmp_path / "log").write_text('who=a clock={"a":1} what=x\n-\nwho=a clock={"a":1} what=y\n')
    expression = r"who=(?<host>\w+) clock=(?<clock>.*}) what=(?<event>.*)"
    found = clocks(capsys, str(tmp_path / "log"), "--expression", expression, "--delimiter", "^-$")
    assert [each["name"] for each in found["executions"]] == ["execution 1", "execution 2"]


@pytest.mark.parametrize("content", ["", "nonsense", '{"process": "a"}', 'a {"a":2}\nx'])
def test_nonsense_is_one_sentence_and_status_2(capsys, tmp_path, content):
    (tmp_path / "trace").write_text(content)
    assert main(["clocks", str(tmp_path / "trace")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"{tmp_path / 'trace'}, line 1" in said.err


def test_a_file_that_is_not_there(capsys, tmp_path):
    assert main(["clocks", str(tmp_path / "nothing")]) == 2
    assert "No such file" in capsys.readouterr().err
