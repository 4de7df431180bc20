"""Four sinks of a consumer, four places for its position, and the promise of each pair."""

import functools

from ...explore import prove
from ...pipeline import Job

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
