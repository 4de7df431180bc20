"""Handlers for the conformance suite of worlds. Each travels by value, as a learner's from a notebook does."""

from exactly_once.errors import BadInput, OutcomeUnknown


def insisting(retries):
    """Return a function that takes a step up to `retries` times more when its outcome is unknown."""

    def insist(step, *arguments):
        for attempt in range(retries + 1):
            try:
                return step(*arguments)
            except OutcomeUnknown:
                if attempt == retries:
                    raise
        raise AssertionError("the last attempt returns or raises")

    return insist


def writer(retries=0, catches=()):
    """Return a handler with each kind of step, which leaves the hours it handled in its outputs and in its state.

    It repeats a step up to `retries` times when its outcome is unknown, and lets what is in `catches` not stop it.
    """
    insist = insisting(retries)

    def handler(node):
        positions = insist(node.positions.load)
        state = insist(node.state.load)
        hours = state if isinstance(state, list) else []
        while node.running():
            items, positions = insist(node.read, positions)
            hour = node.choose([items[0].hour])
            hours.append(hour)
            try:
                insist(node.output.push, hour)
                insist(node.database.increment)
            except catches:
                node.output.push("caught")
            insist(node.state.save, hours)
            insist(node.positions.save, positions)

    return handler


def written(name):
    """Return the handler `handler` of a piece of source, as a notebook would have it: by value, with its globals."""
    made = {"__name__": f"a_notebook_{name}"}
    exec(compile(SOURCES[name], f"<{name}>", "exec"), made)
    return made["handler"]


SOURCES = {
    "a_default_argument": """
def handler(node, seen=[]):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        seen.append(items[0].hour)
        node.output.push(len(seen))
        node.crash_point("A")
        node.positions.save(positions)
""",
    "an_attribute": """
class Handler:
    seen = 0
    def __call__(self, node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            Handler.seen += 1
            node.output.push(Handler.seen)
            node.crash_point("A")
            node.positions.save(positions)
handler = Handler()
""",
    "last_wishes": """
def handler(node):
    positions = node.positions.load()
    try:
        while node.running():
            try:
                items, positions = node.read(positions)
                node.output.push(items[0].hour)
                node.crash_point("A")
                node.positions.save(positions)
            except BaseException:
                node.output.push("ghost")
                node.database.increment()
                raise
            finally:
                node.state.save("unwound")
    finally:
        node.database.increment()
""",
    "no_escape": """
def handler(node):
    positions = node.positions.load()
    while node.running():
        try:
            items, positions = node.read(positions)
            node.output.push(items[0].hour)
            node.crash_point("A")
            node.positions.save(positions)
        except BaseException:
            node.output.push("ghost")
""",
    "division": """
def handler(node):
    items, positions = node.read(node.positions.load())
    node.output.push(items[0].hour)
    deeper(node)
def deeper(node):
    node.output.push(1 / 0)
""",
    "exit": """
import sys
def handler(node):
    node.output.push("before")
    sys.exit("enough")
""",
    "for_ever": """
def handler(node):
    positions = node.positions.load()
    while True:
        items, positions = node.read(positions)
        node.output.push(items[0].hour)
""",
    "past_the_end": """
def handler(node):
    node.output.push(node.running())
    positions = node.positions.load()
    node.output.push(positions)
    while node.running():
        items, positions = node.read(positions)
    node.output.push("after")
    node.read(positions)
    node.output.push("never")
""",
    "mutations": """
def handler(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.positions.save(positions)
        node.state.save(window)
        window.push(items)
        positions["seattle"] += 0
        value = [1]
        node.output.push(value)
        value.append(2)
    positions["seattle"] = 99
""",
    "nothing": """
def handler(node):
    pass
""",
    "what_it_is_given": """
def handler(node):
    node.output.push([node.duration, node.threshold, len(node.state.load()), node.positions.load()])
    items, positions = node.read(node.positions.load())
    node.output.push([[item.hour, item.stream, item.value] for item in items])
""",
}


def refusals(node):
    """Try all kinds of nonsense; push what was not refused with a sentence."""
    start, store, log, database = node.positions.load(), node.store("mine"), node.log, node.database
    registers, engine = node.registers, node.engine()
    attempts = [
        *((node.read, positions) for positions in (None, 3, [], {}, {"seattle": 0}, {**start, "oslo": 0})),
        *((node.read, {**start, "seattle": offset}) for offset in (-1, None, "0", 1.5, True)),
        *((node.positions.save, positions) for positions in (None, {"seattle": 0}, {**start, "seattle": -1})),
        *((node.running, positions) for positions in (3, {}, {"seattle": 0})),
        *((node.crash_point, letter) for letter in ("F", "a", "", None, 3)),
        *((node.output.push, value) for value in (float("nan"), {1: 2}, object())),
        *((node.output.read, offset) for offset in (-1, None, "0")),
        *((node.state.save, value) for value in (float("inf"), {"$x": 1})),
        (node.choose, []),
        *((registers.read, name) for name in (None, 3, "", ["a"])),
        *((registers.cas, name, 0, 1) for name in (None, 3, "", ["a"])),
        *((registers.cas, "c", version, 1) for version in (-1, None, "0", 1.5, True)),
        *((registers.cas, "c", 0, value) for value in (None, float("nan"), object(), {1: 2})),
        *((node.send, to, "x") for to in (0, 2, -1, "1", None, True, 1.0)),
        *((node.send, 1, message) for message in (object(), {1: 2}, float("nan"))),
        *((node.receive, sender) for sender in (0, 2, "1", True)),
        *((node.lock, name) for name in (None, "", 3, ["a"])),
        *((node.store, name) for name in (None, "", 3, "engine", "database", "log", "network", "a.b", "a b", ["x"])),
        *((store.read, part) for part in (None, "", 3, ["c"])),
        (store.write, "c", object()), (store.cas, "c", "1", 2), (store.append, "l", float("nan")),
        (store.scan, "l", -1), (store.add, "n", 1.5), (store.add, "n", 2**64), (store.transact,),
        (store.transact, "cas"), (store.transact, ("erase", "c")), (store.transact, ("take", "c", 1)),
        (store.transact, ("write", "c", 1), ("write", "c", object())),
        (database.prepare, "x"), (database.prepare, "", ("add", "counter", 1)), (database.commit_prepared, None),
        (database.prepare, "x", ("take", "i", 1)), (engine.commit,), (engine.send, 1),
        (log.send, "r", "text"), (log.append, "p", "text"), (log.append, "p", [object()]), (log.append, None, ["x"]),
        (log.append, "p", ["x"], "most"), (log.fetch, "p", -1), (log.fetch, "p", 0, 0), (log.fetch, 3),
        (log.commit, "p", "g", -1), (log.commit, ["p"], "g", 1), (log.broker, "p", "explode"),
        (log.broker, "p", "kill", 9), (log.acknowledgement,),
    ]  # fmt: skip
    taken = []
    for attempt, *arguments in attempts:
        try:
            attempt(*arguments)
            taken.append(f"{attempt.__name__}{arguments}")
        except BadInput as why:
            taken += [] if str(why).endswith(".") else [str(why)]
    node.output.push(taken)
    node.output.push([list(store.read("c")), list(registers.read("c"))])


def one_by_one(node):
    """Push what each read gives, one reading at a time."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push([len(items), items[0].hour, items[0].stream])
        node.positions.save(positions)


def read_in_time(node):
    """Push whether each reading was read in its own hour or in the next."""
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push({item.read - item.hour for item in items} in ({0}, {1}))
        node.positions.save(positions)


def chooser(node):
    """Push whether what was chosen was offered."""
    node.output.push([node.choose([option]) for option in (7, None, "only")])
    node.output.push(all(node.choose("abc") in ("a", "b", "c") for _ in range(20)))


def clocked(node):
    """Push whether the clock stayed between the hours passed and the last one, and never went back."""
    items, _ = node.read(node.start)
    shown = [node.now() for _ in range(20)]
    node.output.push(shown == sorted(shown) and items[0].hour <= shown[0] and shown[-1] <= 2)


def registered(retries=0):
    """Return a handler that keeps the positions in a register, and pushes the hour before it moves them on.

    It repeats a step on a register up to `retries` times; a repeated cas that is refused was done the first time.
    """
    insist = insisting(retries)

    def handler(node):
        version, at = insist(node.registers.read, "at")
        at = at or node.start
        while node.running(at):
            items, at = node.read(at)
            node.output.push(items[0].hour)
            insist(node.registers.cas, "at", version, at)
            version, at = insist(node.registers.read, "at")
        node.output.push(["version", version])

    return handler


def register_contract(node):
    """Push what registers and positions answer, one after the other."""
    registers, told = node.registers, []
    told.append([list(registers.read("a")), registers.cas("a", 1, "too early"), registers.cas("a", 0, [1, "x"])])
    told.append([registers.cas("a", 0, "too late"), list(registers.read("a")), list(registers.read("b"))])
    told.append([registers.cas("a", 1, "y"), registers.cas("a", 2, "y"), list(registers.read("a"))])
    told.append([list(registers.read(name)) for name in ("output", "positions", "state")])
    node.start["seattle"] = 7
    told.append([node.start, node.running(node.start), node.running(dict.fromkeys(node.start, 2)), node.running()])
    for answers in told:
        node.output.push(answers)


def messenger(retries=0):
    """Return a handler that sends each hour to itself, receives one, and pushes what it received."""
    insist = insisting(retries)

    def handler(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            insist(node.send, node.number, items[0].hour)
            node.output.push(list(insist(node.receive)))
            node.positions.save(positions)

    return handler


def locker(retries=0):
    """Return a handler that pushes each hour under a lock, and at the end whether the lock was still held."""
    insist = insisting(retries)

    def handler(node):
        positions = node.positions.load()
        lock = node.lock("one")
        while node.running():
            items, positions = node.read(positions)
            insist(lock.acquire)
            node.crash_point("A")
            node.output.push(items[0].hour)
            insist(lock.release)
            node.positions.save(positions)
        with lock, lock, node.lock("another"):
            node.output.push(lock.release())
        node.output.push([lock.release(), node.number, node.nodes])

    return handler


def messages(node):
    """Push the received messages in their order."""
    for message in (1, "two", (3, [4]), None):
        node.send(1, message)
    node.output.push([list(node.receive(sender)) for sender in (None, 1, None, 1)])
