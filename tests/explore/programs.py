"""Random programs of all operations of stores, as pieces of source, and the outcomes of all their schedules.

A program is a handler, or a handler for each of two nodes. Each statement asks for one operation and keeps the
answer; at the end the program pushes the answers. The tests compare the outcomes, the observations and the kinds
of violations: a reduced search must find the same.
"""

import random

from exactly_once import CourseError
from tests.explore.searching import searched
from tests.explore.traps import written

CELL, OTHER, LOG, TABLE = "a", "b", "l", "t"
GIVEN = {"producer": 0, "producer_epoch": 0}
DUE = (0, 0, "commit", 0)
RAW = {  # of operations that a handler reaches in no other way, or in a roundabout one: (store, part, arguments)
    "read": (("s", CELL, ()), ("s", OTHER, ())),
    "write": (("s", CELL, (1,)), ("s", OTHER, (2,))),
    "cas": (("s", CELL, (0, 3)), ("s", CELL, (1, 4)), ("s", CELL, ([1], 5)), ("s", OTHER, (1, 4))),
    "fence": (("s", CELL, ()),),
    "expect": (("s", CELL, (1,)),),
    "rename": (("s", CELL, (OTHER,)), ("s", OTHER, (CELL,)), ("s", CELL, (CELL,))),
    "append": (("s", LOG, (1,)),),
    "scan": (("s", LOG, (0,)), ("s", LOG, (1,))),
    "fetch": (("s", "in", ({"x": 0}, 1)), ("engine", "input", ({"seattle": 0}, 1))),
    "add": (("s", TABLE, (1,)), ("database", "counter", (1,))),
    "change": (("s", TABLE, (-1,)),),
    "total": (("s", TABLE, ()),),
    "transact": (
        ("s", CELL, ([[CELL, "cas", 1, 8], [TABLE, "add", 1]],)),
        ("s", CELL, ([[CELL, "expect", 0], [LOG, "append", 2]],)),
        ("s", CELL, ([[CELL, "rename", OTHER], [LOG, "append", 3]],)),
    ),
    "prepare": (
        ("s", "prepared", ("p", [[CELL, "write", 9]])),
        ("s", "prepared", ("q", [[CELL, "cas", 1, 9], [TABLE, "add", 1]])),
        ("s", "prepared", ("q", [[LOG, "append", 9]])),
    ),
    "commit_prepared": (("s", "prepared", ("p",)), ("s", "prepared", ("q",))),
    "rollback_prepared": (("s", "prepared", ("p",)), ("s", "prepared", ("q",))),
    "prepared": (("s", "prepared", ()),),
    "enqueue": (("s", "queue", ("m",)),),
    "next": (("s", "queue", (0, [1])),),
    "close_queue": (("s", "queue", (1,)),),
    "any_filled": (("s", "c", ({"c": CELL}, {"c": [1]})),),
    "close_cells": (("s", "c", (1,)),),
    "begin_transactions": (("transactions", "transactions", (False,)),),
    "let_in": (("transactions", "transactions", ()),),
    "may_load": tuple(("transactions", "transactions", (who,)) for who in (1, 2)),
    "commit_whole": (("transactions", "transactions", (1, {"output": 1})),),
    "create": (("log", "r", ({},)),),
    "produce": (("log", "r", ([["k", 1]], {})), ("log", "r", ([[None, 2]], {"acks": 1})),
                ("log", "r", ([[None, 3]], {**GIVEN, "sequence": 0}))),
    "consume": (("log", "r", (0, None)), ("log", "r", (0, 1, "read_committed"))),
    "poll": (("log", "r", (0, 1, [1])),),
    "close": (("log", "r", (1,)),),
    "commit": (("log", "r", ("g", 1)), ("log", "r", ("g", 2))),
    "committed": (("log", "r", ("g",)),),
    "marker": (("log", "r", DUE),),
    "broker": (("log", "r", ("new_producer_id", [])), ("log", "r", ("kill", [0])), ("log", "r", ("restart", []))),
    "begin_coordinating": (("coordinator", "__transaction_state", ({"protocol": 2},)),),
    "init_producer": (("coordinator", "__transaction_state", ("t", 60_000, None, None)),),
    "add_partitions": (("coordinator", "__transaction_state", ("t", 0, 0, ["r"])),),
    "end_transaction": (("coordinator", "__transaction_state", ("t", 0, 0, "commit")),),
    "settled": (("coordinator", "__transaction_state", ("t",)),),
    "due": (("coordinator", "__transaction_state", (0, [1])),),
    "complete": (("coordinator", "__transaction_state", ("t", 0, 0, 0)),),
    "recover": (("coordinator", "__transaction_state", ()),),
    "leave": (("coordinator", "__transaction_state", (1,)),),
    "begin_group": (("offsets", "__consumer_offsets", (["x"],)),),
    "commit_offsets": (("offsets", "__consumer_offsets", ("g", {"x": 1}, {})),
                       ("offsets", "__consumer_offsets", ("g", {"x": 2}, GIVEN))),
    "committed_offsets": (("offsets", "__consumer_offsets", ("g", ["x"])),),
    "offsets_marker": (("offsets", "__consumer_offsets", DUE),),
    "set_up_rows": (("s", "rows", ({"r": 0},)),),
}  # fmt: skip
SESSION = {  # statements of a transaction on rows, of the life's own connection
    "begin_rows": ("begin", "'{level}'"),
    "read_row": ("read", "'r'"),
    "read_rows": ("read_all", ""),
    "lock_row": ("read_for_update", "'r'"),
    "update_row": ("update", "'r', 4"),
    "update_row_where": ("update_where", "'r', 0, 5"),
    "add_to_row": ("add", "'r', 1"),
    "insert_row": ("insert", "'r', 0"),
    "commit_rows": ("commit", ""),
    "roll_back_rows": ("rollback", ""),
}
CALLS = {  # of others: what a handler calls
    "put": ("node.send(1, 'a')", "node.send({other}, 'b')"),
    "take": ("node.receive()", "node.receive(1)", "node.receive({other})"),
    "acquire": ("node.lock('k').acquire()", "node.lock('m').acquire()"),
    "release": ("node.lock('k').release()", "node.lock('m').release()"),
}
MORE = (  # further operations of the node, and calls that are no operation
    "node.positions.save(node.start)", "node.positions.load()", "node.state.save(1)", "node.state.load()",
    "node.registers.read('a')", "node.registers.cas('a', 0, 1)", "node.registers.cas('a', 1, 2)",
    "node.registers.cas_value('a', 1, 3)", "node.output.push(0)", "node.output.read()", "node.choose([1, 2])",
    "node.crash_point('A')", "node.database.increment()", "engine.fence()", "commits(node, engine)",
    "node.engine().decided()", "node.log.send('r', [1])",
)  # fmt: skip
HEAD = """
import json
from exactly_once import CourseError, OutcomeUnknown
from exactly_once.stores import Blocked
def asks(node, store, part, verb, *arguments):
    incarnation = node._life
    name = "log.close" if verb in ("close", "close_queue", "close_cells", "leave") else "store.write"
    return incarnation.step(incarnation.world.store(store), part, verb, *arguments, name=name, text=verb)
def told(answer):
    return json.dumps(answer, sort_keys=True, default=str)
def commits(node, engine):
    engine.begin()
    engine.push(1)
    engine.save_state(2)
    engine.save_positions(node.start)
    engine.commit()
"""
LEVELS = ("read committed", "snapshot", "serializable", "repeatable read")
BLOCKING = ("take", "acquire", "next", "any_filled", "poll", "settled", "due")
GROUPS = (  # parts that belong together: operations on the same contents meet more often
    ("read", "write", "cas", "rename", "transact", "prepare", "commit_prepared", "rollback_prepared", "fence"),
    ("put", "take"),
    ("acquire", "release", "write", "cas"),
    (*SESSION, "set_up_rows"),
    ("append", "scan", "fetch", "add", "change", "total", "transact", "prepare", "commit_prepared", "prepared"),
    ("enqueue", "next", "close_queue", "any_filled", "close_cells", "write"),
    ("let_in", "may_load", "commit_whole", "begin_transactions"),
    ("produce", "consume", "poll", "close", "commit", "committed", "marker", "broker", "create"),
    ("begin_coordinating", "init_producer", "add_partitions", "end_transaction", "settled", "due", "complete",
     "recover", "leave"),
    ("begin_group", "commit_offsets", "committed_offsets", "offsets_marker"),
    MORE,
)  # fmt: skip
FAULTS = (
    {}, {"crashes": 1}, {"pauses": 1}, {"lost_requests": 1}, {"lost_replies": 1}, {"duplicates": 1},
    {"late_requests": 1}, {"crashes": 1, "pauses": 1}, {"crashes": 1, "lost_replies": 1},
    {"late_requests": 1, "duplicates": 1}, {"late_requests": 1, "crashes": 1},
)  # fmt: skip
EVERY = (*RAW, *SESSION, *CALLS)
MOST_STATES = 20_000


class TooLarge(Exception):
    """A program has more schedules than are worth waiting for."""


def drawn(seed):
    """Return (handlers, bounds, source) of the program of a seed."""
    rng = random.Random(seed)
    nodes = rng.choice((1, 2, 2))
    alike = nodes == 2 and rng.random() < 0.4
    group = rng.choice(GROUPS) if rng.random() < 0.8 else (*EVERY, *MORE)
    faults = rng.choice(FAULTS)
    length = (4 if nodes == 1 else 3) - (sum(faults.values()) > 1)
    level = rng.choice(LEVELS)
    sources = [_source(rng, group, length, nodes, level) for _ in range(1 if alike or nodes == 1 else 2)]
    handlers = [written(f"program_{seed}_{number}", source) for number, source in enumerate(sources)]
    return handlers, {"nodes": nodes, "crashes": 0, **faults}, "\n".join(sources)


def _source(rng, group, length, nodes, level):
    lines, kept = ["def handler(node):", "    engine = node.engine()", "    rows = None"], []
    for number in range(length):
        call = _call(rng, rng.choice(group), nodes, level)
        name = f"x{number}"
        indent = "    "
        if kept and rng.random() < 0.3:
            lines += [f"    {name} = None", f"    if {rng.choice(kept)}:"]
            indent += "    "
        lines += [
            f"{indent}try:",
            f"{indent}    {call if call.startswith('rows =') else f'{name} = {call}'}",
            *([f"{indent}    {name} = 'open'"] if call.startswith("rows =") else []),
            f"{indent}except OutcomeUnknown:",
            f"{indent}    {name} = {rng.choice([repr('unknown'), 'None'])}",
            f"{indent}except (CourseError, AttributeError) as why:",
            f"{indent}    {name} = type(why).__name__",
        ]
        kept.append(name)
    lines.append(f"    node.output.push([told(one) for one in ({', '.join(kept)},)])")
    return HEAD + "\n".join(lines) + "\n"


def _call(rng, verb, nodes, level):
    other = rng.choice(range(1, nodes + 1))
    if verb in CALLS:
        return rng.choice(CALLS[verb]).format(other=other)
    if verb in SESSION:
        name, arguments = SESSION[verb]
        if verb == "begin_rows":
            return f"rows = node.store('s').begin({arguments.format(level=level)})"
        return f"rows.{name}({arguments})"
    if verb in RAW:
        store, part, arguments = rng.choice(RAW[verb])
        return f"asks(node, {', '.join(map(repr, (store, part, verb, *arguments)))})"
    return verb


def come_to(handlers, bounds, merge):
    """Return ((outcomes, whether anything breaks it), states) of all schedules, with shortcuts or without any.

    Raises `TooLarge`.
    """
    found, ends = searched(handlers, merge, limits=(MOST_STATES, 1_000), plain=not merge, **bounds)
    if found.stopped:
        raise TooLarge(found.stopped)
    assert found.exhausted or found.lost
    return (ends, found.violation is not None), found.states


def disagreements(seeds):
    """Return (what disagrees: (seed, bounds, source), how many were compared) for the programs of seeds.

    Each is searched with all shortcuts and without any.
    """
    wrong, compared = [], 0
    for seed in seeds:
        handlers, bounds, source = drawn(seed)
        try:
            plain, states = come_to(handlers, bounds, False)
            found, fewer = come_to(handlers, bounds, True)
        except TooLarge:
            continue
        except CourseError as why:
            raise AssertionError(f"seed {seed}: {why}\n{source}") from why
        if found != plain or fewer > states:
            wrong.append((seed, bounds, source))
        compared += 1
    return wrong, compared
