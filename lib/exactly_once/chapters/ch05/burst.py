"""A producer that sends a burst, with all its records on their way at once, as a model to search (for 05b)."""

import inspect
from typing import Any, NamedTuple

from ... import show as drawing
from ...clocks import Event, History
from ...exercises.kinds.explored import schedule_drawn
from ...explore.plain import Action, Broken, Model, asked, carried_out, copied, frozen, step

RECORDS = 4
VALUES = ("tea", "milk", "sugar", "milk")
EXAMPLE = "Number 0 is late and its first answer is lost; 0, 1 and 2 are sent once more"
ARRIVALS = ((1, False), (0, True), (2, False), (0, False), (1, False), (2, False), (3, False))


class Remembers:
    def __init__(self):
        self.log = []
        self.seen = set()

    def receive(self, number, value):
        if number not in self.seen:
            self.seen.add(number)
            self.log.append(value)
        return True


class Received(NamedTuple):
    """A broker, the numbers that have arrived, and the numbers whose acknowledgement the producer has."""

    broker: Any
    arrived: frozenset = frozenset()
    acknowledged: frozenset = frozenset()


class Burst(Model):
    """A broker, and a producer that sends all its records at once and retries each unacknowledged record."""

    def __init__(self, make, records=RECORDS):
        self.make, self.records = make, records

    def start(self):
        """Return the state with a new broker."""
        return Received(asked("Broker()", self.make))

    def actions(self, state):
        """Yield the possible next actions: any request arrives, first or again; its reply may be lost."""
        for number in range(self.records):
            again = " once more" if number in state.arrived else ""
            yield arrives(number, again=again)
            if number not in state.acknowledged:
                yield arrives(number, lost=True, again=again)

    def received(self, state, number, lost=False):
        """Let a request arrive at the broker; its reply may be lost."""
        broker, call = copied(state.broker), f"receive({number}, {VALUES[number]!r})"
        after = state._replace(broker=broker, arrived=state.arrived | {number})
        with step("", after):
            said = asked(call, broker.receive, number, VALUES[number])
            if said is not True and said is not False:
                raise Broken(f"{call} returns {said!r}; return True or False.")
        if said and not lost:
            after = after._replace(acknowledged=state.acknowledged | {number})
        return after, f"{'acknowledged' if said else 'refused'}{', but the answer is lost' * lost}"

    def judge(self, state):
        """Raise `Broken` unless the log holds the first records, each once, in order, and all acknowledged ones."""
        log = getattr(state.broker, "log", None)
        if not isinstance(log, list):
            raise Broken(f"self.log is {log!r}; it is a list of the values that are written.")
        sent = list(VALUES[: self.records])
        for place, value in enumerate(log):
            if value not in sent:
                raise Broken(f"{value!r} is in the log, which the producer has not sent.")
            if log.count(value) > sent.count(value):
                raise Broken(f"{value!r} is in the log twice: {log!r}.")
            if value != (first := sent[place]):
                where = f"before {first!r}, which was sent first: {log!r}"
                without = f"without {first!r}, which can only come behind it, or never"
                raise Broken(f"{value!r} is in the log {where if first in log[place:] else without}.")
        if lacking := [number for number in sorted(state.acknowledged) if number >= len(log)]:
            raise Broken(f"Number {lacking[0]} is acknowledged, and its record is not in the log.")

    def settle(self, state):
        """Let no message be lost any more: the producer sends the records without an acknowledgement, in order."""
        for number in range(self.records):
            if number in state.acknowledged:
                continue
            words = f"The faults are over, and number {number} is sent once more"
            with step(words, state):
                state, answer = self.received(state, number)
                self.judge(state)
            if answer == "refused":
                with step(f"{words}: refused", state):
                    where = "in the log" if number < len(state.broker.log) else "the next one"
                    raise Broken(f"Number {number} is refused although it is {where}; the producer never finishes.")

    def key(self, state):
        """Return bytes that are equal for equal states only."""
        return frozen(state.broker, sorted(state.arrived), sorted(state.acknowledged))

    def shown(self, state):
        """Return the contents of the broker's log."""
        held = getattr(state.broker, "log", None)
        return tuple(map(repr, held)) if isinstance(held, (list, tuple)) else (repr(held),)


def arrives(number, lost=False, again=""):
    """Return the arrival of a request, as an action."""
    return Action(f"Number {number} ({VALUES[number]}) arrives{again}", "received", (number, lost))


def example(model):
    """Return the arrivals of the example."""
    return [arrives(*each) for each in ARRIVALS]


def burst_drawn(found, title):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    log = f"The log: {' · '.join(each.strip(chr(39)) for each in found.shown or ()) or 'nothing'}"
    lines = [f"{line}." for line in found.lines]
    return schedule_drawn(title, lines, None, log, paths(found).html if found.steps else "")


def paths(found):
    """Return the picture of the requests on their way: all are sent at once, and arrive as they do."""
    arrivals = [action.arguments[0] for action in found.schedule]
    sent = sorted({*arrivals, *range(max(arrivals))})
    events = [Event("producer", "send", str(number)) for number in sent]
    for place, number in enumerate(arrivals):
        events.append(Event("broker", "receive", str(number), redelivery=number in arrivals[:place]))
    arrows = [(sent.index(number), len(sent) + place) for place, number in enumerate(arrivals)]
    marked = {len(events) - 1: "here"} if found.sentence else {}
    return drawing.history(History(events, arrows), [*sent, *arrivals], marked=marked)


def remembers_drawn():
    """Draw the broker that remembers, and its counterexample."""
    picture = burst_drawn(carried_out(Burst(Remembers), example(None), judged=False), EXAMPLE)
    code = drawing.code_html(Remembers, remark=False)
    return drawing.Picture(f"{code}{picture.html}", text=f"{inspect.getsource(Remembers)}\n{picture}")
