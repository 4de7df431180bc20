"""The pictures of chapters 00 to 06. Each function returns (what the picture shows, its caption, its marks)."""

from .marks import arrow, box, cell, cells, cross, dot, line, words

Scene = tuple[str, str, list[str]]


def start_here() -> Scene:
    """The naive handler, killed right after a push. The picture leaves what comes next to the reader."""
    x = {hour: 130 + 74 * number for number, hour in enumerate((1, 2, 3, "3 ", 4, 5, 6))}
    return (
        "Two processes and their output. The first process pushes the averages of hours 1, 2 and 3 and is killed. "
        "A second process begins. What it pushes is left open.",
        "Killed right after a push. What does the next process do, and what is in the output then?",
        [
            words(24, 40, "process 1", "", "blue"),
            words(24, 76, "process 2", "", "green"),
            words(24, 144, "output", "head"),
            line(116, 36, x[3] + 26, 36),
            line(x["3 "] - 26, 72, 640, 72),
            *(arrow(x[hour], 36, x[hour], 121, "blue") for hour in (1, 2, 3)),
            arrow(x["3 "], 72, x["3 "], 121, "green", dashed=True),
            cross(x[3] + 30, 36),
            words(x[3] + 44, 32, "SIGKILL", "small", "red"),
            *(cell(x[hour] - 22, 124, hour, "blue", 44) for hour in (1, 2, 3)),
            cell(x["3 "] - 22, 124, "?", "green", 44, "none"),
        ],
    )


def lamport_clocks() -> Scene:
    """One message between two clocks."""
    return (
        "Two processes with their Lamport stamps. P counts 1, 2, 3 and sends a message with stamp 3. Q had counted 1; "
        "at the receipt it takes the larger of 1 and 3 and adds 1, and goes on from 4.",
        "Each event adds 1. A receipt first takes the larger of its own counter and the message's stamp.",
        [
            words(34, 54, "P", "head"),
            words(34, 138, "Q", "head"),
            line(60, 49, 640, 49),
            line(60, 133, 640, 133),
            arrow(336, 60, 424, 121, "grey"),
            words(392, 86, "a message, stamp 3", "dim"),
            *(dot(x, 49, stamp, "blue") for x, stamp in ((110, 1), (215, 2), (325, 3), (570, 4))),
            *(dot(x, 133, stamp, "green") for x, stamp in ((165, 1), (435, 4), (540, 5))),
            words(435, 168, "max(1, 3) + 1 = 4", "mid", "green"),
        ],
    )


def the_log() -> Scene:
    """Three replicas and the high watermark."""
    x, step = 170, 47
    mark = x + 4 * step - 4
    kept = [("leader", 32, 6, "all writes go here"), ("follower", 74, 5, "in sync"), ("follower", 116, 4, "in sync")]
    drawn = []
    for name, y, has, note in kept:
        drawn += [words(24, y + 14, name, "head"), words(24, y + 29, note, "small dim")]
        drawn += [cell(x + step * offset, y, offset, "green" if offset < 4 else "amber", 40) for offset in range(has)]
    return (
        "A leader and two followers that are in sync. The leader holds the records of offsets 0 to 5, the followers 0 "
        "to 4 and 0 to 3. The high watermark is 4: records 0 to 3 are on all three and committed, 4 and 5 are not.",
        "Below the high watermark every replica in sync has the record: a leader's death takes none.",
        [
            *drawn,
            line(mark, 18, mark, 160, "way dash blue"),
            words(mark + 8, 164, "high watermark 4", "small", "blue"),
            words(mark - 8, 164, "committed", "end small", "green"),
            words(472, 52, "not committed:", "", "amber"),
            words(472, 70, "may be lost, even if the", "dim"),
            words(472, 88, "leader acknowledged it", "dim"),
        ],
    )


def delivery_semantics() -> Scene:
    """No answer: four cases."""
    drawn = [
        words(415, 28, "send again", "mid head"),
        words(575, 28, "give up", "mid head"),
    ]
    for y, lost in ((62, "request"), (120, "reply")):
        drawn += [
            words(24, y + 4, f"{lost} lost", "head"),
            words(24, y + 20, "no answer", "small dim"),
            dot(142, y + 4, 3, "blue"),
            box(270, y - 13, 46, 34, "grey"),
            words(293, y + 8, "log", "mid"),
        ]
    drawn += [
        arrow(158, 66, 210, 66, "blue"),
        cross(220, 66),
        arrow(158, 118, 267, 118, "blue"),
        arrow(267, 132, 222, 132, "grey", dashed=True),
        cross(211, 132),
        cells(362, 44, "1 2 3", "green"),
        words(415, 90, "right", "mid small", "green"),
        cells(522, 44, "1 2", "green"),
        cell(592, 44, "", "amber", kind="none"),
        words(575, 90, "lost", "mid small", "amber"),
        cells(345, 102, "1 2 3", "green"),
        cell(450, 102, 3, "red"),
        words(415, 148, "doubled", "mid small", "red"),
        cells(522, 102, "1 2 3", "green"),
        words(575, 148, "right", "mid small", "green"),
    ]
    return (
        "Record 3 is sent and no answer comes: either the request was lost or the reply. If the request was lost, "
        "sending again is right and giving up loses the record. If the reply was lost, sending again doubles the "
        "record and giving up is right.",
        "The sender sees the same error in both rows: sending again may double, giving up may lose.",
        drawn,
    )


def crash_points() -> Scene:
    """Four writes, and five places to die."""
    drawn = [line(40, 56, 640, 56)]
    for number, name in enumerate(("output", "counter", "state", "positions")):
        x = 92 + number * 132
        drawn += [box(x, 38, 100, 36, "blue", "open"), box(x, 38, 100, 36, "blue")]
        drawn.append(words(x + 50, 61, name, "mid head"))
    for number, letter in enumerate("ABCDE"):
        x = 76 + number * 132
        drawn += [dot(x, 56, letter, "purple"), line(x, 71, x, 100), words(x, 122, "?", "mid", "purple")]
    return (
        "A handler makes four writes one after the other, to output, counter, state and positions. It can be killed at "
        "five points: A before the first write, B, C and D between two writes, E after the last one.",
        "Four writes one after the other. What does a death at each of the five points leave behind?",
        drawn,
    )


def idempotent_producer() -> Scene:
    """The second copy is recognised by its number."""
    p, b = 46, 130
    return (
        "A producer with id 7 sends the numbers 0, 1 and 2 to a broker. The acknowledgement of 1 is lost, so the "
        "producer sends 1 again. The broker recognises the number, acknowledges it and does not append it: the log "
        "holds 0, 1 and 2 once each.",
        "The broker knows the number: it acknowledges the second copy, and does not append it.",
        [
            words(24, p - 2, "producer", "head"),
            words(24, p + 14, "id 7", "small dim"),
            words(24, b - 2, "broker", "head"),
            words(24, b + 14, "checks numbers", "small dim"),
            line(126, p, 510, p),
            line(126, b, 510, b),
            *(
                arrow(x + 6, p + 12, x + 32, b - 13, colour)
                for x, colour in ((142, "blue"), (222, "blue"), (334, "amber"), (434, "blue"))
            ),
            *(arrow(x + 44, b - 12, x + 68, p + 2, "grey", dashed=True) for x in (142, 334, 434)),
            line(266, b - 12, 280, b - 46, "way dash grey"),
            cross(284, b - 56, 6),
            *(dot(x, p, number, "blue") for x, number in ((142, 0), (222, 1), (434, 2))),
            dot(334, p, 1, "amber"),
            *(dot(x + 38, b, number, "green") for x, number in ((142, 0), (222, 1), (434, 2))),
            dot(372, b, 1, "amber", "open"),
            words(334, p - 20, "again", "mid small", "amber"),
            words(372, b + 30, "a duplicate: not appended", "mid small", "amber"),
            words(536, 66, "the log", "head"),
            cells(536, 78, "0 1 2", "green"),
            words(536, 128, "each once,", "small dim"),
            words(536, 144, "in order", "small dim"),
        ],
    )


def transactions() -> Scene:
    """Three partitions, one decision, and the last stable offset."""
    rows = [("output", "average", 22), ("changelog", "state", 66), ("offsets", "positions", 110)]
    drawn = []
    for topic, value, y in rows:
        drawn += [
            words(24, y + 19, topic, "head"),
            cell(116, y, "…", "grey", 36),
            cell(156, y, value, "blue", 92),
            arrow(418, 81, 279, y + 15, "green"),
            cell(252, y, "C", "green", 28),
        ]
    return (
        "A transaction has one record in each of three partitions: an average in output, the state in changelog, and "
        "the positions in offsets. The coordinator writes PrepareCommit, then a commit marker C to each partition. "
        "Until the marker comes, read_committed stops at the last stable offset, before the record.",
        "One decision covers output, state and positions. Until its markers come, careful readers wait.",
        [
            *drawn,
            line(154, 14, 154, 150, "way dash amber"),
            words(154, 166, "last stable offset until C is there", "mid small", "amber"),
            words(266, 166, "", "mid"),
            box(420, 52, 226, 58, "green"),
            words(533, 76, "PrepareCommit", "mid", "green"),
            words(533, 96, "in the coordinator’s log", "mid small dim"),
            words(533, 34, "the moment of the commit", "mid"),
            words(533, 134, "then a marker C for each partition", "mid small dim"),
        ],
    )
