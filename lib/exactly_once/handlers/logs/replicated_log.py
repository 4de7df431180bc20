"""A replicated partition as a program for the explorer: brokers die and restart, and records may get lost.

One node plays the whole cluster: at each step it chooses one of the possible events, and carries it out with the
log's own rules. The cluster is kept as plain data in the state, so that equal clusters are explored once.
"""

import contextlib
import functools
import json

from ...errors import BadInput, one_of, whole
from ...log import load_log, open_log
from ...log.broker.broker_cluster import HIGH_WATERMARK, LEADER_EPOCH
from ...log.ledger import COMMITTED, NONE
from ...log.log import ACKS
from ...log.log_errors import LogError

TOPIC, PARTITION = "t", 0
BY_HAND = {"replication": "manual", "elections": "manual", "clock": lambda: 0}
NAMES = "abcdefgh"


def replicated_log(
    acks="all",
    brokers=3,
    min_insync_replicas=2,
    unclean=False,
    records=2,
    deaths=2,
    lags=1,
    bounces=0,
    truncation=LEADER_EPOCH,
):
    """Return a handler for `prove`: one partition with a replica on each of so many brokers.

    Within the bounds anything may happen at any moment: a producer sends one of `records` records with `acks`, a
    follower fetches, a broker dies (at most `deaths` times), a dead one starts again, a leader is elected (`unclean`:
    from outside the in-sync replicas if need be), a follower that lags leaves the in-sync replicas (at most `lags`
    times), a follower restarts so quickly that the controller does not miss it (at most `bounces` times).
    `truncation` is the rule by which a follower cuts its log back: see `open_log`. Give `promises_kept` to `prove` as
    its invariant. Raises `BadInput` for bounds that make no sense.
    """
    one_of("acks", acks, ACKS)
    whole("brokers", brokers, least=1, most=5)
    whole("records", records, least=1, most=len(NAMES))
    left = {"sends": records, "deaths": whole("deaths", deaths), "lags": whole("lags", lags)}
    left["bounces"] = whole("bounces", bounces)
    if not isinstance(unclean, bool):
        raise BadInput(f"unclean is {unclean!r}; it can be True or False.")
    log = open_log("memory:", brokers, watch=True, truncation=truncation, **BY_HAND)
    log.create_topic(TOPIC, replicas=brokers, min_insync_replicas=min_insync_replicas, unclean_election=unclean)
    start = _kept(log, {"acks": acks, "records": records, "truncation": truncation, "left": left})

    def cluster(node):
        state = start
        while what_can_happen(state):
            state = after(state, node.choose(what_can_happen(state)))
            node.state.save(state)

    return cluster


def promises_kept(view):
    """The invariant: all acknowledged records are there.

    Each acknowledged record is in the leader's log, if there is a leader; and each that was promised as committed is
    on every in-sync replica that lives (not asked where followers truncate to their high watermark: there one that
    has restarted lacks it until its next fetch).
    """
    if not isinstance(view.state, str):
        return True
    kept = json.loads(view.state)
    log, by_epoch = _log(kept), kept["truncation"] != HIGH_WATERMARK
    (partition,) = log.snapshot()["partitions"]
    for promise in partition["promises"]:
        if promise["promise"] == NONE:
            continue
        place = promise["offset"], promise["epoch"]
        for replica in partition["replicas"]:
            in_sync = by_epoch and replica["in_sync"] and replica["alive"]
            bound = replica["leader"] or (promise["promise"] == COMMITTED and in_sync)
            if bound and place not in [(record["offset"], record["epoch"]) for record in replica["records"]]:
                role = "leads" if replica["leader"] else "is in sync"
                return (
                    f"record {promise['value']!r}, which was acknowledged with acks={promise['acks']!r}, is lost: "
                    f"broker {replica['broker']}, which {role}, has not got it"
                )
    return True


def as_invariant(rule):
    """Return an invariant for `prove` from `rule(acknowledged, leader)`, which tells whether a cluster is all right.

    `acknowledged` is a list of (offset, value) from the acknowledgements; `leader` the list of values in the leader's
    log, or None while nobody leads.
    """

    def invariant(view):
        if not isinstance(view.state, str):
            return True
        (partition,) = _log(json.loads(view.state)).snapshot()["partitions"]
        told = [(one["offset"], one["value"]) for one in partition["promises"] if one["promise"] != NONE]
        leads = next((replica for replica in partition["replicas"] if replica["leader"]), None)
        there = leads and [record["value"] for record in leads["records"]]
        who = f"broker {leads['broker']}, which leads, has {there}" if leads else "nobody leads"
        return rule(told, there) or f"{_listed(told)} acknowledged, and {who}"

    return invariant


def what_is_left(counterexample):
    """Return the `Log` that a counterexample of `prove` ends with."""
    return _log(json.loads(json.loads(counterexample.run.outcome.state)))  # the state is a text itself


def what_happened(counterexample):
    """Describe the events of a counterexample of `prove` in the cluster, one line for each."""
    chosen = [event.text.removeprefix("choose ") for event in counterexample.trace if event.verb == "choose"]
    return tuple(f"{number}. {text}" for number, text in enumerate(chosen, 1))


def cluster_in(state):
    """Return the `Log` of a cluster's state, as a `View` or a handler has it, or None before the first event."""
    return _log(json.loads(state)) if isinstance(state, str) else None


def what_can_happen(state):
    """Return the names of the events that would change a cluster."""
    return list(_following(state))


def after(state, name):
    """Return the cluster after the event of this name."""
    return _following(state)[name]


@functools.lru_cache(10_000)
def _following(state):
    """Return {name of an event: the cluster after it}."""
    found = {name: _events(json.loads(state))[name]() for name in _events(json.loads(state))}
    return {name: following for name, following in found.items() if following != state}


def _events(kept):
    """Return {name: function} of all possible events within the bounds; a function returns the next cluster."""
    log, acks, left = _log(kept), kept["acks"], kept["left"]
    leader, alive, isr = log.leader(TOPIC, PARTITION), log.alive, log.isr(TOPIC, PARTITION)

    def event(what, *arguments, costs=None):
        def happen():
            with contextlib.suppress(LogError):  # a refusal is an answer, too
                what(*arguments)
            return _kept(log, kept | {"left": left | ({costs: left[costs] - 1} if costs else {})})

        return happen

    events = {}
    if left["sends"] and leader is not None:
        name = NAMES[kept["records"] - left["sends"]]
        events[f"the producer sends {name}"] = event(log.append, TOPIC, PARTITION, [name], acks, costs="sends")
    for broker in range(log.brokers):
        follows = broker in alive and leader not in (None, broker)
        if follows:
            events[f"broker {broker} fetches"] = event(log.replicate, TOPIC, PARTITION, broker, 1)
        if follows and left["lags"] and broker in isr:
            events[f"broker {broker} lags, and leaves the in-sync replicas"] = event(
                log.shrink_isr, TOPIC, PARTITION, broker, costs="lags"
            )
        if follows and left["bounces"]:
            events[f"broker {broker} restarts unnoticed"] = event(log.bounce, broker, costs="bounces")
        if broker in alive and left["deaths"]:
            events[f"broker {broker} dies"] = event(log.kill, broker, costs="deaths")
        if broker not in alive:
            events[f"broker {broker} starts again"] = event(log.revive, broker)
    if leader is None:
        events["a leader is elected"] = event(log.elect, TOPIC, PARTITION)
    return events


def _listed(told):
    records = ", ".join(f"{value!r} at offset {offset}" for offset, value in told) or "nothing"
    return f"{records} {'was' if len(told) < 2 else 'were'}"


def _log(kept):
    return load_log(kept["log"], truncation=kept["truncation"], **BY_HAND)


def _kept(log, kept):
    return json.dumps(kept | {"log": log.dump()}, separators=(",", ":"))
