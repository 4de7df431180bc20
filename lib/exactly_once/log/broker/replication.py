"""How followers keep up with their leader, and how the set of in-sync replicas follows them.

A follower fetches from its own end on. The request tells the leader what the follower has, which moves the high
watermark; the answer brings batches and that high watermark. So a record is known to be committed at the leader one
fetch after it was copied, and at the follower yet one later, as in Kafka.
"""

from ..errors import CorruptLog, FencedLeaderEpoch


def fetch_once(leader, follower, expand, upto=None, by_epoch=True):
    """Let a follower fetch once. Returns whether anything moved.

    `leader` and `follower` are `Replica`s; `expand(broker)` is called when the follower, by what it reports, has
    caught up and is not among those in sync. `upto` is the offset below which batches are copied, None for all.
    `by_epoch=False` is the rule before KIP-101: logs are compared by their length alone.
    """
    with follower.reading():
        end, latest, epoch = follower.end, follower.log_index.epochs.latest, follower.state["epoch"]
        known = follower.start, follower.high_watermark
    with leader.reading():
        state = leader.leading()
        if epoch != state["epoch"]:
            raise FencedLeaderEpoch(f"{follower.name} on broker {follower.broker} follows epoch {epoch}, an old one.")
        common, until = leader.epoch_end(latest)
        leader_end = leader.end
    if not by_epoch:
        if end > leader_end:
            with follower.changing():
                follower.truncate(leader_end)
            return True
    elif latest >= 0 and (common < latest or until < end):
        if latest == epoch:  # what it has of this epoch came from this leader, which gives nothing up while it leads
            raise CorruptLog(
                f"Broker {leader.broker} leads {leader.name} in epoch {epoch} and its log ends at offset {until}, "
                f"but broker {follower.broker} has its records up to {end}: the leader's disk has lost them. Nothing "
                f"was cut off; kill({leader.broker}) lets another broker lead, and "
                f"rebuild({leader.broker}) fills it anew."
            )
        return _truncated(follower, common, until)
    moved = _reported(leader, follower.broker, end, expand)
    with leader.reading():
        news = leader.start, leader.high_watermark
        batches = leader.disk.batches(leader.name, max(end, leader.start), upto)
    if not batches and known == (news[0], min(news[1], end)):
        return moved
    with follower.changing():
        if follower.end != end or follower.state["epoch"] != epoch or follower.state["leader"]:
            return True  # another process was faster
        follower.copy(batches, *news)
    return True


def _truncated(follower, common, until):
    """Cut the follower's log back to where, by leader epochs, it parts from the leader's (KIP-101, KIP-279)."""
    with follower.changing():
        end = follower.end
        found, own = follower.epoch_end(common)
        follower.truncate(min(until, own) if found == common else own)
        return follower.end != end


def _reported(leader, broker, end, expand):
    with leader.reading():
        if leader.state["positions"].get(str(broker)) == end and broker in leader.state["isr"]:
            return False
    with leader.changing():
        before = leader.state["positions"].get(str(broker))
        leader.leading()
        leader.report(broker, end)
        joins = broker not in leader.state["isr"] and leader.in_sync(broker)
    if joins:
        expand(broker)
    return joins or before != end
