"""The trace of several requests that are on their way at once."""

from fractions import Fraction

from exactly_once.handlers.logs.idempotent import readings
from exactly_once.node import Numbers, Program
from exactly_once.simulate import simulate
from exactly_once.trace import Event


def sends(node):
    node.log.send("readings", [("key", "text"), Fraction(1, 2)])
    node.log.send("readings", [3], "all", 7, 0, 0)


def test_each_sending_says_which_records_it_carries_and_under_which_number():
    trace = simulate(Program(sends, Numbers(1), readings(), "producer")).trace
    sent = [Event.parse(event.json()).detail for event in trace if event.verb == "send" and event.kind == "send"]
    assert sent == [
        {"part": "log.readings", "values": ["text", "0.5"], "acks": "all"},
        {"part": "log.readings", "values": ["3"], "acks": "all", "producer": 7, "producer_epoch": 0, "sequence": 0},
    ]
