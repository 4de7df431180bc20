"""The pictures of chapters 07 to 12. Each function returns (what the picture shows, its caption, its marks)."""

from .first import Scene
from .marks import arrow, box, cell, cells, cross, dot, line, words


def into_another_system() -> Scene:
    """Two ways: one commit in one place, or two-phase commit."""
    return (
        "Two ways to have an effect in another system once. On the left, effect and position are written in one "
        "transaction of the database. On the right, engine and database prepare, one write decides, and both carry "
        "out the decision.",
        "Put the position beside the effect: one commit. Or prepare both, decide once, and carry out.",
        [
            words(160, 30, "the position beside the effect", "mid head"),
            arrow(40, 98, 100, 98, "blue"),
            words(66, 88, "item 3", "mid small dim"),
            box(104, 46, 190, 110, "green", "none"),
            words(199, 66, "database", "mid small dim"),
            cell(122, 76, "counter + 1", "blue", 154),
            cell(122, 110, "position 4", "blue", 154),
            words(199, 174, "one commit", "mid", "green"),
            line(330, 22, 330, 172),
            words(505, 30, "two-phase commit", "mid head"),
            box(366, 52, 104, 40, "blue"),
            words(418, 69, "engine", "mid head"),
            words(418, 85, "prepared", "mid small dim"),
            box(366, 122, 104, 40, "blue"),
            words(418, 139, "database", "mid head"),
            words(418, 155, "prepared", "mid small dim"),
            box(546, 84, 108, 46, "green"),
            words(600, 104, "commit", "mid", "green"),
            words(600, 121, "decides", "mid small dim"),
            arrow(543, 98, 474, 74, "green"),
            arrow(543, 116, 474, 140, "green"),
        ],
    )


def half_transactions() -> Scene:
    """A mover dies between the halves of its transfer."""
    return (
        "A transfer of 7 from account a to account b in two halves. The mover withdraws 7 from a, which goes from 10 "
        "to 3, and dies before it pays into b. The intent, which says move 7 from a to b, is written down, so another "
        "process reads it and finishes the second half: b goes from 0 to 7.",
        "Between the halves only the mover’s memory holds the 7. An intent lets another process finish.",
        [
            box(40, 30, 110, 62, "blue"),
            words(95, 54, "account a", "mid head"),
            words(95, 78, "10 → 3", "mid"),
            box(530, 30, 110, 62, "blue"),
            words(585, 54, "account b", "mid head"),
            words(585, 78, "0 → 7", "mid"),
            arrow(153, 61, 262, 61, "blue"),
            words(207, 51, "withdraws 7", "mid small dim"),
            dot(280, 61, 7, "blue"),
            words(280, 36, "mover", "mid small dim"),
            line(296, 61, 330, 61, "way dash grey"),
            cross(342, 61),
            words(356, 58, "dies: the 7 is nowhere", "small", "red"),
            box(196, 114, 168, 42, "amber"),
            words(280, 132, "intent", "mid", "amber"),
            words(280, 149, "move 7 from a to b", "mid small"),
            arrow(367, 135, 440, 135, "green"),
            dot(458, 135, 7, "green"),
            words(458, 167, "another process", "mid small dim"),
            arrow(473, 130, 568, 96, "green"),
            words(536, 130, "finishes", "small", "green"),
        ],
    )


def lock_free_queue() -> Scene:
    """A stopped pusher, and one that helps."""
    x = {index: 150 + 62 * index for index in range(6)}
    filled = (("a", "grey"), ("b", "grey"), ("c", "blue"), ("d", "green"))
    return (
        "A queue of cells and a hint where the empty cells begin. Node 1 fills cell 2 by compare-and-swap and stops "
        "before it moves the hint. Node 2 is refused at cell 2, fills cell 3, and moves the hint past both cells, "
        "from 2 to 4.",
        "No lock: a node that stops holds up nobody. The next one fills a cell, and moves the hint for both.",
        [
            words(24, 38, "node 1", "", "blue"),
            words(24, 66, "node 2", "", "green"),
            words(24, 108, "queue", "head"),
            words(24, 157, "hint", "head"),
            line(84, 34, x[2] + 28, 34),
            arrow(x[2] + 28, 34, x[2] + 28, 85, "blue"),
            words(x[2] + 36, 28, "cas", "small", "blue"),
            cross(x[2] + 76, 34),
            words(x[2] + 92, 38, "stops, and has not moved the hint", "small", "red"),
            line(84, 62, x[3] + 28, 62),
            arrow(x[3] + 28, 62, x[3] + 28, 85, "green"),
            words(x[3] + 40, 66, "cas refused at 2, so it fills 3", "small", "green"),
            *(cell(x[index], 88, value, colour, 56) for index, (value, colour) in enumerate(filled)),
            *(cell(x[index], 88, "", "grey", 56, "none") for index in (4, 5)),
            *(words(x[index] + 28, 134, str(index), "mid small dim") for index in x),
            dot(x[2] + 28, 153, 2, "grey", "open"),
            arrow(x[2] + 44, 153, x[4] + 11, 153, "green"),
            dot(x[4] + 28, 153, 4, "green"),
            words(x[4] + 50, 157, "moved by node 2", "small", "green"),
        ],
    )


def lock_free_handler() -> Scene:
    """Twins on one stream."""
    return (
        "Two twins read the same inputs and work on the same machine, a register that holds state, positions and "
        "stage and changes by compare-and-swap. Twin 2 has stopped; twin 1 goes on. Each output record is there once.",
        "Each twin does every step and the first cas counts: one may stop, and each record is there once.",
        [
            words(24, 46, "inputs", "head"),
            cells(24, 58, "1 2 3", "blue"),
            words(24, 118, "both twins", "small dim"),
            words(24, 134, "read all of them", "small dim"),
            arrow(136, 68, 196, 52, "grey"),
            arrow(136, 80, 196, 122, "grey"),
            box(200, 30, 88, 38, "green"),
            words(244, 54, "twin 1", "mid head"),
            box(200, 108, 88, 38, "grey"),
            words(244, 132, "twin 2", "mid head"),
            cross(286, 110),
            words(244, 164, "stopped", "mid small", "red"),
            arrow(291, 50, 366, 78, "green"),
            words(338, 54, "cas", "small", "green"),
            line(291, 127, 340, 107, "way dash grey"),
            box(370, 56, 122, 68, "purple"),
            words(431, 76, "machine", "mid", "purple"),
            words(431, 95, "state, positions,", "mid small"),
            words(431, 112, "stage · version 9", "mid small"),
            arrow(495, 90, 546, 90, "green"),
            words(550, 62, "output", "head"),
            cells(550, 74, "1 2 3", "green"),
            words(550, 124, "each once", "small dim"),
        ],
    )


def what_it_promises() -> Scene:
    """Who waits when a node stops, and what a step costs."""
    one, twins = (140, 164, 188, 330, 354, 378), (140, 164, 188, 212, 236, 260, 284, 308, 332, 356, 380)
    dots = '<circle class="full {}" cx="{}" cy="{}" r="6"/>'
    return (
        "When a node stops, the records of a single node wait until it has been started again; the records of twins do "
        "not wait. The price of a step, in operations of the store, is 2 plus the inputs plus 7 times the outputs.",
        "The promise: no record waits for a node’s restart. The price: more operations for each step.",
        [
            words(24, 46, "one node", "head"),
            line(122, 42, 206, 42),
            line(312, 42, 400, 42),
            *(dots.format("blue", x, 42) for x in one),
            cross(212, 42),
            words(262, 37, "records", "mid small", "amber"),
            words(262, 53, "wait", "mid small", "amber"),
            words(24, 104, "twins", "head"),
            line(122, 100, 400, 100),
            line(122, 122, 206, 122),
            *(dots.format("green", x, 100) for x in twins),
            cross(212, 122),
            words(228, 127, "one of them stops: nothing waits", "small dim"),
            words(400, 160, "time →", "end small dim"),
            line(430, 24, 430, 166),
            words(548, 44, "operations a step", "mid head"),
            box(452, 58, 192, 40, "purple"),
            words(548, 83, "2 + inputs + 7 · outputs", "mid", "purple"),
            words(548, 122, "one after the other; a second", "mid small dim"),
            words(548, 139, "twin makes none of them faster", "mid small dim"),
        ],
    )


def sparks_own() -> Scene:
    """A batch: offsets, effect, commit; and a driver that dies between the last two."""
    plan, sink, commit, high = 110, 280, 500, 36

    def step(x: float, y: float, text: str, colour: str, wide: float, kind: str = "box") -> str:
        ground = box(x, y, wide, high, colour, "open") if kind == "box" else ""
        return ground + box(x, y, wide, high, colour, kind) + words(x + wide / 2, y + 23, text, "mid head")

    return (
        "Batch 7 of a streaming query: offsets/7 is written first, the sink commits its rows, and commits/7 is written "
        "last. The first driver is killed between the last two. The next driver finds no commits/7 and runs batch 7 "
        "again; the sink has kept id 7 beside the rows, drops the repetition, and commits/7 is written.",
        "Without commits/7 the batch runs again, with the same id. A sink that kept the id drops it.",
        [
            words(24, 57, "driver 1", "", "blue"),
            line(88, 53, 446, 53),
            words(plan + 55, 26, "where batch 7 ends", "mid small dim"),
            step(plan, 35, "offsets/7", "blue", 110),
            words(sink + 65, 26, "the sink’s transaction", "mid small dim"),
            step(sink, 35, "rows, and id 7", "blue", 130),
            cross(450, 53),
            words(450, 26, "killed", "mid small", "red"),
            words(commit + 55, 26, "missing", "mid small", "red"),
            step(commit, 35, "commits/7", "red", 110, "none"),
            words(24, 133, "driver 2", "", "green"),
            line(88, 129, 640, 129),
            words(plan + 55, 102, "it is there", "mid small dim"),
            step(plan, 111, "offsets/7", "green", 110),
            words(sink + 65, 102, "batch 7 again", "mid small dim"),
            step(sink, 111, "id 7 there: skip", "green", 130),
            words(commit + 55, 102, "batch 7 is done", "mid small dim"),
            step(commit, 111, "commits/7", "green", 110),
        ],
    )
