"""Exercise 05b: a broker that remembers which numbers it has seen, doubles nothing, and reorders."""

import inspect
from html import escape
from typing import Any, NamedTuple

from ... import show as drawing
from ...clocks import Event, History
from ...explore.plain import Action, Broken, Model, asked, carried_out, copied, frozen, step
from ..kinds.explored import Explored

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


class State(NamedTuple):
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
        return State(asked("Broker()", self.make))

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
        if doubled := next(
            (value for value in log if log.count(value) > VALUES[: self.records].count(value) > 0), None
        ):
            raise Broken(f"{doubled!r} is in the log twice: {log!r}.")
        if strange := [value for value in log if value not in VALUES[: self.records]]:
            raise Broken(f"{strange[0]!r} is in the log, which the producer has not sent.")
        if log != list(VALUES[: len(log)]):
            place = next(place for place, value in enumerate(log) if value != VALUES[place])
            early, missing = log[place], VALUES[place]
            if missing in log[place:]:
                raise Broken(f"{early!r} is in the log before {missing!r}, which was sent first: {log!r}.")
            raise Broken(f"{early!r} is in the log without {missing!r}, which can only come behind it, or never.")
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


def drawn(found, title):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    lines = "".join(f"<li>{escape(line)}.</li>" for line in found.lines)
    diagram = paths(found).html if found.steps else ""
    log = f"The log: {' · '.join(each.strip(chr(39)) for each in found.shown or ()) or 'nothing'}"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{diagram}<ol>{lines}</ol><p><b>{escape(log)}</b></p>',
        text="\n".join([*found.lines, log]),
    )


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


def sketched():
    """Draw the broker that remembers, and its counterexample."""
    picture = drawn(carried_out(Burst(Remembers), example(None), judged=False), EXAMPLE)
    code = drawing.code_html(Remembers, remark=False)
    return drawing.Picture(f"{code}{picture.html}", text=f"{inspect.getsource(Remembers)}\n{picture}")


TASK = Explored(
    answer="Broker",
    model=Burst,
    methods=("receive",),
    form="a class, Broker, with receive",
    worlds=({"records": 1}, {"records": 2}, {"records": RECORDS}),
    states=4_000,
    seconds=20.0,  # a guard; it takes less than one
    first=example,
    calm={},
    judged=False,
    draw=drawn,
    shown=EXAMPLE,
    sketch=sketched,
    keep="Keep less in self: no counts of arrivals.",
    praise=f"Nothing is doubled, nothing out of order, and the producer finishes: {RECORDS} records, in every "
    "order of arrivals, each as often as you like, any answer lost ({states} states). One number says as much as the "
    "set, and it also shows that a record is missing.",
    praised=True,
)
