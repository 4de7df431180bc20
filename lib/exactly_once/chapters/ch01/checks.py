"""The exercises of chapter 01: stamps by hand, a clock that survives, a total order, and what an order is for."""

import string
from collections.abc import Iterable, Mapping
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd

from ... import show as drawing
from ...clocks import Event, History, LamportClock, random_history
from ...errors import BadInput, is_whole, whole
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.explored import Explored
from ...exercises.kinds.kind import nothing_yet, specification
from ...exercises.kinds.mistakes import answer_with
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import has_dots, right, wrong
from ...exercises.kinds.values import Values
from ...exercises.model_checker import Action, Broken, Model, asked, copied, frozen
from ...handlers.mutual_exclusion import ENTERS, LEAVES, REQUEST, in_order_of_requests, one_at_a_time
from ...pipeline import Job
from ...stores.codec import decode
from ..items import item

ITEMS: dict = {}  # {name: item}

JOB = Job(items=1)  # of a node that reads no input


def says_nothing(run):
    """Tell whether all answers in the output of a run, [what, answer], are None."""
    return not run.error and all(decode(text)[1] is None for text in run.outcome.outputs)


# 01a: the Lamport stamps of a run, by hand.

BY_HAND = History(
    Event(*words.split())  # type: ignore[arg-type]  # a process, what it does, and a message
    for words in (
        "p1 local, p2 local, p3 local, p3 local, p2 send m1, p1 send m2, p3 local, p1 receive m1, p3 receive m2, "
        "p1 send m3, p3 send m4, p2 receive m4, p3 receive m3, p2 local"
    ).split(", ")
)


class Stamps(Values):
    """An exercise whose answer is the stamps of `BY_HAND`: a list for each process, or a number for each event."""

    def read(self, answer):
        """Return the stamps by place, or None with dots left. Raises `BadInput` for an answer of another form."""
        if has_dots(answer) or (isinstance(answer, Mapping) and any(map(has_dots, answer.values()))):
            return None
        if not isinstance(answer, Mapping):
            raise BadInput(f"Your stamps are {answer!r}; give a dictionary with a list of stamps for each process.")
        given = {}
        for key, value in answer.items():
            names = [BY_HAND.name(place) for place in BY_HAND.rows.get(key, ())] or [key]
            values = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
            if len(values) != len(names):
                raise BadInput(f"For {key} you give {len(values)} stamps; it has {len(names)} events.")
            given |= dict(zip(names, values, strict=True))
        names = [BY_HAND.name(place) for place in range(len(BY_HAND))]
        if given.keys() != set(names):
            raise BadInput(f"Give a list of stamps for each of {', '.join(BY_HAND.processes)}.")
        return [whole(f"The stamp of {name}", given[name]) for name in names]


def stamped_right(said):
    """Judge the stamps: the first wrong one in the order of causes is explained."""
    odd = next((place for place in BY_HAND.causal_order if said[place] != BY_HAND.lamport[place]), None)
    if odd is None:
        return right("Every stamp is 1 more than the largest among its causes.", picture=drawing.history(BY_HAND))
    words = "One stamp does not follow from those before it"
    for sentence, change in item("01a").mistakes.items():
        if said == item("01a").read(answer_with("01a", change)):
            words = sentence
    picture = drawing.history(BY_HAND, stamps=said, marked={odd: f"{said[odd]}, not {BY_HAND.lamport[odd]}"})
    return wrong(f"{words}: {BY_HAND.why(odd)}", picture=picture)


def with_stamps(said):
    """Draw the run with stamps as they were given; the table does not give the right ones away."""
    picture = drawing.history(BY_HAND, stamps=said)
    table = picture.table.drop(columns=["stamp", "vector"], errors="ignore")
    return drawing.Picture(picture.html, table, unfold="The events as a table")


ITEMS["01a"] = Stamps(
    asks="the stamps",
    fields={},
    rule=stamped_right,
    drawn=with_stamps,
    blank=lambda: with_stamps(["?"] * len(BY_HAND)),
)

# 01b: a Lamport clock that survives the crash of its process.

CARRIED = 1000
EVENTS = (None, CARRIED, None)  # of each incarnation: a send, a receipt of a message that is far ahead, a send


class Disk:
    """A disk that survives the process, with one value. `load()` gives 0 before the first `save(value)`."""

    def __init__(self, node):
        self._store = node.store("disk")

    def load(self):
        """Return the last saved value; a step."""
        version, value = self._store.read("clock")
        return value if version else 0

    def save(self, value):
        """Save a value over the one before; a step."""
        self._store.write("clock", value)


def process_with(clock_of):
    """Return the process as a handler: each incarnation makes a clock from its disk, and notes each stamp."""

    def process(node):
        clock = clock_of(Disk(node))
        for carried in EVENTS:
            if carried is None:
                node.output.push(["send", clock.tick()])
            else:
                node.output.push([f"receive {carried}", clock.receive(carried)])

    return process


def never_back(view):
    """The rule: stamps are whole numbers, each larger than all before it, and a receipt's larger than its send's."""
    for what, stamp in view.outputs:
        if not is_whole(stamp):
            return f"the stamp of a {what.split()[0]} is {repr(stamp)[:60]}, which is no whole number"
        if what.startswith("receive") and stamp <= CARRIED:
            return f"a message stamped {CARRIED} is received with {stamp}"
    for (_, one), (what, other) in pairwise(view.outputs):
        if other == one:
            return f"the stamp {one} is given twice"
        if other < one:
            return f"the stamps go back: after {one}, a {what.split()[0]} gets {other}"
    return True


def price(answer):
    """Praise a clock, with the number of its saves."""
    trace = DURABLE.calm(answer)[1].trace
    saves = sum(event.kind == "send" and event.verb == "write" for event in trace)
    way = ": it skips some numbers after a crash." if saves < len(EVENTS) else ". Could it do with fewer?"
    return (
        "No stamp is given twice and none goes back, wherever the process dies, up to two times ({states} states). "
        f"An incarnation with {len(EVENTS)} events saved {saves} time{'s' * (saves != 1)}{way}"
    )


DURABLE = ITEMS["01b"] = Proved(
    asks="your clock",
    form="a class that is made with a disk",
    worlds=[
        World(when, process_with, never_back, {"crashes": crashes}, JOB)
        for crashes, when in enumerate(("Even when nothing goes wrong", "One crash", "Two crashes"))
    ],
    idle=says_nothing,
    blank=lambda: nothing_yet("no clock"),
    praise=price,
)

# 01d: the total order of a run, from the scattered logs of its processes.


def scattered() -> list[tuple[dict[Any, Any], ...]]:
    """Return logs to try, the smallest first, each with its processes in two orders: {process: [(kind, message)]}."""
    runs = [random_history(1 + seed % 4, 1 + seed // 4, seed, messages=0.9) for seed in range(48)]
    logs = [
        {name: [(run[place].kind, run[place].message) for place in row] for name, row in run.rows.items()}
        for run in runs
    ]
    return [(each,) for one in logs for each in (one, dict(reversed(one.items())))]


def drawn_logs(said: Any, logs: dict[Any, Any]) -> Any:
    """Draw the events of some logs, with the order that is said to be theirs."""
    run = History.merge([[Event(process, *event) for event in log] for process, log in logs.items()])
    picture = drawing.history(run, stamps=["?"] * len(run))
    words = f"The logs: {logs}. {'No order yet.' if said is None else f'The order: {said}'}"
    return drawing.Picture(f"{picture.html}<p>{escape(words)}</p>", text=words)


ITEMS["01d"] = Compared(
    form="a function of the logs",
    cases=scattered,
    drawn=drawn_logs,
    shown=[
        ({"b": [("receive", "m1"), ("send", "m2")], "a": [("local", None), ("send", "m1"), ("receive", "m2")]},),
    ],
    praise="The same order as every process would find, from {count} sets of logs, whichever log came first.",
)

# 01f: mutual exclusion without a queue and without releases, after Ricart and Agrawala (CACM 24(1), 1981).

ANSWER = "answer"
MOMENTS = {  # at node 2: what happens, and the calls that tell it; each is a story of its own
    "it wants nothing; (1, 1) arrives": [("asked", (1, 1))],
    "its own request is (1, 2); (1, 1) arrives": [("wants", (1, 2)), ("asked", (1, 1))],
    "its own request is (1, 2); (3, 3) arrives": [("wants", (1, 2)), ("asked", (3, 3))],
    "the same, and now it has entered and left": [("wants", (1, 2)), ("asked", (3, 3)), ("leaves",)],
}


def peers_with(peer_of, rounds, heard_first):
    """Return the program of each node, which enters `rounds[number - 1]` times, and then serves the others.

    Before it wants anything, it has received `heard_first[number - 1]` requests. It sends a stamped request to all
    others, and enters when each has answered. Whom to answer, and when, it leaves to `peer_of(number)`.
    """

    def program(node):
        number = node.number
        others = [other for other in range(1, node.nodes + 1) if other != number]
        clock, peer, missing, owed = LamportClock(), peer_of(number), 0, []
        to_come = sum(rounds) - rounds[number - 1]

        def answer(nodes, method):
            for other in nodes_in(nodes, method):
                if other not in owed:
                    told = f"{method} returned {repr(other)[:60]}, which waits for no answer of this node"
                    raise ValueError(told)
                owed.remove(other)
                node.send(other, [ANSWER, clock.send()])

        def hear():
            nonlocal to_come, missing
            sender, (kind, stamp) = node.receive()
            clock.receive(stamp)
            if kind == ANSWER:
                missing -= 1
            else:
                to_come -= 1
                owed.append(sender)
                answer(peer.asked((stamp, sender)), "asked")

        for _ in range(heard_first[number - 1]):
            hear()
        for _ in range(rounds[number - 1]):
            stamp, missing = clock.send(), len(others)
            peer.wants((stamp, number))
            for other in others:
                node.send(other, [REQUEST, stamp])
            while missing:
                hear()
            node.output.push([ENTERS, number, stamp])
            node.output.push([LEAVES, number, stamp])
            answer(peer.leaves(), "leaves")
        while to_come:
            hear()

    return program


def nodes_in(said, method):
    """Return the nodes to answer, in order. Raises `TypeError` for what is no list."""
    if not isinstance(said, (list, tuple, set)):
        raise TypeError(f"{method} returned {repr(said)[:60]}; it returns a list of the nodes to answer now")
    if odd := [one for one in said if not is_whole(one)]:
        raise TypeError(f"{method} returned {repr(odd)[:60]}; it returns a list of the numbers of nodes")
    return sorted(said)


def moments_of(peer_of):
    """Return a handler that pushes a peer's answer at each of `MOMENTS`."""

    def handler(node):
        for when, calls in MOMENTS.items():
            peer = peer_of(2)
            said = [getattr(peer, method)(*arguments) for method, *arguments in calls][-1]
            node.output.push([when, None if said is None else nodes_in(said, calls[-1][0])])

    return handler


def answered(run):
    """Draw whom node 2 answers in the moments of a run; without a run, the moments."""
    rows = [decode(text) for text in run.outcome.outputs] if run else [(when, None) for when in MOMENTS]
    told = [
        (when, "not said yet" if said is None else ", ".join(f"node {node}" for node in said) or "nobody")
        for when, said in rows
    ]
    return drawing.table_picture(pd.DataFrame(told, columns=["at node 2", "it answers now"]))


def peers(rounds, heard_first, rule=in_order_of_requests):
    """Return the world in which each node wants to enter so often, and hears so many requests before that."""
    return World(
        f"With {len(rounds)} nodes",
        lambda answer: [peers_with(answer, rounds, heard_first)] * len(rounds),
        rule,
        {"seconds": 60.0},
        JOB,
    )


ITEMS["01f"] = Proved(
    asks="your class",
    form="a class with wants, asked and leaves",
    worlds=[
        peers((1, 1), (0, 0), one_at_a_time),
        peers((1, 1), (0, 0)),
        peers((1, 1), (0, 1)),
        peers((2, 2), (0, 0)),
        peers((2, 1), (0, 1)),
        peers((1, 1, 1), (0, 0, 0)),
        peers((1, 1, 1), (0, 0, 1)),
        peers((2, 1, 1), (0, 0, 0)),
    ],
    alone=moments_of,
    idle=says_nothing,
    drawn=answered,
    blank=lambda: answered(None),
    praise="Never two inside at once, and all get in, in the order of their requests, with two messages to each "
    "other node for each entry: {states} states explored, of two nodes and of three.",
)

# 01g: causal broadcast over a network that reorders and duplicates (Birman, Schiper and Stephenson, 1991).
# The group of members is a model to explore.

TEXTS = string.ascii_lowercase


class State(NamedTuple):
    """The members, their deliveries, and the copies on their way, each as (number of the message, member).

    `quotas` count the broadcasts left to each member, `duplicates` the second copies that may still arrive.
    """

    members: dict
    quotas: dict
    duplicates: int
    delivered: dict
    messages: tuple
    known_to_sender: dict
    on_its_way: tuple = ()


def causal(group):
    """Nothing is delivered twice, and nothing before what its sender had delivered or sent before it.

    As soon as no copy is on its way any more, everybody has delivered everything.
    """
    for member, delivered in group.delivered.items():
        for place, text in enumerate(delivered):
            earlier = delivered[:place]
            if text in earlier:
                return f"{member} delivers {text} twice"
            if missing := [cause for cause in group.known_to_sender[text] if cause not in earlier]:
                return f"{member} delivers {text} before {missing[0]}, which its sender knew when it sent {text}"
        if not group.on_its_way and (lost := [text for text in group.known_to_sender if text not in delivered]):
            return f"no copy is on its way any more, and {member} has not delivered {lost[0]}"
    return True


class Group(Model):
    """Members of a class, made by `kind(name, names)`, of which each may broadcast so often.

    The answer of each step is the texts that a member delivers.
    """

    def __init__(self, kind: type, quotas: tuple[int, ...], duplicates: int = 0) -> None:
        self.kind, self.duplicates = kind, duplicates
        self.quotas = {f"p{number}": quota for number, quota in enumerate(quotas, start=1)}

    def start(self) -> State:
        """Return the group before anything is sent."""
        names = list(self.quotas)
        members = {name: asked("your code", self.kind, name, list(names)) for name in names}
        return State(members, self.quotas, self.duplicates, dict.fromkeys(names, ()), (), {})

    def actions(self, state):
        """Yield the possible next actions: a broadcast, or a copy arrives, and perhaps once more."""
        for name, quota in state.quotas.items():
            if quota:
                yield sends(name)
        for number, name in dict.fromkeys(state.on_its_way):
            yield arrives(name, number)
            if state.duplicates:
                yield arrives(name, number, again=True)

    def sent(self, state: State, name: str) -> tuple[State, tuple[str, ...]]:
        """Let a member broadcast the next text."""
        member, text, number = copied(state.members[name]), TEXTS[len(state.messages)], len(state.messages)
        message = copied(asked("your code", member.broadcast, text))
        after = state._replace(
            quotas={**state.quotas, name: state.quotas[name] - 1},
            known_to_sender={**state.known_to_sender, text: state.delivered[name]},
            messages=(*state.messages, message),
            on_its_way=(*state.on_its_way, *[(number, other) for other in state.members if other != name]),
        )
        return _delivered(after, name, member, (text,))

    def arrived(self, state: State, name: str, number: int, again: bool) -> tuple[Any, ...]:
        """Let a copy of a message arrive at a member; `again` leaves another copy on its way."""
        member, place = copied(state.members[name]), state.on_its_way.index((number, name))
        texts = asked("your code", _received, state, member, copied(state.messages[number]))
        after = state._replace(duplicates=state.duplicates - again)
        if not again:
            after = after._replace(on_its_way=state.on_its_way[:place] + state.on_its_way[place + 1 :])
        return _delivered(after, name, member, texts)

    def judge(self, state: State) -> None:
        """Raise `Broken` unless the group is `causal`."""
        if (said := causal(state)) is not True:
            raise Broken(f"{said}.")

    def key(self, state: State) -> bytes:
        """Return bytes that are equal for equal groups only."""
        kept = [vars(member) for member in state.members.values()]
        return frozen(kept, state.quotas, state.duplicates, state.delivered, state.messages, sorted(state.on_its_way))

    def shown(self, state: State) -> list[Any]:
        """Return the copies that are on their way: (text, member)."""
        return [(TEXTS[number], name) for number, name in state.on_its_way]


def sends(name: str) -> Action:
    """Return a member's broadcast, as an action."""
    return Action(f"{name} broadcasts", "sent", (name,))


def arrives(name: str, number: int, again: bool = False) -> Action:
    """Return the arrival of a copy of a message, as an action."""
    copy = " (and another copy stays on its way)" if again else ""
    return Action(f"{TEXTS[number]} arrives at {name}{copy}", "arrived", (name, number, again))


def _delivered(state: State, name: str, member: Any, texts: tuple[Any, ...]) -> tuple[Any, ...]:
    delivered = {**state.delivered, name: state.delivered[name] + texts}
    return state._replace(members={**state.members, name: member}, delivered=delivered), texts


def _received(state: State, member: Any, message: list[Any]) -> tuple[Any, ...]:
    said = member.receive(message)
    if isinstance(said, (str, bytes)) or not isinstance(said, (list, tuple)):
        raise TypeError(f"receive returned {repr(said)[:60]}; it returns a list of the texts to deliver now")
    for text in said:
        if not isinstance(text, str) or text not in state.known_to_sender:
            raise ValueError(f"receive returned {repr(text)[:60]}, which nobody has broadcast")
    return tuple(said)


EXAMPLE = (  # p2 answers a with b, and at p3 the answer overtakes the question
    sends("p1"), arrives("p2", 0), sends("p2"), arrives("p3", 1), arrives("p3", 0), arrives("p1", 1),
)  # fmt: skip


def told(quotas: tuple[int, ...], duplicates: int = 0) -> str:
    """Return in words how often the members broadcast, and how many copies are too many."""
    copies = ("", ", one copy too many", ", two copies too many")[duplicates]
    total = sum(quotas)
    return f"With {len(quotas)} members, {total} broadcast{'s' if total > 1 else ''}{copies}: "


def drawn(found: Any, title: str) -> Any:
    """Return the picture of a run: what was delivered where, as a diagram and line by line."""
    events, stamps, sent, seen, lines = [], [], 0, set(), []
    for (words, what, (member, *more)), delivered in found.steps:
        if what == "sent":
            text, sent = TEXTS[sent], sent + 1
            events.append(Event(member, "send", text))
            lines.append(f"{words} {text}, and delivers it to itself.")
        else:
            text = TEXTS[more[0]]
            events.append(Event(member, "receive", text, redelivery=(member, text) in seen))
            seen.add((member, text))
            lines.append(f"{words}, which delivers {', then '.join(delivered) or 'nothing'}.")
        stamps.append("".join(delivered) or "–")
    marked = {len(events) - 1: "here"} if found.sentence and events else {}
    picture = drawing.history(History(events), stamps, marked=marked)
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    left = ", ".join(f"{text} to {member}" for text, member in found.shown or ())
    still = f"Still on its way: {left}." if left else "No copy is on its way any more."
    words = f"Each dot bears the texts that are delivered there; – stands for none. {still}"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{picture.html}<p class="eo-dim">{words}</p><ol>{html}</ol>',
        text="\n".join([*lines, still, found.sentence.removesuffix(".")]).strip(),
    )


ITEMS["01g"] = Explored(
    model=Group,
    methods=("broadcast", "receive"),
    form="a class, Member, with broadcast and receive",
    objects="members",
    worlds=(  # the smallest that shows a mistake stands first
        {"quotas": (1, 0)},
        {"quotas": (1, 0), "duplicates": 1},
        {"quotas": (2, 0)},
        {"quotas": (2, 1), "duplicates": 2},
        {"quotas": (1, 1, 0)},
        {"quotas": (2, 1, 0)},
        {"quotas": (1, 1, 1), "duplicates": 1},
        {"quotas": (3, 0), "duplicates": 1},
    ),
    seconds=60.0,
    states=20_000,
    keep="Keep in self no more than a member has to know.",
    first=lambda model: EXAMPLE,
    calm={"quotas": (1, 1, 0)},
    judged=False,
    draw=drawn,
    shown="An answer that overtakes its question",
    sketch=lambda: specification(causal),
    said=told,
    praise="Everybody delivers everything, once, and nothing before what it depends on: in every order in which "
    "copies can arrive, in groups of two and of three, with up to three broadcasts and two copies too many ({states} "
    "states).",
)
