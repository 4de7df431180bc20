"""Find the guarantees of a topic's settings by trying every way to send, copy and lose one record."""

import functools
import itertools
from dataclasses import dataclass

from ...log import Pair, open_log
from ...log.errors import LeaderNotAvailable, NotEnoughReplicas

REPLICAS = 3
FOLLOWERS = (1, 2)


@dataclass(frozen=True)
class Settings:
    """The settings of a topic with three replicas and of its producers."""

    acks: object
    min_insync_replicas: int = 1
    unclean_election: bool = False

    def log(self):
        """Return a fresh log of three brokers, where nothing happens by itself."""
        log = open_log("memory:", brokers=REPLICAS, replication="manual", elections="manual")
        settings = {"min_insync_replicas": self.min_insync_replicas, "unclean_election": self.unclean_election}
        log.create_topic("t", replicas=REPLICAS, **settings)
        return log


@dataclass(frozen=True)
class Story:
    """One run: its lines, and the final replicas."""

    lines: tuple
    snapshot: dict


def loss(settings, deaths):
    """Return the simplest `Story` that loses an acknowledged record by at most `deaths` permanent deaths, or None.

    Followers may lag and leave the in-sync replicas, may have copied the record or not, and brokers die in any order.
    """
    lags = [lagging for count in range(3) for lagging in itertools.combinations(FOLLOWERS, count)]
    orders = [order for count in range(1, deaths + 1) for order in itertools.permutations(range(REPLICAS), count)]
    tries = [(lagging, copied, order) for lagging in lags for copied in lags for order in orders]
    for lagging, copied, order in sorted(tries, key=lambda one: (len(one[0]) + len(one[2]), len(one[1]))):
        if not set(lagging) & set(copied) and (story := _lost(settings, lagging, copied, order)):
            return story
    return None


def _sent(settings, lagging, copied):
    """Return (log, lines) with one record sent, copied and acknowledged; None where it is not."""
    log, lines = settings.log(), []
    for broker in lagging:
        log.shrink_isr("t", 0, broker)
        lines.append(f"Broker {broker} lags, and leaves the in-sync replicas.")
    try:
        receipt = log.append("t", 0, [Pair("k", "record")], settings.acks)
    except NotEnoughReplicas:
        return None
    lines.append("The record is sent; the leader, broker 0, writes it.")
    for broker in copied:
        for _ in range(2):  # the second fetch tells the leader that the first one arrived
            log.replicate("t", 0, follower=broker, rounds=1)
        lines.append(f"Broker {broker} copies it.")
    if settings.acks == 0 or not (receipt.acknowledged or log.committed(receipt)):
        return None
    lines.append("The leader acknowledges it.")
    return log, lines


def _who_leads(log):
    leader = log.leader("t", 0)
    return "nobody leads" if leader is None else f"broker {leader} leads"


def _lost(settings, lagging, copied, order):
    sent = _sent(settings, lagging, copied)
    if sent is None:
        return None
    log, lines = sent
    for broker in order:
        log.kill(broker)
        log.elect("t", 0)
        lines.append(f"Broker {broker} dies for good; {_who_leads(log)}.")
    leader = log.leader("t", 0)
    has = {one["broker"] for one in log.snapshot()["partitions"][0]["replicas"] if one["records"] and one["alive"]}
    if has and leader in (None, *has):
        return None
    lines.append("No living broker has the record." if not has else f"Broker {leader} does not have the record.")
    return Story(tuple(lines), log.snapshot())


@functools.cache
def restart_loss(settings):
    """Return the simplest `Story` in which restarts lose an acknowledged record whose disk is whole, or None.

    A follower lags, or loses its disk and comes back with an empty one, or neither. Then brokers go down in any
    order, and come back with the disks that they had, the first or the last of them first.
    """
    downs = [order for count in range(1, REPLICAS + 1) for order in itertools.permutations(range(REPLICAS), count)]
    tries = itertools.product(
        [(), *[(broker,) for broker in FOLLOWERS]], [(), (1,), (2,), FOLLOWERS], [None, *FOLLOWERS], downs
    )
    for lagging, copied, emptied, down in sorted(
        tries, key=lambda one: (one[2] is not None, sum(map(len, one[::3])))
    ):
        if not set(lagging) & set(copied) and not (lagging and emptied):
            for up in dict.fromkeys((down, down[::-1])):
                if story := _restarted(settings, lagging, copied, emptied, down, up):
                    return story
    return None


def _restarted(settings, lagging, copied, emptied, down, up):
    sent = _sent(settings, lagging, copied)
    if sent is None:
        return None
    log, lines = sent
    if emptied is not None:
        log.rebuild(emptied)
        lines.append(f"Broker {emptied} loses its disk, and comes back with an empty one.")
    for broker in down:
        log.kill(broker)
        log.elect("t", 0)
        lines.append(f"Broker {broker} goes down; {_who_leads(log)}.")
    for broker in up:
        log.revive(broker)
        log.elect("t", 0)
        lines.append(f"Broker {broker} comes back, its disk is whole; {_who_leads(log)}.")
    log.replicate()
    replicas = log.snapshot()["partitions"][0]["replicas"]
    if any(one["records"] for one in replicas):
        return None
    lines.append("The others cut their logs to the leader's. No broker has the record.")
    return Story(tuple(lines), log.snapshot())


def refusal(settings, down):
    """Return the simplest `Story` in which a record is refused while `down` brokers are dead, or None.

    They die one after the other, in any order, and the others catch up in between.
    """
    for order in itertools.permutations(range(REPLICAS), down):
        log, lines = settings.log(), []
        for broker in order:
            log.replicate()
            log.kill(broker)
            log.elect()
            lines.append(f"Broker {broker} dies.")
        if refused := _refused(settings, log):
            return Story((*lines, refused), log.snapshot())
    return None


def refusal_with_one_alive(settings):
    """Return the simplest `Story` in which a record is refused although a broker is alive, or None.

    The last broker in sync dies, and one that fell behind comes back.
    """
    log, lines = settings.log(), []
    for broker in (1, 2):
        log.kill(broker)
        lines.append(f"Broker {broker} dies.")
    log.append("t", 0, [Pair("k", "earlier")], 1)
    log.kill(0)
    log.revive(1)
    log.elect()
    lines += ["A record is sent, which only broker 0 has.", "Broker 0 dies.", "Broker 1 comes back, without it."]
    refused = _refused(settings, log)
    return Story((*lines, refused), log.snapshot()) if refused else None


def _refused(settings, log):
    try:
        log.append("t", 0, [Pair("k", "record")], "all" if settings.acks == "all" else 1)
    except LeaderNotAvailable:
        return "A record is refused: the partition has no leader."
    except NotEnoughReplicas:
        return f"A record is refused: fewer than {settings.min_insync_replicas} replicas are in sync."
    return None


def waits_for_followers(settings):
    """Tell whether a sender with these acks hears nothing until followers have copied."""
    return settings.acks == "all" and not settings.log().append("t", 0, [Pair("k", "record")], "all").acknowledged
