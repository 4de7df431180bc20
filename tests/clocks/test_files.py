"""Histories in files of JSON lines: what a line may say, the round trip, refusals with their line, and the command
`clocks`.
"""

import dataclasses
import io
import json
import sys

import pytest
from hypothesis import given

from exactly_once import FaultPlan, Job, simulate
from exactly_once.__main__ import main
from exactly_once.clocks import Event, history_of, read_history, read_text
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once

from .strategies import histories

GOOD = '{"process": "a", "kind": "send", "message": "m"}'


@given(histories.filter(len))
def test_what_is_written_as_json_lines_is_read(history):
    found = read_text("\n".join(json.dumps(dataclasses.asdict(event), ensure_ascii=False) for event in history))
    plain = [Event(event.process, event.kind, event.message, event.redelivery) for event in found]
    assert plain == list(history)
    assert (found.lamport, found.vectors) == (history.lamport, history.vectors)


def test_logs_that_were_put_together_process_by_process_with_a_redelivery():
    receive = '{"process": "b", "kind": "receive", "message": "m"}'
    history = read_text("\n".join([receive, "", GOOD, '{"process": "b", "kind": "local"}']))
    assert history.lamport == (2, 1, 3)
    assert [event.line for event in history] == [1, 3, 4]
    again = read_text(
        "\n".join([GOOD, receive, receive[:-1] + ', "redelivery": true}', GOOD.replace('"m"', '"lost"')])
    )
    assert again.arrows == ((0, 1), (0, 2))
    assert again.lamport == (1, 2, 3, 2)


def test_what_may_stand_in_a_line():
    for line, expected in (
        ('{"process": 1, "kind": "send", "message": 7}', Event("1", "send", "7", line=1)),
        ('{"process": "a", "kind": "local", "message": null}', Event("a", "local", line=1)),
        ('{"process": "a", "kind": "local", "message": "hello"}', Event("a", "local", line=1)),
        ('{"process": "a", "kind": "local", "stamp": 7, "more": [1]}', Event("a", "local", line=1)),
        ('{"process": "a b {c}", "kind": "local", "text": "x"}', Event("a b {c}", "local", text="x", line=1)),
        ('  {"process": "a", "kind": "local"}  \r', Event("a", "local", line=1)),
    ):
        assert list(read_text(line)) == [expected]


def test_a_saved_trace_of_the_flight_recorder_can_be_read(tmp_path):
    trace = simulate(at_least_once, FaultPlan.crash("C", 2), Job(items=3)).trace
    trace.save(tmp_path / "trace.jsonl")
    history = read_history(tmp_path / "trace.jsonl")
    assert list(history.vectors) == list(history_of(trace).vectors)


REFUSED = [
    ([GOOD, '{"process": "a"}'], "line 2: there is no 'kind'"),
    ([GOOD, '{"process": "a", "kind": "fly"}'], "line 2: the kind is 'fly'; it can be local, send, receive"),
    ([GOOD, '{"process": "a", "kind": "receive"}'], "line 2: the message of a receive is None"),
    ([GOOD, "", GOOD], "line 3: the message 'm' was sent before, at line 1"),
    ([GOOD.replace("send", "receive")], "line 1: the message 'm' is received, and nobody sends it"),
    (
        [GOOD, *['{"process": "b", "kind": "receive", "message": "m"}'] * 2],
        "line 3: the message 'm' was received",
    ),
    ([GOOD.replace("send", "receive"), GOOD], "line 1 → line 2 → line 1"),
    ([GOOD, "[" * 100_000], "line 2: this is no JSON object (it is nested too deeply)"),
    (["process,kind", "a,local"], "line 1: this is no JSON object (Expecting value"),
    ([GOOD, "[1]"], "line 2: this is no JSON object (its braces are missing)"),
    (['a {"a":1}', "begins"], "line 1: this is no JSON object"),
    (["x" * 1_000_000], "line 1: this is no JSON object"),
]


def test_what_is_refused_is_told_with_its_line():
    for lines, words in REFUSED:
        with pytest.raises(BadInput) as why:
            read_text("\n".join(lines), "some.log")
        assert str(why.value).startswith("In some.log, ")
        assert words in str(why.value)
        assert len(str(why.value)) < 600


def test_files_that_are_no_text_or_not_there(tmp_path):
    path = tmp_path / "trace.jsonl"
    for content, words in (
        (b"\xff\xfe{\x00", "line 1: this is no UTF-8 text (UTF-16)"),
        (GOOD.encode() + b"\ncaf\xe9", "line 2: this is no UTF-8 text (the byte 0xe9)"),
        (b"", "line 1: there is nothing"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadInput) as why:
            read_history(path)
        assert f"In {path}, {words}" in str(why.value)
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + "\r\n").encode())
    assert len(read_history(path)) == 1, "a byte order mark and Windows' lines are passed over"
    for nowhere in ("", None, 3, "nowhere/at/all.jsonl", "."):
        with pytest.raises(BadInput):
            read_history(nowhere)


# The command

LINES = f"""{GOOD}
{{"process": "b", "kind": "local"}}
{{"process": "b", "kind": "receive", "message": "m"}}
{{"process": "b", "kind": "receive", "message": "m", "redelivery": true}}
"""


def clocks(capsys, *arguments):
    assert main(["clocks", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


def test_the_command_reads_a_file_or_standard_input(capsys, tmp_path, monkeypatch):
    (tmp_path / "trace").write_text(LINES)
    found = clocks(capsys, str(tmp_path / "trace"))
    assert (found["processes"], found["concurrent_pairs"], found["ordered_pairs"]) == (["a", "b"], 1, 5)
    event = {"process": "b", "index": 2, "kind": "receive", "message": "m", "line": 3}
    assert found["events"][2] == event | {"lamport": 2, "vector": {"a": 1, "b": 2}, "order": 3}
    assert found["events"][3]["redelivery"] is True
    assert [event["lamport"] for event in found["events"]] == [1, 1, 2, 3]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    assert clocks(capsys, "-") == found


def test_the_command_says_nonsense_in_one_sentence_with_status_2(capsys, tmp_path):
    path = tmp_path / "log"
    path.write_text("nonsense")
    assert main(["clocks", str(path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{path}, line 1" in said.err
    assert main(["clocks", str(tmp_path / "nothing")]) == 2
    assert "No such file" in capsys.readouterr().err
