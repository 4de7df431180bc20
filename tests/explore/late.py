"""Handlers whose requests are late, in every way that matters: overtaking, after a death, after the end, held locks.

Each travels by value, as one of a notebook does, and leaves its result in its output.
"""

LATE = {
    "append": """
def handler(node):
    insist(node.output.push, 1)
    insist(node.output.push, 2)
""",
    "write": """
def handler(node):
    insist(node.state.save, 1)
    insist(node.state.save, 2)
    node.output.push(node.state.load())
""",
    "cas": """
def handler(node):
    insist(node.registers.cas, "r", 0, "a")
    version, value = node.registers.read("r")
    insist(node.registers.cas, "r", version, "b")
    node.output.push([*node.registers.read("r")])
""",
    "add": """
def handler(node):
    insist(node.database.increment)
    insist(node.database.increment, "k")
    insist(node.store("s").add, "n", 2)
    node.output.push(node.store("s").total("n"))
""",
    "put and take": """
def handler(node):
    insist(node.send, 1, "a")
    insist(node.send, 1, "b")
    node.output.push([*insist(node.receive)])
    node.output.push([*insist(node.receive)])
""",
    "a take that finds nothing": """
def handler(node):
    insist(node.send, 1, "a")
    first = once(node.receive)
    insist(node.send, 1, "b")
    node.output.push([*node.receive(1)])
""",
    "lock": """
def handler(node):
    lock = node.lock("one")
    insist(lock.acquire)
    node.output.push("in")
    node.output.push(insist(lock.release))
    node.output.push(lock.release())
""",
    "a lock taken twice": """
def handler(node):
    lock = node.lock("one")
    lock.acquire()
    once(lock.release)
    lock.acquire()
    node.output.push("in")
    node.output.push(lock.release())
""",
    "a lock asked for before and again": """
def handler(node):
    lock = node.lock("one")
    once(lock.acquire)
    lock.acquire()
    node.output.push(lock.release())
    node.output.push(lock.release())
""",
    "a dead incarnation's": """
def handler(node):
    saved = node.state.load()
    if saved is None or saved == "mine" or not isinstance(saved, list):
        node.state.save([1])
        node.output.push("first")
    node.output.push("next")
""",
    "transact": """
def handler(node):
    store = node.store("s")
    version, _ = store.read("index")
    if version == 0:
        insist(store.transact, ("cas", "index", 0, 1), ("append", "log", "x"))
    insist(store.append, "log", "y")
    node.output.push(store.scan("log"))
""",
    "produce": """
def handler(node):
    insist(node.log.append, "p", [("k", 1)])
    insist(node.log.append, "p", [("k", 2)])
    node.output.push([record.value for record in node.log.fetch("p")])
""",
    "an idempotent producer": """
def handler(node):
    log = node.log
    mine = log.producer_id("p")
    insist(log.append, "p", [("k", 1)], "all", mine, 0, 0)
    insist(log.append, "p", [("k", 2)], "all", mine, 0, 1)
    node.output.push([record.value for record in node.log.fetch("p")])
""",
    "in flight": """
def handler(node):
    log = node.log
    log.send("p", [("k", 1)])
    log.send("p", [("k", 2)])
    heard = [once(log.acknowledgement), once(log.acknowledgement)]
    node.output.push(heard)
    node.output.push([record.value for record in log.fetch("p")])
""",
    "commit": """
def handler(node):
    insist(node.log.commit, "p", "g", 1)
    insist(node.log.commit, "p", "g", 2)
    node.output.push(node.log.committed("p", "g"))
""",
    "a log that another polls": """
def handler(node):
    if node.number == 1:
        insist(node.log.append, "input", [(None, 1)])
        insist(node.log.append, "input", [(None, 2)])
    else:
        node.output.push([record.value for record in node.log.fetch("input")])
""",
    "a read": """
def handler(node):
    node.output.push(once(node.state.load))
    node.output.push(once(node.registers.read, "r") == (0, None))
""",
    "two at one lock": """
def handler(node):
    lock = node.lock("one")
    insist(lock.acquire)
    node.output.push("in")
    node.output.push("out")
    once(lock.release)
""",
}
HEAD = """
from exactly_once.errors import OutcomeUnknown
def insist(step, *arguments):
    while True:
        try:
            return step(*arguments)
        except OutcomeUnknown:
            pass
def once(step, *arguments):
    try:
        return step(*arguments)
    except OutcomeUnknown:
        return "unknown"
"""


def late(name):
    """Return the handler of this name."""
    made = {"__name__": f"a_notebook_{name}"}
    exec(compile(HEAD + LATE[name], f"<{name}>", "exec"), made)
    return made["handler"]
