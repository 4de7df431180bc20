"""The pictures of chapters 13 and later. Each function returns (what the picture shows, its caption, its marks)."""

from .first import Scene
from .marks import arrow, box, cross, line, words


def on_real_servers() -> Scene:
    """One handler, two worlds: the simulated stores, and three servers, each of which dies."""
    servers = (
        (38, "Kafka", "log, transactions"),
        (90, "PostgreSQL", "rows, in doubt"),
        (142, "etcd", "compare-and-swap"),
    )
    marks = [
        box(262, 66, 156, 58, "blue"),
        words(340, 90, "handler", "mid head"),
        words(340, 109, "unchanged", "mid small dim"),
        box(30, 66, 150, 58, "grey", "none"),
        words(105, 90, "simulated stores", "mid head"),
        words(105, 109, "every fault, at will", "mid small dim"),
        arrow(258, 95, 184, 95, "grey"),
        words(105, 150, "verdict", "mid", "green"),
        words(340, 150, "the same verdict?", "mid small dim"),
        line(150, 146, 280, 146, "line dash"),
        line(400, 146, 436, 146, "line dash"),
    ]
    for y, name, what in servers:
        marks += [
            arrow(422, 95, 470, y - 2, "blue"),
            box(474, y - 22, 150, 42, "green"),
            words(549, y - 4, name, "mid head"),
            words(549, y + 12, what, "mid small dim"),
            cross(646, y),
        ]
    return (
        "One handler, unchanged, works on two kinds of stores: on the left the simulated ones, on the right three real "
        "servers, Kafka, PostgreSQL and etcd, each of which is killed. The question is whether the verdict is the same.",
        "The handler asks its stores for everything. Exchange the stores, kill them, and compare the verdicts.",
        marks,
    )


def what_a_guarantee_costs() -> Scene:
    """The operations of a record with one effect as squares in a row, for three strategies: time goes right."""
    rows = (
        (42, "position beside the effect", 2, "green"),
        (86, "at least once", 3, "blue"),
        (130, "lock-free", 10, "amber"),
    )
    marks = []
    for y, name, count, colour in rows:
        marks.append(words(196, y + 5, name, "end head"))
        marks += [box(210 + 24 * at, y - 11, 20, 22, colour) for at in range(count)]
        marks.append(words(222 + 24 * count, y + 5, str(count), "", colour))
    marks += [arrow(210, 164, 640, 164), words(196, 168, "operations, one after the other", "end small dim")]
    return (
        "The time of a record with one effect, in operations on stores, one after the other: three for "
        "at-least-once, two for the position beside the effect, ten for the lock-free handler. Each operation takes "
        "as long as the store is away.",
        "A record with one effect costs operations on stores. Each takes as long as its store is away.",
        marks,
    )
