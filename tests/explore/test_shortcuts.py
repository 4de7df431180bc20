"""Each shortcut of the explorer relies on properties of operations: the table of them, walked through and checked.

The properties are checked on contents to which random operations lead. And the search with its shortcuts, all of them
and each alone, is compared with the plain search over random programs of all operations; see `programs`.
"""

import random

import pytest

import exactly_once.node  # noqa: F401 - all operations are known then
from exactly_once import prove
from exactly_once.errors import BadInput
from exactly_once.explore.model.shortcuts import BROKEN_BY, GOES_FIRST
from exactly_once.stores import KINDS, OPERATIONS, Blocked, Origin, is_held
from tests.explore import programs
from tests.explore.searching import by_brute_force

LIVES = (1, 2)
EXPLORED = [verb for verb in OPERATIONS if verb != "arrived"]  # a feed's on a cluster, which no exploration has
FAR = 9  # a life that holds nothing
EXAMPLES = {
    **programs.RAW,
    "put": (("engine", "inbox.1", (1, "a")), ("engine", "inbox.1", (2, "b")), ("engine", "inbox.1", (2, "c"))),
    "take": (("engine", "inbox.1", (1,)), ("engine", "inbox.1", (2,))),
    "acquire": tuple(("engine", "lock.k", (life, number)) for life in LIVES for number in (1, 2)),
    "release": tuple(("engine", "lock.k", (life, number)) for life in LIVES for number in (1, 2)),
    "begin_rows": tuple(("s", "rows", (life, level)) for life in LIVES for level in programs.LEVELS),
    "read_row": tuple(("s", "rows", (life, "r")) for life in LIVES),
    "read_rows": tuple(("s", "rows", (life,)) for life in LIVES),
    "lock_row": tuple(("s", "rows", (life, "r")) for life in LIVES),
    "update_row": tuple(("s", "rows", (life, "r", 4)) for life in LIVES),
    "update_row_where": tuple(("s", "rows", (life, "r", 0, 5)) for life in LIVES),
    "add_to_row": tuple(("s", "rows", (life, "r", 1)) for life in LIVES),
    "insert_row": tuple(("s", "rows", (life, "r", 0)) for life in LIVES),
    "commit_rows": tuple(("s", "rows", (life,)) for life in LIVES),
    "roll_back_rows": tuple(("s", "rows", (life,)) for life in LIVES),
}
ALL_EXAMPLES = [(verb, *example) for verb, examples in EXAMPLES.items() for example in examples]
WAITS, REFUSED = "waits", "refused"


def done(held, verb, store, part, arguments, origin=None):
    """Return (all contents after an operation, its answer); that it waits, or is refused, is one, too."""
    operation = OPERATIONS[verb]
    try:
        operation.refuse(arguments)
        places = operation.places(part, arguments)
        contents = [held.get((store, *place), KINDS[place[0]].empty) for place in places]
        more = operation.more_places(part, contents, arguments)
        contents += [held.get((store, *place), KINDS[place[0]].empty) for place in more]
        found = operation.carried_out(part, contents, arguments, origin)
    except Blocked:
        return held, WAITS
    except BadInput:
        return held, REFUSED
    after = dict(held)
    for place, content in zip([*places, *more], found.contents, strict=True):
        after[store, *place] = content
        if content == KINDS[place[0]].empty:
            del after[store, *place]
    return after, found.answer


def moments():
    """Return contents of all stores to which random operations lead, those of one group often."""
    found = [{}]
    for seed in range(220):
        rng = random.Random(seed)
        group = [verb for verb in programs.GROUPS[seed % len(programs.GROUPS)] if verb in EXAMPLES] or list(EXAMPLES)
        held = {}
        for _ in range(8):
            verb = rng.choice(group)
            held, _ = done(held, verb, *rng.choice(EXAMPLES[verb]))
            found.append(held)
    return list({repr(sorted(held.items())): held for held in found}.values())


MOMENTS = moments()


def of_one_kind(verb):
    """Return moments for an operation: of those that lead to parts of its kind, and a few of the others."""
    kinds = {kind for _, part, arguments in EXAMPLES[verb] for kind, _ in OPERATIONS[verb].places(part, arguments)}
    near = [held for held in MOMENTS if kinds & {kind for _, kind, _ in held}]
    return near[:: max(1, len(near) // 60)] + MOMENTS[::40]


def by_sender(held):
    """Return contents with the messages of each inbox by their senders, which is how the explorer holds them."""
    return {
        place: tuple(sorted(content, key=lambda waiting: waiting[0])) if place[1] == "inbox" else content
        for place, content in held.items()
    }


def passed(held, life, successor):
    found = {}
    for (store, kind, part), content in held.items():
        how = KINDS[kind].passed
        after = content if how is None else how(content, life, successor)
        if after != KINDS[kind].empty:
            found[store, kind, part] = after
    return found


def in_any_order(held, mine, other):
    """Tell whether two operations, both of which can be done, come to the same in either order."""
    after, first = done(held, *mine)
    after, second = done(after, *other)
    before, there = done(held, *other)
    before, here = done(before, *mine)
    return (by_sender(after), first, second) == (by_sender(before), here, there)


def others(held, mine, but=()):
    """Return the examples of operations that can be done in a moment, of other lives than that of `mine`."""
    found = []
    for one in ALL_EXAMPLES:
        same = one[1:3] == mine[1:3] and OPERATIONS[one[0]].kind in ("inbox", "lock") and one[3][:1] == mine[3][:1]
        if not same and one[0] not in but and done(held, *one)[1] is not WAITS:
            found.append(one)
    return found


def is_function(held, example):
    verb = example[0]
    (after, answer), (again, second) = done(held, *example), done(held, *example)
    assert (after, answer) == (again, second)
    asked, third = done(held, *example, origin=Origin(life=3, step=4, item=5))
    assert third == answer
    assert OPERATIONS[verb].keeps_origin or asked == after
    return True


def keeps_who_asked_apart(held, example):
    verb, store, part, _ = example
    after, _ = done(held, *example)
    asked, _ = done(held, *example, origin=Origin(life=3, step=4, item=5))
    if verb == "enqueue":
        contents = [one.get((store, "queue", part), ((), ())) for one in (after, asked)]
        assert [[text for text, _ in messages] for messages, _ in contents].count(
            [text for text, _ in contents[0][0]]
        ) == 2
    else:
        read = [done(one, "consume", store, part, (0, None))[1] for one in (after, asked)]
        told = [one if "error" in one else [record[:3] for record in one["records"]] for one in read]
        assert told[0] == told[1]
    return after != held


def never_waits(held, example):
    verb, store, part, arguments = example
    places = OPERATIONS[verb].places(part, arguments)
    if any(is_held(held.get((store, *place))) for place in places):
        return False
    assert done(held, *example)[1] is not WAITS
    return True


def changes_nothing(held, example):
    after, answer = done(held, *example)
    assert after == held
    return answer not in (WAITS, REFUSED)


def passes_on(held, example):
    verb, store, part, (life, *rest) = example
    after, answer = done(held, *example)
    moved, second = done(passed(held, life, FAR), verb, store, part, (FAR, *rest))
    assert (passed(after, life, FAR), answer) == (moved, second)
    return answer not in (WAITS, REFUSED)


def keeps_the_order_of_a_sender(held, example):
    after, answer = done(held, *example)
    other, second = done(by_sender(held), *example)
    assert (by_sender(after), answer) == (by_sender(other), second)
    return answer is not WAITS


def tells_no_version(held, example):
    verb, _, _, arguments = example
    after, answer = done({("s", "cell", "x"): (1, "7")}, verb, "s", "x", arguments)
    later, second = done({("s", "cell", "x"): (5, "7")}, verb, "s", "x", arguments)
    assert after["s", "cell", "x"][1] == later["s", "cell", "x"][1]
    if verb == "read":  # who loads state asks whether anything was saved, and takes the value
        assert (bool(answer[0]), answer[1]) == (bool(second[0]), second[1])
    return True


def is_nobody_s(held, example):
    inputs = {**held, ("engine", "log", "input.seattle"): ("1", "2")}
    for other in ALL_EXAMPLES:
        if other[1] == "engine":
            assert done(inputs, *other)[0]["engine", "log", "input.seattle"] == ("1", "2")
    return True


def is_refused_for_good(held, example):
    _, store, part, (expected, *_) = example
    content = held.get((store, "cell", part), (0, "null"))
    if isinstance(expected, list) or is_held(content) or expected >= content[0]:
        return False
    after, answer = done(held, *example)
    assert (after, answer) == (held, False)
    for other in others(held, example, BROKEN_BY["refused for good"]):
        if other[0] == "transact" and any(one[1] == "rename" for one in other[3][0]):
            continue
        assert done(done(held, *other)[0], *example)[1] is False, other
    return True


def commutes(held, example):
    if done(held, *example)[1] in (WAITS, REFUSED):
        return False
    if example[0] == "release" and held.get(("engine", "lock", "lock.k"), (None,))[0] not in (None, example[3][0]):
        return False  # it frees nothing
    for other in others(held, example):
        assert in_any_order(held, example, other), other
    return True


def grows(held, example):
    verb, _, _, arguments = example
    for version in (0, 1, 2):
        cell, later = {("s", "cell", "x"): (version, "7")}, {("s", "cell", "x"): (version + 100, "7")}
        moved = arguments
        if verb == "cas" and not isinstance(arguments[0], list):
            moved = (arguments[0] + 100, *arguments[1:])
        after, answer = done(cell, verb, "s", "x", arguments)
        other, second = done(later, verb, "s", "x", moved)
        assert after["s", "cell", "x"][0] >= version
        assert other["s", "cell", "x"][0] - after["s", "cell", "x"][0] == 100
        assert answer == second if verb == "cas" else answer[1] == second[1]
    return True


CHECKS = {
    "function": is_function,
    "item apart": keeps_who_asked_apart,
    "never waits": never_waits,
    "changes nothing": changes_nothing,
    "passes on": passes_on,
    "sender's order": keeps_the_order_of_a_sender,
    "unseen version": tells_no_version,
    "nobody's": is_nobody_s,
    "refused for good": is_refused_for_good,
    "only awaited": commutes,
    "its own": commutes,
    "lets go": commutes,
    "grows": grows,
}
PROPERTIES = {  # property: the operations of which it is relied on
    "unseen version": ("read", "write"),
    "grows": ("read", "cas"),
    **{name: (verb,) for verb, name in GOES_FIRST.items()},
}
RELIANCES = {  # what an operation says of itself, and what the search relies on besides
    verb: [
        "function",
        *["item apart"] * operation.keeps_origin,
        *["never waits"] * (not operation.blocks),
        *["changes nothing"] * operation.reads,
        *["passes on"] * operation.by_life,
        *["sender's order"] * (verb in ("put", "take")),
        *(name for name, verbs in PROPERTIES.items() if verb in verbs),
    ]
    for verb, operation in OPERATIONS.items()
    if verb in EXPLORED
}
FEW = ("nobody's", "only awaited", "its own", "lets go", "refused for good")  # compared with all others


class TestTheTable:
    def test_every_property_is_checked(self):
        assert {name for names in RELIANCES.values() for name in names} == set(CHECKS) > set(PROPERTIES)
        assert set(BROKEN_BY) <= set(PROPERTIES)
        assert {verb for verbs in BROKEN_BY.values() for verb in verbs} <= set(OPERATIONS)

    @pytest.mark.parametrize(("verb", "name"), [(verb, name) for verb, names in RELIANCES.items() for name in names])
    def test_a_property_holds_on_examples(self, verb, name):
        at = of_one_kind(verb)[:: 7 if name in FEW else 1]
        seen = sum(CHECKS[name](held, (verb, *example)) for held in at for example in EXAMPLES[verb])
        assert seen, "no example shows it"

    @pytest.mark.parametrize("verb", BROKEN_BY["refused for good"])
    def test_what_breaks_a_refusal_for_good_does(self, verb):
        held = {("s", "cell", "a"): (2, "7")}
        refused = ("cas", "s", "a", (0, 3))
        assert done(held, *refused) == (held, False)
        after = [done(done(held, verb, *example)[0], *refused)[1] for example in EXAMPLES[verb]]
        assert any(answer in (True, WAITS) for answer in after)

    def test_every_operation_can_be_in_a_random_program(self):
        assert set(programs.EVERY) == set(EXPLORED)
        drawn = "\n".join(programs.drawn(seed)[2] for seed in range(3_000))
        assert [verb for verb in programs.RAW if f"'{verb}'" not in drawn] == []
        assert [verb for verb, (name, _) in programs.SESSION.items() if f".{name}(" not in drawn] == []
        assert [verb for verb, calls in programs.CALLS.items() if not any(call[:12] in drawn for call in calls)] == []


class TestRandomPrograms:
    def test_the_shortcuts_lose_nothing_where_one_of_them_could(self):
        """These programs tell each shortcut that is taken too often from one that is sound."""
        assert programs.disagreements([180, 278, 445, 51_918]) == ([], 4)

    @pytest.mark.some(day=1, ci=2)
    @pytest.mark.parametrize("first", range(0, 100, 10))
    def test_the_shortcuts_lose_nothing(self, first):
        wrong, compared = programs.disagreements(range(first, first + 10))
        assert compared >= 8
        assert wrong == []

    @pytest.mark.slow
    @pytest.mark.parametrize("first", range(100, 5_500, 100))
    def test_the_shortcuts_lose_nothing_over_many_more(self, first):
        wrong, compared = programs.disagreements(range(first, first + 100))
        assert compared >= 95
        assert wrong == []

    @pytest.mark.slow
    def test_contents_do_what_real_stores_do(self):
        """The plain search itself is compared with schedules that are performed one by one, on stores in memory."""
        compared = 0
        for seed in range(600):
            handlers, bounds, source = programs.drawn(seed)
            faults = {kind: number for kind, number in bounds.items() if kind != "nodes" and number}
            if bounds["nodes"] > 1 or sum(faults.values()) > 1 or faults.keys() & {"pauses", "late_requests"}:
                continue  # too many schedules, where nothing is known that was seen before
            (found, _), _ = programs.come_to(handlers, bounds, False)
            assert found == by_brute_force(handlers[0], **faults), source
            compared += 1
        assert compared > 60


def renames(node):
    """The cell of the first node begins anew when it is moved away; the second one's cas waits for its moment."""
    cells = node.store("s")
    if node.number == 1:
        cells.write("a", 1)
        cells.rename("a", "b")
    else:
        node.output.push(cells.cas("a", 0, 2))


def holds(node):
    """The first node prepares a transaction on the cell and commits it; the second one's cas is too late anyway."""
    cells = node.store("s")
    if node.number == 1:
        cells.write("a", 1)
        cells.prepare("p", ("write", "a", 2))
        cells.commit_prepared("p")
    else:
        node.output.push(cells.cas("a", 0, 2))


@pytest.mark.parametrize("handler", [renames, holds], ids=lambda one: one.__name__)
def test_a_refusal_that_is_not_for_good(handler):
    found = [
        prove(handler, nodes=2, items=1, crashes=0, merge=merge, invariant=lambda view: True) for merge in (1, 0)
    ]
    assert [proof.headline for proof in found] == [found[0].headline] * 2
    assert found[0].ok, "no deadlock: the first node ends what it has prepared"
    assert found[0].lock_free == (handler is renames), "the other one waits for it"
