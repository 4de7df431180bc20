"""Handlers that use stores of any name, the log, and requests that are late, for the conformance suite of worlds."""

from exactly_once import OutcomeUnknown
from exactly_once.log import LogError
from tests.node.conformance_handlers import insisting

FIVE = 5


def store_contract(node):
    """Push what the operations of a store answer."""
    store, other = node.store("mine"), node.store("other")
    told = [
        store.write("c", "a"),
        list(store.read("c")),
        store.cas("c", 1, "b"),
        store.cas("c", 1, "c"),
        list(store.read("c")),
    ]
    told += [store.append("l", 1), store.append("l", [2]), store.scan("l"), store.scan("l", 1), store.scan("l", 9)]
    told += [store.add("n", 5), store.add("n", -7), store.total("n"), other.total("n"), list(other.read("c"))]
    told.append(store.transact(("cas", "c", 2, "d"), ("append", "l", 3), ("add", "n", 10), ("total", "n")))
    told.append(store.transact(("append", "l", 4), ("cas", "c", 2, "stale"), ("add", "n", 1)))
    told += [list(store.read("c")), store.scan("l"), store.total("n")]
    node.output.push(told)
    node.output.push(node.output.read()[0] == told and node.output.read(1) == [] and node.output.read(7) == [])
    for key in ("a", "a", "b"):
        node.database.increment(key)
    node.database.increment()


def database_contract(node):
    """Push what a database answers to a participant's requests in two-phase commit; the rest as of any store."""
    database, told = node.database, []
    told += [database.prepare("a", ("add", "counter", 2), ("write", "row", "new")), database.prepared()]
    told += [database.total("counter"), list(database.read("row")), database.prepare("a", ("add", "n", 1))]
    told.append(database.prepare("b", ("cas", "apart", 7, "x")))
    told.append(database.prepare("b", ("expect", "n", 1), ("add", "n", 1)))
    told += [database.commit_prepared("a"), database.commit_prepared("a"), database.rollback_prepared("a")]
    told += [database.total("counter"), list(database.read("row")), database.prepare("c", ("add", "counter", 1))]
    told += [node.store("other").prepared(), database.rollback_prepared("c"), database.prepared()]
    node.output.push(told)
    engine = node.engine()
    told = [engine.fence() > 0, engine.decided()]
    engine.begin()
    engine.push("pushed")
    engine.save_state("kept")
    engine.save_positions(node.start)
    engine.commit("a")
    later = node.engine()
    told += [engine.decided(), node.state.load(), node.positions.load() == node.start, later.fence() > engine.epoch]
    try:
        engine.begin()
        engine.save_positions(node.start)
        engine.commit()
    except LogError as why:
        told.append(type(why).__name__)
    node.output.push(told)


def log_contract(node):
    """Push what the log answers, and which of its refusals come by Kafka's name."""
    log, told = node.log, []
    told += [
        log.append("p", ["a", ("k", "b")]),
        log.append("p", [(None, "c")], acks=0),
        log.append("p", ["d"], acks=1),
    ]
    told += [
        [list(record) for record in log.fetch("p")],
        [record.value for record in log.fetch("p", 1, 2)],
        log.fetch("p", 4),
    ]
    told += [log.committed("p", "g"), log.commit("p", "g", 2), log.committed("p", "g"), log.committed("q", "g")]
    node.output.push(told)
    mine, heard = log.producer_id("p"), []
    heard.append(mine != log.producer_id("p"))
    first = log.append("p", ["e"], producer=mine, epoch=0, sequence=0)
    heard.append(log.append("p", ["e"], producer=mine, epoch=0, sequence=0) == first == 4)
    for attempt, arguments in (
        (log.append, {"partition": "p", "records": ["g"], "producer": mine, "epoch": 0, "sequence": 2}),
        (log.fetch, {"partition": "p", "offset": 99}),
    ):
        try:
            attempt(**arguments)
            heard.append("taken")
        except LogError as why:
            heard.append(type(why).__name__)
    log.broker("p", "kill", 0)
    for attempt in (lambda: log.append("p", ["h"]), lambda: log.fetch("p")):
        try:
            heard.append(attempt())
        except LogError as why:
            heard.append(type(why).__name__)
    log.broker("p", "revive", 0)
    log.broker("p", "restart", 0)
    log.broker("p", "elect")
    heard.append([record.value for record in log.fetch("p")])
    node.output.push(heard)
    for number in range(FIVE):
        log.send("r", [number])
    flown = [log.in_flight, *(log.acknowledgement() for _ in range(FIVE))]
    node.output.push([flown, log.in_flight])


OPERATIONS = {
    "store.write": lambda node, hour: node.store("s").write("c", hour),
    "store.append": lambda node, hour: node.store("s").append("l", hour),
    "store.add": lambda node, hour: node.store("s").add("n", hour),
    "store.cas": lambda node, hour: node.store("s").cas("c", hour - 1, hour),
    "store.transact": lambda node, hour: node.store("s").transact(
        ("cas", "c", hour - 1, hour), ("append", "l", hour)
    ),
    "log.append": lambda node, hour: node.log.append("p", [hour]),
    "log.commit": lambda node, hour: node.log.commit("p", "g", hour),
    "database.increment": lambda node, hour: node.database.increment("k"),
    "register.cas": lambda node, hour: node.registers.cas("r", hour - 1, hour),
    "state.save": lambda node, hour: node.state.save(hour),
}


def asking(step, retries=0):
    """Return a handler that does one operation for each hour."""
    insist, operation = insisting(retries), OPERATIONS[step]

    def handler(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            insist(operation, node, items[0].hour)
            node.positions.save(positions)
        node.output.push([node.log.committed("p", "g"), node.registers.read("r")[1]])

    return handler


def sender(node):
    """Send each hour with one more in flight, and push what was heard."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.log.send("p", [items[0].hour])
        node.log.send("p", [-items[0].hour])
        heard = []
        while node.log.in_flight:
            try:
                heard.append(node.log.acknowledgement())
            except OutcomeUnknown:
                heard.append("unknown")
        node.output.push(heard)
        node.positions.save(positions)


def locked_twice(node):
    """Hold a lock for each hour, whatever becomes of its requests; push whether it was held."""
    lock, positions = node.lock("one"), node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for _ in range(2):
            try:
                lock.acquire()
                break
            except OutcomeUnknown:
                pass
        node.output.push(items[0].hour)
        try:
            node.output.push(lock.release())
        except OutcomeUnknown:
            node.output.push("unknown")
        node.positions.save(positions)


def receiving_late(first):
    """Return a handler whose receive may be late, with a message that waits for it, or none; and then sends
    another.
    """

    def handler(node):
        try:
            if first:
                node.send(1, "a")
            node.output.push(list(node.receive()))
        except OutcomeUnknown:
            node.output.push("unknown")
        node.positions.load()
        node.send(1, "b")
        node.output.push(list(node.receive()))

    return handler


def sleeps_with_a_lock(node):
    """Push the life's word between two crash points, under a lock."""
    with node.lock("one"):
        node.crash_point("A")
        node.output.push("in")
    node.output.push("out")


def silent(node):
    """Write nothing."""
