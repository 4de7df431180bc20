"""The exercises of chapter 07: a position and a promise, a forgetful sink, a recovery, a sink over two tables."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from types import SimpleNamespace
from typing import Any

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, OutcomeUnknown
from ...exercises.kinds import challenge
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import called
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import Function, OneFault, Values
from ...explore import prove
from ...faults import FaultPlan
from ...handlers import at_least_once, offset_in_sink
from ...handlers.logs.database_consumer import (
    applied_once,
    for_update,
    inserted,
    set_index,
    twins,
    where_index,
    where_unchecked,
)
from ...handlers.stream.offset_in_sink import INDEX, QUEUE, counter_sink
from ...handlers.stream.two_phase import EPOCH, finish, prepare, take_over
from ...node import Numbers, Program
from ...node.program import Deployment
from ...pipeline import Job
from ...simulate import simulate

ITEMS: dict = {}  # {name: item}

FAULTS = challenge.FAULTS | {
    "One pause": {"pauses": 1},
    "Two pauses": {"pauses": 2},
    "A crash and a lost reply": {"crashes": 1, "lost_replies": 1},
}
TWINS = {
    "Two nodes at once": {"nodes": 2},
    "Two nodes at once, and a crash": {"nodes": 2, "crashes": 1},
    "Two nodes at once, and a late request": {"nodes": 2, "late_requests": 1},
}


def struck(source: Any, rule: Callable[..., Any], faults: dict[str, Any]) -> list[World]:
    """Return the worlds in which a sink of the records of `source` is proved, one for each list of faults."""
    return [World(when, lambda sink: Program(sink, source), rule, bounds) for when, bounds in faults.items()]


# 07a: where a consumer of another system keeps its position, and which promise follows:
# four sinks of a consumer, four places for its position, and the promise of each pair.

JOB = Job(items=2)
PLACES = ("before", "after", "beside", "two phases")
PROMISES = ("exactly once", "as if once", "at least once", "at most once")
STRONGER = {  # the promises that are stronger than each
    "exactly once": (),
    "as if once": ("exactly once",),
    "at least once": ("exactly once", "as if once"),
    "at most once": ("exactly once",),
}
TABLE, LEDGER, MAP, MAIL = SINKS = ("table", "ledger", "map", "mail")
IMPOSSIBLE = {
    (LEDGER, "beside"): "nothing of yours can be kept in the ledger",
    (MAP, "beside"): "a put writes one key, so a value and a position are two puts",
    (MAP, "two phases"): "the map cannot prepare anything",
    (MAIL, "beside"): "a mail server keeps no position for you",
    (MAIL, "two phases"): "an e-mail cannot be prepared, and cannot be rolled back",
}


def consumer(sink, place):
    """Return the handler that writes each hour to a sink and keeps its position at a place."""
    return functools.partial({"beside": _beside, "two phases": _in_two_phases}.get(place, _apart), sink, place)


def _apart(sink, place, node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        if place == "before":
            node.positions.save(positions)
        hour, store = items[0].hour, node.store(sink)
        store.write(f"hour {hour}", hour) if sink == MAP else store.append("rows", hour)
        if place == "after":
            node.positions.save(positions)


def _beside(sink, place, node):
    store = node.store(sink)
    version, found = store.read("position")
    positions = found or node.start
    while node.running(positions):
        items, positions = node.read(positions)
        store.transact(("cas", "position", version, positions), ("append", "rows", items[0].hour))
        version += 1


def _in_two_phases(sink, place, node):
    store, engine = node.store(sink), node.engine()
    engine.fence()
    decided = engine.decided()
    for identifier in store.prepared():
        (store.commit_prepared if identifier == decided else store.rollback_prepared)(identifier)
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        identifier = f"{engine.epoch}.{items[0].hour}"
        store.prepare(identifier, ("append", "rows", items[0].hour))
        engine.begin()
        engine.save_positions(positions)
        engine.commit(identifier)
        store.commit_prepared(identifier)


def keeps(view, sink, promise):
    """Tell whether a sink keeps a promise in the end; if not, return its contents in words."""
    if not view.done:
        return True
    hours = list(range(1, JOB.items + 1))
    if sink == MAP:  # each hour as often as it was written
        found = [hour for hour in hours for _ in range(view.version(sink, f"hour {hour}"))]
    else:
        found = view.look(sink, "rows", "log")
    kept = {
        "exactly once": found == hours,
        "as if once": (sorted(set(found)) if sink == MAP else found) == hours,
        "at least once": set(found) == set(hours),
        "at most once": len(found) == len(set(found)),
    }[promise]
    return kept or f"the sink should hold the hours 1 and 2, and holds {found or 'nothing'}"


@functools.cache
def proof(sink, place, promise):
    """Return the `Proof`, one crash anywhere, that a promise is kept."""
    rule = functools.partial(keeps, sink=sink, promise=promise)
    return prove(consumer(sink, place), job=JOB, invariant=rule, crashes=1)


@functools.cache
def promised(sink, place):
    """Return the strongest promises that a place keeps: no stronger promise is kept there."""
    kept = [promise for promise in PROMISES if proof(sink, place, promise).ok]
    return [promise for promise in kept if not set(STRONGER[promise]) & set(kept)]


@dataclass(frozen=True)
class PlaceAndPromise:
    """The form of an entry: a place and a promise."""

    def read(self, name, value):
        """Return (place, promise). Raises `BadInput` for a value of another form."""
        if not isinstance(value, (tuple, list)) or len(value) != 2 or not {*value} <= {*PLACES, *PROMISES}:
            raise BadInput(
                f"For the {name} you give {value!r}; give a place ({', '.join(PLACES)}) and a promise "
                f"({', '.join(PROMISES)})."
            )
        return tuple(value)


def judged(said):
    """Refuse an impossible place, and compare each promise with the proofs."""
    for sink, (place, promise) in said.items():
        here = f"For the {sink}, with the position {place!r}, {promise!r} is"
        if why := IMPOSSIBLE.get((sink, place)):
            return wrong(f"For the {sink}, {place!r} cannot be built: {why}.", picture=drawn(said))
        if promise not in promised(sink, place):
            found = proof(sink, place, promise).counterexample
            if found is not None:
                return wrong(f"{here} too much: {found.sentence}", found, consumer(sink, place))
            return wrong(f"{here} kept, and so is more than that.", picture=drawn(said))
        places = [place for place in PLACES if (sink, place) not in IMPOSSIBLE]
        kept = [each for place in places for each in promised(sink, place)]
        if better := [each for each in STRONGER[promise] if each in kept]:
            more = f"But another place of the position promises more: {better[0]!r}."
            return wrong(f"{here} kept. {more}", picture=drawn(said))
    return right(
        "All four places are possible, the promises are proved for one crash anywhere, and no other place promises "
        "more. The sink decides, and not the consumer: can the sink keep a position beside the effect, can it "
        "prepare, and does a repeated effect show?",
        picture=drawn(said),
    )


def drawn(said):
    """Draw an answer as a table."""
    rows = [(sink, *said.get(sink, ("?", "?"))) for sink in SINKS]
    table = pd.DataFrame(rows, columns=["sink", "position", "promise"])
    words = f"Two hours are written; one crash may strike anywhere. ({JOB.items} passes.)"
    text = f"{words}\n{table.to_string(index=False)}"
    return drawing.Picture(f"<p>{escape(words)}</p>{drawing.table_html(table)}", text=text)


ITEMS["07a"] = Values(
    fields=dict.fromkeys(SINKS, PlaceAndPromise()),
    rule=judged,
    drawn=drawn,
    blank=lambda: drawn({}),
    what="answer",
    asks="a place and a promise for each of the four",
)

# 07b: a sink that keeps its index beside the effect, and forgets one case.

ORDERS = Numbers(3, first=11)  # an order's number is not its place


def forgetful(node):
    """Append each order to a table, and move the index on in the same transaction; repeat it until it is done."""
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        done = None
        while not done:
            version, _ = shop.read("index")
            try:
                done = shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))
            except OutcomeUnknown:
                continue  # it is tried again
        index += 1


def each_order_once(view):
    """At every moment the table holds the first orders, each once, and in the end all of them."""
    orders = view.look("shop", "orders", "log")
    wanted = [ORDERS.first + place for place in range(ORDERS.count)]
    if orders == wanted if view.done else orders == wanted[: len(orders)]:
        return True
    return f"the table holds the orders {orders or 'nothing'}; it should hold {wanted}"


def under(plan: FaultPlan) -> tuple[Any, str]:
    """Return (the run of the forgetful sink under a plan, the orders that it leaves)."""
    run = simulate(Program(forgetful, ORDERS), plan)
    return run, dict(run.outcome.others).get("shop.orders", "[]")


def repaired(said: Any) -> Any:
    """Run the forgetful sink under the plan, and prove the repaired one."""
    run, orders = under(said["plan"])
    if not run.reached:
        return wrong("The fault of your plan does not strike the forgetful sink.", run, Program(forgetful, ORDERS))
    if orders == under(FaultPlan())[1]:
        told = (
            "Under your plan the forgetful sink leaves each order once. Which step can take place, and the process "
        )
        return wrong(f"{told}not know it?", run, Program(forgetful, ORDERS))
    found = Proved(
        worlds=struck(ORDERS, each_order_once, FAULTS),
        asks="your sink",
        praise=f"Under your plan the forgetful sink leaves the orders {orders}. Your sink writes each order once, "
        "whatever strikes ({worlds} lists of faults, {states} states). A version tells that something has changed. "
        "The index tells which orders are done.",
    ).check(said["sink"])
    if found.state == "wrong":
        return replace(found, sentence=f"Your plan breaks the forgetful sink. Yours, though: {found.sentence}")
    return replace(found, picture=drawing.spacetime(run)) if found.right else found


ITEMS["07b"] = Values(
    fields={"plan": OneFault(), "sink": Function("the node")},
    rule=repaired,
    drawn=lambda said: drawing.spacetime(under(said["plan"])[0]),
    blank=lambda: drawing.spacetime(under(FaultPlan())[0]),
    what="answer",
    asks="a fault plan and a sink",
)

# 07c: the recovery of a coordinator of two participants from its log, wherever the log ends.

PARTICIPANTS = ("shop", "bank")
HISTORIES = (  # until the coordinator died: the records of its log, and the acts of its participants
    "begin 1 shop, shop prepare 1, commit 1, shop commit 1, end 1",
    "begin 1 shop bank, shop prepare 1, bank prepare 1, commit 1, shop commit 1, bank commit 1, end 1",
    "begin 1 shop bank, shop prepare 1, begin 2 shop bank, bank prepare 2, bank prepare 1, commit 1, bank commit 1, "
    "bank rollback 2, begin 3 bank, bank prepare 3, commit 3, shop commit 1, end 1, bank commit 3",
)


def at(history: Any, end: Any, away: Any = None) -> Any:
    """Return (the coordinator's log, {participant: what is prepared there}) after the first steps of a history.

    The entry of a participant that is `away` is None: nothing is known of it.
    """
    log, prepared = [], {name: [] for name in PARTICIPANTS}
    for step in history.split(", ")[:end]:
        who, what, *more = step.split()
        if who not in prepared:
            log.append((who, what, more) if who == "begin" else (who, what))
        elif what == "prepare":
            prepared[who].append(*more)
        else:
            prepared[who].remove(*more)
    return log, {name: None if name == away else sorted(ids) for name, ids in prepared.items()}


def cut():
    """Return every history, cut at every place, with every participant there, and with one of them away."""
    found = []
    for away in (None, *PARTICIPANTS):
        for history in HISTORIES:
            for end in range(history.count(",") + 2):
                case = at(history, end, away)
                found += [] if case in found else [case]
    return found


def recovered(recover, log, prepared):
    """Return the actions by transaction, those that follow its end last: more about their order does not matter."""
    said = recover(log, prepared)
    if not isinstance(said, (list, tuple)):
        return said
    ended, found = [], []
    for action in said:
        who, what, name = action if isinstance(action, (list, tuple)) and len(action) == 3 else ("?", "?", "?")
        found.append((str(name), ended.count(name), str(who), str(what), action))
        ended += [name] if what == "end" else []
    return [action for *_, action in sorted(found, key=lambda one: one[:-1])]


def reminder(said, wanted, log, prepared):
    """Say the form of an answer, or what the end of a transaction means."""
    if not isinstance(said, (list, tuple)) or any(len(one) != 3 for one in said if hasattr(one, "__len__")):
        return "return a list of (participant, 'commit' or 'rollback', id) and ('write', 'end', id)"
    return "each action is due once, and the end of a transaction comes last"


ITEMS["07c"] = Compared(
    form="a function of the coordinator's log and of the prepared transactions",
    cases=cut,
    ask=recovered,
    why=reminder,
    shown=[at(HISTORIES[2], 12)],
    praise="Wherever the coordinator died, both participants end a transaction in the same way ({count} cases). A "
    "transaction without a decision in the log is rolled back: presumed abort, so only commits have to be written.",
)

# 07e: a sink over two tables of one database, proved under every kind of fault, twins included.

STOCK = 3
AMOUNTS = (2, 2, 1)
SHIPPED, REFUSED = "shipped", "refused"


@dataclass(frozen=True)
class Orders(Numbers):
    """The orders for tea: each has a number as its key and an amount as its value; three tins are in stock."""

    def load_inputs(self, stores: Any) -> None:
        """Put the orders into the log, and the tea into the stock."""
        orders = [[amount, number] for number, amount in enumerate(AMOUNTS, 1)]
        stores["engine"].fill("input.numbers", orders)
        if not stores["shop"].look("tea", "table"):
            stores["shop"].prepare("tea", "change", STOCK)


def answered_once(view):
    """At every moment: orders are answered in turn, each once, and the stock is three less the shipped tins.

    An order is shipped if the stock is enough when it is the order's turn, and refused if it is not. The table
    "orders" holds [number, answer] of each answered order; when all nodes have ended, every order is answered.
    """
    orders, stock = view.look("shop", "orders", "log"), view.look("shop", "tea", "table")
    wanted, left = [], STOCK
    for number, amount in enumerate(AMOUNTS[: len(orders)], 1):
        wanted.append([number, SHIPPED if amount <= left else REFUSED])
        left -= amount if amount <= left else 0
    if orders != wanted:
        return f"the table of orders holds {orders}; it should hold {wanted}"
    if stock != left:
        return f"there are {stock} in stock, and the shipped orders leave {left}"
    return not view.done or len(orders) == len(AMOUNTS) or f"of {len(AMOUNTS)} orders {len(orders)} were answered"


ITEMS["07e"] = Proved(
    asks="your sink",
    form="a function of the node",
    worlds=struck(Orders(len(AMOUNTS), (1, 2, 3)), answered_once, FAULTS | TWINS),
    pictured=True,
    praise="Each order is answered once, and the stock fits at every moment ({worlds} lists of faults, {states} "
    "states, two nodes at once among them). One version, which every transaction moves on, guards all that was read, "
    "the stock as well.",
)


ONE_HOUR = Job(items=1, duration=1, threshold=1)  # it is above the threshold
TWO_HOURS = Job(items=2, duration=2, threshold=2)  # the second is
TWO_MESSAGES = Job(items=2, duration=1, threshold=1)  # both are


def in_two_phases(take_over: Callable[..., Any] = take_over, finish: Callable[..., Any] = finish) -> Deployment:
    """Return the chapter's handler with two-phase commit, of these parts."""

    def handler(node):
        engine = node.engine()
        epoch = take_over(node, engine)
        finish(node, engine)
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            engine.begin()
            engine.push(window.average())
            engine.save_state(window)
            engine.save_positions(next_positions)
            prepared = None
            if len(window) > node.threshold:
                prepared = f"{engine.epoch}.{items[0].hour}"
                prepare(node, prepared, epoch)
            engine.commit(prepared)
            if prepared:
                node.database.commit_prepared(prepared)
            positions = next_positions
        finish(node, engine)

    return Deployment(handler, None, at_least_once, None, own=(("database", EPOCH),))


def with_sink(sink: Callable[..., Any]) -> Deployment:
    """Return the library's handler that sends messages, with this reader of them."""
    return Deployment(offset_in_sink, sink, at_least_once, None, queue=QUEUE, own=(("database", INDEX),))


# 07-fence: a new process shuts earlier processes out of the database, too.


def taken_over(answer: Any) -> Callable[..., Any]:
    """Return a handler that takes over, and pushes what it is told and the cell's version."""

    def handler(node):
        told = answer(node, node.engine())
        node.output.push([told, node.database.read(EPOCH)[0]])

    return handler


def other_version(answer: Any, run: Any) -> Any:
    """Return the `Reply` to a fence that returns another version than the cell's."""
    told, version = run.pushes[0].value
    if told == version:
        return None
    return wrong(
        f"Nothing goes wrong, and it returns {told!r}; after your write the cell has version {version}.",
        run,
        taken_over(answer),
    )


def fenced(answer: Any) -> Deployment:
    """Return the chapter's handler with a learner's fence."""
    return in_two_phases(take_over=answer)


ASLEEP = "A process falls asleep, and wakes up beside its successor"

ITEMS["07-fence"] = Proved(
    refuses=(take_over,),
    alone=taken_over,
    idle=lambda run: not run.error and run.pushes[0].value == [None, 0],
    objects=other_version,
    worlds=[
        World("A process dies", fenced, None, {"crashes": 1}, TWO_HOURS),
        World(ASLEEP, fenced, None, {"pauses": 1}, ONE_HOUR),
    ],
    praise="An earlier process prepares nothing any more, and shuts no later process out: explored with a crash, and "
    "with a pause.",
)

# 07-finish: a new process ends the transactions that an earlier process left in doubt.


def left_in_doubt(answer):
    """Return a handler that finds two transactions in doubt: a decided one, and one that nobody decided."""

    def handler(node):
        engine = node.engine()
        engine.fence()
        node.database.prepare("0.1", ("write", "a", 1))
        node.database.prepare("1.1", ("write", "b", 1))
        engine.begin()
        engine.save_positions(node.positions.load())
        engine.commit("1.1")
        answer(node, engine)
        node.output.push(node.database.prepared())

    return handler


def finished(answer):
    """Return the chapter's handler with a learner's recovery."""
    return in_two_phases(finish=answer)


ITEMS["07-finish"] = Proved(
    refuses=(finish,),
    alone=left_in_doubt,
    idle=lambda run: not run.error and len(run.pushes[0].value) == 2,
    worlds=[
        World("A process dies once", finished, None, {"crashes": 1}, TWO_HOURS),
        World("Processes die twice", finished, None, {"crashes": 2}, ONE_HOUR),
        World(
            "A process falls asleep within `finish`, and a later process prepares (with the fence that comes next)",
            finished,
            None,
            {"pauses": 1},
            ONE_HOUR,
        ),
    ],
    praise="The decided transaction is committed, an undecided one of an earlier process is rolled back, and one of "
    "a later process is left alone: explored with two crashes, and with a pause.",
)

# 07-sink: apply a message with the index of the next one, in one transaction of the database.


def one_message(answer: Any) -> Callable[..., Any]:
    """Return a handler in which the learner's loop is gone through once."""

    def handler(node):
        again = iter([True, False])
        message = SimpleNamespace(value=1)
        answer(
            SimpleNamespace(
                database=node.database,
                running=lambda *positions: next(again, False),
                read=lambda positions: ([message], {QUEUE: positions[QUEUE] + 1}),
            )
        )

    return handler


def comes_to_an_end(answer: Any, run: Any) -> None:
    """Raise for lines that never end: they are told so, and not searched for long."""
    called(simulate, with_sink(answer), FaultPlan(), TWO_MESSAGES)


ITEMS["07-sink"] = Proved(
    refuses=(counter_sink,),
    alone=one_message,
    idle=lambda run: not run.error and not run.writes,
    objects=comes_to_an_end,
    worlds=[
        World("Nothing goes wrong", with_sink, None, {}, TWO_MESSAGES),
        World("A process dies", with_sink, None, {"crashes": 1}, TWO_MESSAGES),
        World("A request arrives twice", with_sink, None, {"duplicates": 1}, TWO_MESSAGES),
        World("A request arrives late", with_sink, None, {"late_requests": 1}, TWO_MESSAGES),
        World(ASLEEP, with_sink, None, {"pauses": 1}, TWO_MESSAGES),
    ],
    praise="Each message counts once: explored with a crash, a duplicate, a late request and a pause, one at a time.",
)

# 07-where: the index in the WHERE clause, at the default level of PostgreSQL and at that of MySQL.

NOT_ENDED = "commit it or roll it back before the next one begins"


def at_level(level: str, messages: int, nodes: int = 2) -> Callable[..., Any]:
    """Return a function that returns the programs of nodes that apply messages at an isolation level."""
    return lambda answer: twins(answer, level, messages, nodes)


ITEMS["07-where"] = Proved(
    refuses=(set_index, where_unchecked, for_update, inserted, where_index),
    alone=at_level("read committed", 2, 1),
    idle=lambda run: NOT_ENDED in (run.error or ""),
    worlds=[
        World("On a node of its own", at_level("read committed", 2, 1), applied_once),
        *(
            World(
                f"At the level {level!r}, with two nodes at once",
                at_level(level, messages),
                applied_once,
                {"crashes": dead},
            )
            for messages, dead in ((1, 0), (2, 1))  # the shorter schedules first
            for level in ("read committed", "repeatable read")
        ),
    ],
    praise="Each message is applied once at both levels, whatever the schedule: two nodes, two messages, one crash. "
    "The second transaction finds that no row matches any more, and leaves nothing behind.",
)
