"""Histories in files, as JSON lines and as ShiViz logs: forms, round trips, refusals with the number of the line, and
the command `clocks`.
"""

import io
import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once import FaultPlan, Job, simulate
from exactly_once.__main__ import main
from exactly_once.clocks import FORMS, Event, History, history_of, read_histories, read_text
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once

from .strategies import histories

GOOD = '{"process": "a", "kind": "send", "message": "m"}'
AFTER = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
BEFORE = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
EVENTS = [("a", {"a": 1}, "begins"), ("b", {"b": 1}, "begins too"), ("b", {"a": 1, "b": 2}, "hears of it")]
ANOTHER = [("b", {"b": 1}, "again"), ("b", {"b": 2}, "and again")]


def after(events):
    return "".join(f"{host} {json.dumps(clock)}\n{text}\n" for host, clock, text in events)


def before(events):
    return "".join(f"{text}\n{host} {json.dumps(clock)}\n" for host, clock, text in events)


def beside(events):
    return "".join(f"[INFO] [12:00] [akka://{host}] {json.dumps(clock)} {text}\n" for host, clock, text in events)


def tla(events):
    clocks = [(host, json.dumps(clock).replace('"', '\\"'), text) for host, clock, text in events]
    return "\n".join(
        f'State 3: <{text} of M>\n/\\ Host = {host}\n/\\ Clock = "{clock}"\n' for host, clock, text in clocks
    )


TLA = r'^State [0-9]+: <(?<event>.*) of .*>\n\/\\ Host = (?<host>.*)\n\/\\ Clock = "(?<clock>.*)"'
STAMPED = r"\[\w+\] \[(?<date>[^\]]+)\] \[akka://(?<host>\w+)\] (?<clock>.*\}) (?<event>.*)"


def read(text, **options):
    [(name, history)] = read_text(text, "some.log", **options)
    assert name == ""
    return history


@given(histories.filter(len))
def test_what_is_written_as_json_lines_is_read(history):
    found = read(FORMS["jsonl"](history))
    plain = [Event(event.process, event.kind, event.message, event.redelivery) for event in found]
    assert plain == list(history)
    assert (found.lamport, found.vectors) == (history.lamport, history.vectors)


def test_logs_that_were_put_together_process_by_process_with_a_redelivery():
    receive = '{"process": "b", "kind": "receive", "message": "m"}'
    history = read("\n".join([receive, "", GOOD, '{"process": "b", "kind": "local"}']))
    assert history.lamport == (2, 1, 3)
    assert [event.line for event in history] == [1, 3, 4]
    again = read("\n".join([GOOD, receive, receive[:-1] + ', "redelivery": true}', GOOD.replace('"m"', '"lost"')]))
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
        assert list(read(line)) == [expected]


def test_a_saved_trace_of_the_flight_recorder_can_be_read(tmp_path):
    trace = simulate(at_least_once, FaultPlan.crash("C", 2), Job(items=3)).trace
    trace.save(tmp_path / "trace.jsonl")
    [(_, history)] = read_histories(tmp_path / "trace.jsonl")
    assert list(history.vectors) == list(history_of(trace).vectors)


def test_the_forms_are_told_apart():
    for text in (
        after(EVENTS),
        f"{AFTER}\n\n{after(EVENTS)}",
        f"{AFTER}\n\n\n{after(EVENTS)}",  # as GoVector's own script puts logs together
        f"{AFTER}\n{after(EVENTS)}",  # the line for executions left out
        f"{BEFORE}\n\n{before(EVENTS)}",
        f"{BEFORE}\n{before(EVENTS)}",
        f"{STAMPED}\n\n{beside(EVENTS)}",
        f"{TLA}\n\n{tla(EVENTS)}",
        f"\n\n{AFTER}\n\n{after(EVENTS)}",
        after(EVENTS).replace("\n", "\r\n"),
        f"{AFTER}\n\n" + after(EVENTS).replace("}\n", "}  \n"),
        after(EVENTS[::-1]),  # the lines of a host out of order
        after([(host, {"c": 0} | clock, text) for host, clock, text in EVENTS]),
    ):
        history = read(text)
        assert {history.name(place): history.lamport[place] for place in range(3)} == {"a.1": 1, "b.1": 1, "b.2": 2}
        assert history.vectors[history.at("b", 2)] == {"a": 1, "b": 2}
        assert history.concurrent_pairs() == 1
        words = history[history.at("b", 2)].text
        assert words == "hears of it"


def test_several_executions():
    for text in (
        f"=== one ===\n{after(EVENTS)}=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n=== (?<trace>.*) ===\n=== one ===\n{after(EVENTS)}\n=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n=== .* ===\n=== one ===\n{after(EVENTS)}\n=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n---\nwritten by a library\n---\n{after(EVENTS)}\n---\n{after(ANOTHER)}",
    ):
        found = read_text(text)
        assert [history.concurrent_pairs() for _, history in found] == [1, 0]
        assert [history.lamport for _, history in found] == [(1, 1, 2), (1, 2)]
        assert len({name for name, _ in found}) == 2


def test_words_may_look_like_a_clock():
    events = [("a", {"a": 1}, 'Sending {"a":1}'), ("b", {"b": 1, "a": 1}, 'Got {"a":1} from a {"a":1}')]
    assert read(after(events)).lamport == (1, 2)
    assert read(f"{AFTER}\n\n{after(events)}").lamport == (1, 2)


def test_a_log_of_several_causes_at_once():
    events = [
        ("a", {"a": 1}, ""),
        ("b", {"b": 1}, ""),
        ("c", {"c": 1, "a": 1, "b": 1}, ""),
        ("d", {"d": 1, "a": 1}, ""),
    ]
    history = read(after(events))
    assert history.arrows == ((0, 2), (0, 3), (1, 2))
    assert history.lamport == (1, 1, 2, 2)
    assert [event.kind for event in history] == ["send", "send", "receive", "receive"]


def test_what_is_known_through_another_is_no_arrow_of_its_own():
    events = [("a", {"a": 1}, ""), ("b", {"b": 1, "a": 1}, ""), ("c", {"c": 1, "a": 1, "b": 1}, "")]
    history = read(after(events))
    assert history.arrows == ((0, 1), (1, 2))
    assert history.lamport == (1, 2, 3)


def test_a_clock_that_forgets_is_completed_and_counted():
    forgetful = [("a", {"a": 1}, ""), ("b", {"a": 1, "b": 1}, ""), ("b", {"b": 2}, ""), ("c", {"b": 1, "c": 1}, "")]
    history = read(after(forgetful))
    assert history.vectors[2:] == ({"a": 1, "b": 2}, {"a": 1, "b": 1, "c": 1})
    assert (history.lamport, history.completed) == ((1, 2, 3, 3), 2)
    assert read(after(EVENTS)).completed == 0


@given(histories.filter(len), st.randoms(use_true_random=False))
def test_a_history_survives_the_round_trip_in_any_order_of_the_lines(history, chance):
    head, events = FORMS["shiviz"](history).split("\n\n")
    found = read(f"{head}\n\n{events}")
    assert (found.lamport, found.concurrent_pairs()) == (history.lamport, history.concurrent_pairs())
    assert [sorted(vector.values()) for vector in found.vectors] == [sorted(one.values()) for one in history.vectors]
    pairs = re.findall(r".*\n.*\n?", events)
    shuffled = read(
        "".join(line.removesuffix("\n") + "\n" for line in [head, "\n", *chance.sample(pairs, len(pairs))])
    )
    assert stamps_of(shuffled) == stamps_of(found)


def stamps_of(history):
    return {history.name(place): (history.lamport[place], history.vectors[place]) for place in range(len(history))}


REFUSED_LOGS = [
    ('a {"a":-1}\nx', "line 1: the entry of 'a' is -1; it must be at least 0"),
    ('a {"a":1}\nx\na {"a":2, "b}\ny', "line 3: the clock is no JSON"),
    ('a {"a":0}\nx', "line 1: the clock of 'a' stands at 0"),
    ('a {"a":2}\nx', "line 1: the clock of 'a' stands at 2 at the host's first event"),
    ('a {"a":1}\nx\na {"a":1}\ny', "line 3: the clock of 'a' stands at 1 after line 1, and not at 2"),
    ('a {"b":1}\nx', "line 1: the host 'a' has no entry in its own clock, which has b"),
    ('a {"a":1,"b":1}\nx', "line 1: the clock counts 1 events of 'b', and the log has 0"),
    ('a {"a":1,"b":1}\nx\nb {"b":1,"a":1}\nx', "line 1 → line 3 → line 1"),
    (f"{AFTER}\n\n", "reads no event in the log"),
    ("(?<host>\\S* (?<clock>{.*})\n\n" + after(EVENTS), "is no regular expression"),
    ("x" * 1_000_000, "line 1: this is neither JSON nor a log of clocks"),
]
REFUSED_LINES = [
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
    (["process,kind", "a,local"], "line 1: this is neither JSON nor a log of clocks"),
]


def test_what_is_refused_is_told_with_its_line():
    for text, words in [*REFUSED_LOGS, *(("\n".join(lines), words) for lines, words in REFUSED_LINES)]:
        with pytest.raises(BadInput) as why:
            read(text)
        assert str(why.value).startswith("In some.log, ")
        assert words in str(why.value)
        assert len(str(why.value)) < 600
    both = History([Event("a", "send"), Event("b", "receive"), Event("c", "receive")], arrows=[(0, 1), (0, 2)])
    with pytest.raises(BadInput, match="more than one message"):
        FORMS["jsonl"](both)


def test_files_that_are_no_text_or_not_there(tmp_path):
    path = tmp_path / "trace.jsonl"
    for content, words in (
        (b"\xff\xfe{\x00", "line 1: this is no UTF-8 text (UTF-16)"),
        (GOOD.encode() + b"\ncaf\xe9", "line 2: this is no UTF-8 text (the byte 0xe9)"),
        (b"", "line 1: there is nothing"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadInput) as why:
            read_histories(path)
        assert f"In {path}, {words}" in str(why.value)
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + "\r\n").encode())
    assert len(read_histories(path)[0][1]) == 1, "a byte order mark and Windows' lines are passed over"
    for nowhere in ("", None, 3, "nowhere/at/all.jsonl", "."):
        with pytest.raises(BadInput):
            read_histories(nowhere)


# The command

LINES = f"""{GOOD}
{{"process": "b", "kind": "local"}}
{{"process": "b", "kind": "receive", "message": "m"}}
{{"process": "b", "kind": "receive", "message": "m", "redelivery": true}}
"""
LOG = 'a {"a":1}\nsends\nb {"b":1}\nworks\nb {"a":1, "b":2}\nreceives\nb {"a":1, "b":3}\nworks on\n'


def clocks(capsys, *arguments):
    assert main(["clocks", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


def test_the_command_reads_json_lines(capsys, tmp_path):
    (tmp_path / "trace").write_text(LINES)
    found = clocks(capsys, str(tmp_path / "trace"))
    assert (found["processes"], found["concurrent_pairs"], found["ordered_pairs"]) == (["a", "b"], 1, 5)
    stamps = {"lamport": 2, "vector": {"a": 1, "b": 2}, "order": 3}
    assert (
        found["events"][2]
        == {
            "process": "b",
            "index": 2,
            "kind": "receive",
            "message": "m",
            "line": 3,
        }
        | stamps
    )
    assert found["events"][3]["redelivery"] is True
    assert [event["lamport"] for event in found["events"]] == [1, 1, 2, 3]


def test_the_command_reads_logs_of_several_executions_also_from_standard_input(capsys, monkeypatch):
    text = f"=== one ===\n{LOG}=== two ===\n{LOG}"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    found = clocks(capsys, "-")
    assert [(each["name"], each["concurrent_pairs"]) for each in found["executions"]] == [("one", 1), ("two", 1)]
    assert found["concurrent_pairs"] == 2
    assert [event["execution"] for event in found["events"]] == ["one"] * 4 + ["two"] * 4
    assert found["events"][2]["vector"] == {"a": 1, "b": 2}


def test_the_command_takes_an_expression_and_says_nonsense_in_one_sentence_with_status_2(capsys, tmp_path):
    path = tmp_path / "log"
    path.write_text('who=a clock={"a":1} what=x\n-\nwho=a clock={"a":1} what=y\n')
    expression = r"who=(?<host>\w+) clock=(?<clock>.*}) what=(?<event>.*)"
    found = clocks(capsys, str(path), "--expression", expression, "--delimiter", "^-$")
    assert [each["name"] for each in found["executions"]] == ["execution 1", "execution 2"]
    path.write_text("nonsense")
    assert main(["clocks", str(path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{path}, line 1" in said.err
    assert main(["clocks", str(tmp_path / "nothing")]) == 2
    assert "No such file" in capsys.readouterr().err
