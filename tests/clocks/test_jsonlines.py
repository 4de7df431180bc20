"""Histories as JSON lines: their form, round trips, and refusals with the number of the line."""

import pytest
from hypothesis import given

from exactly_once.clocks import Event, History
from exactly_once.clocks.formats.files import read_histories, read_text
from exactly_once.clocks.formats.jsonlines import jsonlines_text
from exactly_once.errors import BadInput
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.trace.shiviz import history_of

from .strategies import histories

GOOD = '{"process": "a", "kind": "send", "message": "m"}'


def read(*lines):
    [(name, history)] = read_text("\n".join(lines), "trace.jsonl")
    assert name == ""
    return history


@given(histories.filter(len))
def test_what_is_written_is_read(history):
    found = read(jsonlines_text(history))
    plain = [Event(event.process, event.kind, event.message, event.redelivery) for event in found]
    assert plain == list(history)
    assert (found.lamport, found.vectors) == (history.lamport, history.vectors)


def test_logs_that_were_put_together_process_by_process():
    history = read(
        '{"process": "b", "kind": "receive", "message": "m"}', "", GOOD, '{"process": "b", "kind": "local"}'
    )
    assert history.lamport == (2, 1, 3)
    assert [event.line for event in history] == [1, 3, 4]


def test_a_marked_redelivery_and_a_lost_message():
    receive = '{"process": "b", "kind": "receive", "message": "m"}'
    history = read(GOOD, receive, receive[:-1] + ', "redelivery": true}', GOOD.replace('"m"', '"lost"'))
    assert history.arrows == ((0, 1), (0, 2))
    assert history.lamport == (1, 2, 3, 2)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"process": 1, "kind": "send", "message": 7}', Event("1", "send", "7", line=1)),
        ('{"process": "a", "kind": "local", "message": null}', Event("a", "local", line=1)),
        ('{"process": "a", "kind": "local", "message": "hello"}', Event("a", "local", line=1)),
        ('{"process": "a", "kind": "local", "stamp": 7, "more": [1]}', Event("a", "local", line=1)),
        ('{"process": "a b {c}", "kind": "local", "text": "x"}', Event("a b {c}", "local", text="x", line=1)),
        ('  {"process": "a", "kind": "local"}  \r', Event("a", "local", line=1)),
    ],
)
def test_what_may_stand_in_a_line(line, expected):
    assert list(read(line)) == [expected]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([GOOD, '{"process": "a"}'], "line 2: there is no 'kind'"),
        (['{"kind": "local"}'], "line 1: there is no 'process'"),
        ([GOOD, '{"process": "a", "kind": "fly"}'], "line 2: the kind is 'fly'; it can be local, send, receive"),
        ([GOOD, '{"process": "a", "kind": "receive"}'], "line 2: the message of a receive is None"),
        ([GOOD, "", GOOD], "line 3: the message 'm' was sent before, at line 1"),
        ([GOOD.replace("send", "receive")], "line 1: the message 'm' is received, and nobody sends it"),
        (
            [GOOD, *['{"process": "b", "kind": "receive", "message": "m"}'] * 2],
            "line 3: the message 'm' was received",
        ),
        ([GOOD.replace("send", "receive"), GOOD], "line 1 → line 2 → line 1"),
        ([GOOD[:-1] + ', "stamp": -1}'], "line 1: the stamp is -1; it must be at least 0"),
        ([GOOD[:-1] + ', "stamp": 1.0}'], "line 1: the stamp is 1.0; it must be a whole number"),
        ([GOOD[:-1] + ', "stamp": true}'], "line 1: the stamp is True"),
        ([GOOD[:-1] + ', "lamport": "3"}'], "line 1: the lamport is '3'"),
        ([GOOD, GOOD[:-1] + ', "stamp": NaN}'], "line 2: this is no JSON object (NaN"),
        ([GOOD, GOOD[:-1] + ', "stamp": 1' + "0" * 5000 + "}"], "line 2: this is no JSON object"),
        ([GOOD[:-1] + ', "redelivery": 1}'], "line 1: redelivery is 1; it is true or false"),
        ([GOOD[:-1] + ', "redelivery": true}'], "line 1: a send event is marked as a redelivery"),
        ([GOOD[:-1] + ', "kind": "local"}'], "'kind' is there twice"),
        ([GOOD, "nonsense"], "line 2: this is no JSON object"),
        ([GOOD, "[1, 2]"], "line 2: this is no JSON object: '[1, 2]'"),
        ([GOOD, "[" * 100_000], "line 2: this is no JSON object (it is nested too deeply)"),
        (['{"process": true, "kind": "local"}'], "line 1: the process is True"),
        (['{"process": " ", "kind": "local"}'], "line 1: the process is ' '"),
        (['{"process": "a", "kind": {}}'], "line 1: the kind is {}"),
        (["{", '  "process": "a", "kind": "local"', "}"], "line 1: this is no JSON object"),
        (["{'process': 'a', 'kind': 'local'}"], "line 1: this is no JSON object"),
        (["process,kind", "a,local"], "line 1: this is neither JSON nor a log of clocks"),
        (["", "  "], "line 1: there is nothing"),
        (["x" * 5_000_000], "line 1: this is neither"),
        ([GOOD, "{" + "x" * 5_000_000], "line 2: this is no JSON object"),
    ],
)
def test_what_is_refused_is_told_with_its_line(lines, words):
    with pytest.raises(BadInput) as why:
        read(*lines)
    assert str(why.value).startswith("In trace.jsonl, ")
    assert words in str(why.value)
    assert len(str(why.value)) < 600


def test_a_saved_trace_of_the_flight_recorder_can_be_read(tmp_path):
    trace = simulate(at_least_once, FaultPlan.crash("C", 2), Job(items=3)).trace
    trace.save(tmp_path / "trace.jsonl")
    [(_, history)] = read_histories(tmp_path / "trace.jsonl")
    assert list(history.vectors) == list(history_of(trace).vectors)
    assert all(
        history.lamport[effect] > history.lamport[cause]
        for effect in range(len(history))
        for cause in history.causes(effect)
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe{\x00", "line 1: this is no UTF-8 text (UTF-16)"),
        (GOOD.encode() + b"\ncaf\xe9", "line 2: this is no UTF-8 text (the byte 0xe9)"),
        (b"", "line 1: there is nothing"),
    ],
)
def test_files_that_are_no_text(tmp_path, content, words):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput) as why:
        read_histories(path)
    assert f"In {path}, {words}" in str(why.value)


def test_a_byte_order_mark_and_windows_lines_are_passed_over(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + "\r\n").encode() * 1)
    assert len(read_histories(path)[0][1]) == 1


@pytest.mark.parametrize("path", ["", None, 3, "nowhere/at/all.jsonl", "."])
def test_files_that_are_not_there(path):
    with pytest.raises(BadInput):
        read_histories(path)


def test_what_json_lines_cannot_say():
    both = History([Event("a", "send"), Event("b", "receive"), Event("c", "receive")], arrows=[(0, 1), (0, 2)])
    with pytest.raises(BadInput, match="more than one message"):
        jsonlines_text(both)
