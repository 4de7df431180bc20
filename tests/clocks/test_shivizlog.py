"""ShiViz logs: every form of the libraries, with and without a head, and refusals with the number of the line."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.clocks import History
from exactly_once.clocks.formats.files import read_text
from exactly_once.clocks.formats.shiviz_log import AFTER, host_names, shiviz_text
from exactly_once.errors import BadInput

from .strategies import histories

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


@pytest.mark.parametrize(
    "text",
    [
        after(EVENTS),
        before(EVENTS),
        beside(EVENTS),
        f"{AFTER}\n\n{after(EVENTS)}",
        f"{AFTER}\n\n\n{after(EVENTS)}",  # as GoVector's own script puts logs together
        f"{AFTER}\n{after(EVENTS)}",  # the line for executions left out
        f"{BEFORE}\n\n{before(EVENTS)}",
        f"{BEFORE}\n{before(EVENTS)}",
        f"{STAMPED}\n\n{beside(EVENTS)}",
        f"{TLA}\n\n{tla(EVENTS)}",
        f"\n\n{AFTER}\n\n{after(EVENTS)}",
        after(EVENTS).replace("\n", "\r\n"),
        after(EVENTS).replace("\n", "\r"),
        before(EVENTS).replace("}\n", "}  \n"),
        f"{AFTER}\n\n" + after(EVENTS).replace("}\n", "}  \n"),
        after(EVENTS[::-1]),  # the lines of a host out of order
        "".join(f"{host} {json.dumps(clock)}\n" for host, clock, _ in EVENTS),  # no words at all
        after([(host, {"c": 0} | clock, text) for host, clock, text in EVENTS]),
    ],
)
def test_the_forms_are_told_apart(text):
    history = read(text)
    assert {history.name(place): history.lamport[place] for place in range(3)} == {"a.1": 1, "b.1": 1, "b.2": 2}
    assert history.vectors[history.at("b", 2)] == {"a": 1, "b": 2}
    assert history.concurrent_pairs() == 1
    words = history[history.at("b", 2)].text
    assert words == "hears of it" or "begins" not in text


def test_an_expression_may_be_given_for_a_log_without_a_head():
    text = f"=== one ===\n{tla(EVENTS)}=== two ===\n{tla(ANOTHER)}"
    found = dict(read_text(text, "some.log", TLA, "^=== (?<trace>.*) ===$"))
    assert [len(history) for history in found.values()] == [3, 2]
    assert list(found) == ["one", "two"]


@pytest.mark.parametrize(
    "text",
    [
        f"=== one ===\n{after(EVENTS)}=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n=== (?<trace>.*) ===\n=== one ===\n{after(EVENTS)}\n=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n=== .* ===\n=== one ===\n{after(EVENTS)}\n=== two ===\n{after(ANOTHER)}",
        f"{AFTER}\n---\nwritten by a library\n---\n{after(EVENTS)}\n---\n{after(ANOTHER)}",
    ],
)
def test_several_executions(text):
    found = read_text(text)
    assert [history.concurrent_pairs() for _, history in found] == [1, 0]
    assert [history.lamport for _, history in found] == [(1, 1, 2), (1, 2)]
    assert len({name for name, _ in found}) == 2


def test_executions_of_one_name_are_told_apart():
    text = f"=== x ===\n{after(EVENTS)}" * 3
    assert [name for name, _ in read_text(text)] == ["x", "x (2)", "x (3)"]


def test_what_looks_like_a_separator_may_be_the_words_of_an_event():
    events = [("a", {"a": 1}, "=== start ==="), ("a", {"a": 2}, "=== end ===")]
    assert len(read(after(events))) == 2


def test_words_may_look_like_a_clock():
    events = [("a", {"a": 1}, 'Sending {"a":1}'), ("b", {"b": 1, "a": 1}, 'Got {"a":1} from a {"a":1}')]
    assert read(after(events)).lamport == (1, 2)
    assert read(f"{AFTER}\n\n{after(events)}").lamport == (1, 2)
    assert read(before([*EVENTS, ("b", {"b": 3, "a": 1}, 'Sending {"x":1}')])).lamport == (1, 1, 2, 3)


@pytest.mark.parametrize(
    "host",
    [
        "42795@thread[main,5,main]",
        "10.0.0.1:7000",
        "{x}",
        "a{1}",
        "Zürich",
        "名前",
        "a b",
        '"q"',
        "\\",
        "-",
        "0",
        "é{",
    ],
)
def test_hosts_have_odd_names(host):
    events = [(host, {host: 1}, "x"), (host, {host: 2}, "y"), ("other", {host: 2, "other": 1}, "z")]
    for text in (after(events), before(events), f"{AFTER}\n\n{after(events)}"):
        history = read(text)
        assert history.lamport == (1, 2, 3)
        assert history.processes == (host, "other")


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
    hosts = host_names(history.processes)
    expected = {
        f"{hosts[event.process]}.{index}": (stamp, {hosts[process]: time for process, time in vector.items()})
        for event, index, stamp, vector in zip(history, history.index, history.lamport, history.vectors, strict=True)
    }
    head, events = shiviz_text(history).split("\n\n")
    pairs = re.findall(r".*\n.*\n?", events)
    for log in (pairs, chance.sample(pairs, len(pairs))):
        found = read("".join(line.removesuffix("\n") + "\n" for line in [head, "\n", *log]))
        stamps = {found.name(place): (found.lamport[place], found.vectors[place]) for place in range(len(found))}
        assert stamps == expected
        assert found.concurrent_pairs() == history.concurrent_pairs()


def test_a_history_read_from_a_log_is_one_that_names_its_messages_where_it_can():
    history = read(after(EVENTS))
    assert [event.message for event in history] == ["m1", None, "m1"]
    assert History(history.events).vectors == history.vectors


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a {"a":-1}\nx', "line 1: the entry of 'a' is -1; it must be at least 0"),
        ('a {"a":1.5}\nx', "line 1: the entry of 'a' is 1.5; it must be a whole number"),
        ('a {"a":true}\nx', "line 1: the entry of 'a' is True"),
        ('a {"a":NaN}\nx', "line 1: the entry of 'a' is nan"),
        ('a {"a":"1"}\nx', "line 1: the clock has an entry that is no number"),
        ('a {"a":1,}\nx', "line 1: the clock is no JSON"),
        ('a {"a":1}\nx\na {"a":2, "b', "line 3: the clock is no JSON (Unterminated string"),
        ('a {"a":1,"a":2}\nx', "line 1: the clock is no JSON ('a' is there twice)"),
        ('a {"a":0}\nx', "line 1: the clock of 'a' stands at 0"),
        ('a {"a":2}\nx', "line 1: the clock of 'a' stands at 2 at the host's first event"),
        ('a {"a":1}\nx\na {"a":3}\nx', "line 3: the clock of 'a' stands at 3 after 1, on line 1"),
        ('a {"a":1}\nx\na {"a":1}\ny', "line 3: the clock of 'a' stands at 1 again, as on line 1"),
        ('a {"b":1}\nx', "line 1: the host 'a' has no entry in its own clock, which has b"),
        ('a {"a":1,"b":1}\nx', "line 1: the clock counts 1 events of 'b', an unknown process"),
        ('a {"a":1,"b":2}\nx\nb {"b":1}\nx', "line 1: the clock counts 2 events of 'b', and the log has 1"),
        ('a {"a":1,"b":1}\nx\nb {"b":1,"a":1}\nx', "line 1 → line 3 → line 1"),
        (f"{AFTER}\n\nnothing of the kind\n", "the expression"),
        (f"{AFTER}\n\n", "reads no event in the log"),
        (AFTER, "reads no event in the log"),
        ("(?<host>\\S*) (?<clock>{.*})\n\n" + after(EVENTS), "has no group 'event'"),
        ("(?<host>\\S* (?<clock>{.*})\n\n" + after(EVENTS), "is no regular expression"),
        (f"{TLA}\n\n" + tla([("a", {"b": 1}, "x")]), "the host 'a' has no entry in its own clock"),
        (f"{TLA}\n\n" + tla(EVENTS).replace(":", "?"), "reads no event"),
        (f"{TLA}\n\n" + tla(EVENTS).replace('\\": 1', '\\"; 1'), "line 5: the clock is no JSON"),
        (f"{TLA}\n\n{'x' * 1_000_000}\n" + tla(EVENTS), "line 3: it has 1,000,000 characters"),
        (f"{AFTER}\n=== (?<trace>.* ===\n" + after(EVENTS), "delimiter"),
        (f"=== one ===\n{after(EVENTS)}=== two ===\nnothing", "no event"),
        ("x " * 1_000_000, "line 1: this is neither JSON nor a log of clocks"),
        ("{" * 1_000_000, "line 1: this is no JSON object"),
    ],
)
def test_what_is_refused_is_told_with_its_line(text, words):
    with pytest.raises(BadInput) as why:
        read(text)
    assert str(why.value).startswith("In some.log, ")
    assert words in str(why.value)
    assert len(str(why.value)) < 600


def test_huge_lines_in_the_usual_forms_are_read():
    long = "x" * 3_000_000
    assert len(read(f"{AFTER}\n\n" + after([(host, clock, long) for host, clock, _ in EVENTS]))) == 3
    many = {f"host{number}": 1 for number in range(1000)}
    events = [(host, {host: 1}, "x") for host in many] + [("host0", many | {"host0": 2}, "all")]
    history = read(after(random.Random(1).sample(events, len(events))))
    assert max(history.lamport) == 2
    assert history.concurrent_pairs() == 1000 * 999 // 2
