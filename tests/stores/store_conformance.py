"""What every store must do: a list of checks, each a function of a fresh, empty store, run on every
implementation.
"""

from fractions import Fraction

import pytest

from exactly_once import Window
from exactly_once.errors import BadInput
from exactly_once.stores import Blocked, Origin

VALUES = [
    None, True, False, 0, 1, -1, 2**80, 1.5, -0.0, 1e300, "", "text", "ü – ‘größer’ \u2028 \x00", [], {},
    [1, [2, [3]]], {"a": [None, {"b": True}]}, Fraction(1, 3), Fraction(-394, 10), Window(),
    [Fraction(1, 7), {"w": Window()}],
    Window([(1, "seattle", Fraction(394, 10)), (1, "seattle", Fraction(394, 10))]),
]  # fmt: skip
REFUSED = [
    float("nan"), float("inf"), [1, float("-inf")], {1: "one"}, {None: 1}, {"$fraction": [1, 2]}, {(1, 2): 3},
    object(), {1, 2}, b"bytes", 1j, len, [Fraction(1, 2), object()], {"deep": [{"deeper": {2: 3}}]},
]  # fmt: skip
SELF = []
SELF.append(SELF)
REFUSED += [SELF, 10**5000]


def same(one, other):
    """Tell whether two values are equal and of the same types, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other and str(one) == str(other)


def everything(store):
    """Return what an observer sees of all parts, and the journal."""
    found = [
        (part, kind, store.look(part, kind)) for part in ("c", "l", "t", "new") for kind in ("cell", "log", "table")
    ]
    return found, store.journal()


def a_cell_starts_empty(store):
    assert store.do("c", "read").value == [0, None]
    assert store.look("c", "cell") is None


def each_write_is_a_version(store):
    assert [store.do("c", "write", value).value for value in "abc"] == [1, 2, 3]
    assert store.do("c", "read").value == [3, "c"]
    assert store.do("other", "read").value == [0, None], "cells are apart"


def cas_wants_the_version_and_not_the_value(store):
    assert store.do("c", "cas", 0, "a").value is True
    assert store.do("c", "cas", 0, "b").value is False
    assert store.do("c", "read").value == [1, "a"], "a refused cas changes nothing"
    store.do("c", "write", "b")
    store.do("c", "write", "a")
    assert store.do("c", "cas", 1, "z").value is False, "the same value again is another version"
    assert store.do("c", "cas", 3, "z").value is True
    assert store.do("c", "read").value == [4, "z"]


def cas_compares_a_value_in_a_list(store):
    assert store.do("c", "cas", ["a"], "b").value is False
    assert store.do("c", "cas", [None], "a").value is True, "nothing was written"
    assert store.do("c", "cas", ["a"], "b").value is True
    store.do("c", "write", "a")
    assert store.do("c", "cas", ["a"], "z").value is True, "the same value again fits"
    assert store.do("c", "cas", ["a"], "z").value is False
    assert store.do("c", "read").value == [4, "z"]


def a_log_gives_offsets(store):
    assert [store.do("l", "append", value).value for value in "xyz"] == [0, 1, 2]
    assert store.look("l", "log") == ["x", "y", "z"]
    assert store.look("empty", "log") == []


def fetch_gives_each_stream_from_its_offset(store):
    store.fill("in.one", [10, 11, 12])
    store.fill("in.two", [20])
    fetch = store.do("in", "fetch", {"one": 1, "two": 0, "three": 0}, 2).value
    assert fetch == {"one": [11, 12], "two": [20], "three": []}
    assert store.do("in", "fetch", {"one": 1}, 1).value == {"one": [11]}
    assert store.do("in", "fetch", {"one": 3, "two": 99}, 5).value == {"one": [], "two": []}
    assert store.do("in", "fetch", {"one": 0}, 0).value == {"one": []}


def fill_continues_a_log_without_ticks_or_journal(store):
    store.fill("l", ["a"])
    store.fill("l", ["b", "c"])
    assert store.do("l", "append", "d").value == 3
    assert store.look("l", "log") == ["a", "b", "c", "d"]
    assert [(entry.received, entry.value) for entry in store.journal()] == [(1, "d")]


def a_table_adds(store):
    assert store.look("t", "table") == 0
    assert [store.do("t", "add", number).value for number in (1, 5, -2, 0)] == [1, 6, 4, 4]
    assert store.look("t", "table") == 4
    assert store.look("u", "table") == 0


def a_table_never_approximates(store):
    store.do("t", "add", 2**62)
    with pytest.raises(BadInput, match=str(2**62)):
        store.do("t", "add", 2**62)
    assert store.look("t", "table") == 2**62
    with pytest.raises(BadInput):
        store.do("t", "add", 2**70)


def kinds_of_parts_share_no_contents(store):
    store.do("same", "write", "cell")
    store.do("same", "append", "log")
    store.do("same", "add", 7)
    assert [store.look("same", kind) for kind in ("cell", "log", "table")] == ["cell", ["log"], 7]


def stamps_pass_the_request_and_only_grow(store):
    received = []
    for stamp in (5, 1, 40, 0):
        reply = store.do("c", "write", stamp, origin=Origin(stamp=stamp))
        assert reply.received > stamp
        assert reply.sent == reply.received + 1
        received += [reply.received, reply.sent]
    assert received == sorted(set(received)) == [6, 7, 8, 9, 41, 42, 43, 44]


def each_part_has_a_clock_of_its_own(store):
    store.do("c", "write", 1, origin=Origin(stamp=100))
    assert store.do("l", "append", 1).received == 1
    assert store.do("c", "read").received == 103, "a read receives the stamp of the write before it"


def the_journal_has_each_operation_with_its_origin(store):
    origin = Origin(life=2, step=7, item=3, stamp=9, inputs=((1, "seattle"), (2, "san_francisco")))
    store.do("c", "write", Fraction(1, 3), origin=origin)
    store.do("c", "read")
    store.do("c", "cas", 9, "refused")
    store.do("c", "cas", 1, "taken")
    store.do("t", "add", 2, origin=origin)
    write, read, refused, taken, add = store.journal()
    assert (write.part, write.verb, write.value, write.received, write.sent) == ("c", "write", Fraction(1, 3), 10, 11)
    assert (write.life, write.step, write.item, write.inputs) == (2, 7, 3, origin.inputs)
    assert (read.verb, read.value, read.life, read.step, read.item, read.inputs) == ("read", None, 0, 0, None, ())
    assert (refused.value, taken.value, add.value) == (None, "taken", 2)
    assert store.journal(3) == [taken, add]
    assert store.journal(5) == []


def observers_tick_no_clock(store):
    store.do("c", "write", 1)
    for kind in ("cell", "log", "table"):
        store.look("c", kind)
    store.journal()
    assert store.do("c", "read").received == 3
    assert len(store.journal()) == 2


def values_come_back_exactly(store):
    for value in VALUES:
        store.do("c", "write", value)
        offset = store.do("l", "append", value).value
        store.fill("in.s", [value])
        assert same(store.do("c", "read").value[1], value)
        assert same(store.look("c", "cell"), value)
        assert same(store.look("l", "log")[offset], value)
        assert same(store.do("in", "fetch", {"s": offset}, 1).value["s"][0], value)
        assert same([entry for entry in store.journal() if entry.verb == "append"][-1].value, value)


def tuples_come_back_as_lists(store):
    store.do("c", "write", (1, (2, {"a": (3,)})))
    assert same(store.look("c", "cell"), [1, [2, {"a": [3]}]])


def what_is_stored_is_a_copy(store):
    value = {"list": [1]}
    store.do("c", "write", value)
    store.do("l", "append", value)
    value["list"].append(2)
    store.look("c", "cell")["list"].append(3)
    store.do("c", "read").value[1]["list"].append(4)
    assert store.look("c", "cell") == {"list": [1]}
    assert store.look("l", "log") == [{"list": [1]}]
    assert store.journal()[0].value == {"list": [1]}


def a_refused_value_leaves_nothing_behind(store):
    store.do("c", "write", "before")
    store.do("l", "append", "before")
    store.do("t", "add", 1)
    before = everything(store)
    for value in REFUSED:
        for part in ("c", "l", "new"):
            for attempt in (("write", value), ("append", value), ("cas", 1 if part == "c" else 0, value)):
                with pytest.raises(BadInput):
                    store.do(part, *attempt)
        with pytest.raises(BadInput):
            store.fill("l", ["good", value])
        with pytest.raises(BadInput):
            store.fill("new", ["good", value])
    assert everything(store) == before
    assert store.do("l", "append", "after").value == 1
    assert [store.do(part, "read").received for part in ("c", "t", "new")] == [3, 3, 1], "no clock has ticked"


def an_inbox_gives_the_messages_of_each_sender_in_their_order(store):
    for sender, message in ((1, "a"), (2, "b"), (1, None), (2, [Fraction(1, 3)])):
        assert store.do("i", "put", sender, message).value is None
    assert store.look("i", "inbox") == [[1, "a"], [2, "b"], [1, None], [2, [Fraction(1, 3)]]]
    assert store.do("i", "take", 2).value == [2, "b"]
    assert store.do("i", "take", None).value == [1, "a"]
    assert store.do("i", "take", None).value == [1, None]
    with pytest.raises(Blocked):
        store.do("i", "take", 1)
    assert store.do("i", "take", 2).value == [2, [Fraction(1, 3)]]
    assert store.look("i", "inbox") == []


def a_lock_is_held_by_one_life(store):
    assert store.look("k", "lock") is None
    for _ in range(2):
        assert store.do("k", "acquire", 3).value is None
    with pytest.raises(Blocked, match="Incarnation 3"):
        store.do("k", "acquire", 4)
    assert store.do("k", "release", 4).value is False
    assert store.look("k", "lock") == 3
    assert [store.do("k", "release", 3).value for _ in range(2)] == [True, False]
    assert store.do("k", "acquire", 4).value is None


def a_life_that_is_over_holds_nothing(store):
    for part, life in (("k", 1), ("l", 1), ("m", 2)):
        store.do(part, "acquire", life)
    entries = store.journal()
    store.free(1)
    assert [store.look(part, "lock") for part in "klm"] == [None, None, 2]
    assert store.journal() == entries


def what_has_to_wait_leaves_nothing_behind(store):
    store.do("k", "acquire", 1)
    before = everything(store)
    for attempt in (("i", "take", None), ("i", "take", 1), ("k", "acquire", 2)):
        with pytest.raises(Blocked):
            store.do(*attempt)
    assert everything(store) == before
    assert store.do("k", "release", 1).received == 3, "no clock has ticked"


def a_late_request_for_a_lock_belongs_to_its_acquisition(store):
    store.do("k", "acquire", 1, 3)
    store.do("k", "release", 1, 3)
    store.do("k", "acquire", 1, 9)
    assert store.do("k", "release", 1, 3).value is False, "late: it was for the acquisition before"
    assert store.look("k", "lock") == 1
    assert store.do("k", "acquire", 1, 3).value is None, (
        "late, and the lock is held by this incarnation: it stays step 9's"
    )
    assert store.do("k", "release", 1, 9).value is True
    assert store.do("k", "acquire", 1, 3).value is None, "late, and nobody holds the lock: it is held again"
    assert store.do("k", "release", 2, 99).value is False, "another incarnation's"
    assert store.do("k", "release", 1, 9).value is True, "whatever this incarnation acquired before"


def a_scan_reads_a_log_from_an_offset(store):
    assert store.do("l", "scan", 0).value == []
    for value in (1, None, [Fraction(1, 3)]):
        store.do("l", "append", value)
    assert same(store.do("l", "scan", 1).value, [None, [Fraction(1, 3)]])
    assert store.do("l", "scan", 3).value == store.do("l", "scan", 99).value == []


def a_number_changes_and_is_read(store):
    assert store.do("t", "total").value == 0
    assert [store.do("t", "change", number).value for number in (5, -7, 0)] == [5, -2, -2]
    assert store.do("t", "total").value == store.look("t", "table") == -2
    assert [entry.value for entry in store.journal() if entry.verb == "change"] == [[0, 5], [5, -2], [-2, -2]]
    with pytest.raises(BadInput, match=str(2**63 - 1)):
        store.do("t", "change", -(2**63 - 1))
    assert store.do("t", "total").value == -2


def a_transaction_is_all_or_nothing(store):
    store.do("c", "write", "a")
    done = [
        ["c", "cas", 1, "b"],
        ["l", "append", "x"],
        ["t", "add", 2],
        ["l", "append", "y"],
        ["c", "read"],
        ["n", "total"],
    ]
    assert store.do("c", "transact", done).value == [True, 0, 2, 1, [2, "b"], 0]
    assert (store.look("c", "cell"), store.look("l", "log"), store.look("t", "table")) == ("b", ["x", "y"], 2)
    before = everything(store)[0]
    for refused in (
        [["l", "append", "z"], ["c", "cas", 1, "stale"]],
        [["c", "cas", 2, "c"], ["c", "cas", 2, "d"]],  # the first of them made it version 3
    ):
        assert store.do("c", "transact", refused).value is None
        assert everything(store)[0] == before, "nothing of a refused one is left"
    last = store.journal()[-1]
    assert (last.verb, last.value) == ("transact", None)
    assert store.do("c", "transact", [["c", "cas", 2, "c"], ["c", "cas", 3, "d"]]).value == [True, True]
    assert store.do("c", "read").value == [4, "d"]


def a_transaction_that_fails_leaves_nothing_behind(store):
    store.do("t", "add", 2**63 - 2)
    before = everything(store)
    with pytest.raises(BadInput):
        store.do("l", "transact", [["l", "append", "x"], ["t", "add", 9]])
    assert everything(store) == before
    assert store.do("l", "append", "y").received == 1, "no clock has ticked"


def each_part_of_a_transaction_has_a_tick_between_request_and_reply(store):
    store.do("c", "write", "a", origin=Origin(stamp=40))
    reply = store.do(
        "l", "transact", [["l", "append", "x"], ["c", "write", "b"]], origin=Origin(life=2, step=5, stamp=3)
    )
    one, two = store.journal()[1:]
    assert (one.part, one.verb, two.part, two.verb) == ("l", "append", "c", "write")
    assert [(entry.received, entry.sent, entry.life, entry.step) for entry in (one, two)] == [
        (43, 45, 2, 5),
        (44, 45, 2, 5),
    ]
    assert (reply.received, reply.sent) == (43, 45)
    assert [one.place, two.place] == [0, 1]
    assert store.do("l", "append", "y").received == 46
    store.do("l", "transact", [["l", "append", "x"], ["l", "append", "y"], ["c", "read"]])
    assert [(entry.part, entry.received) for entry in store.journal()[4:]] == [("l", 48), ("l", 49), ("c", 50)]
    assert store.do("c", "read").received == 52, "a part's own clock never stands still"


ONE_MORE = ["counter", "add", 1]


def prepared(store, identifier, *operations):
    return store.do("prepared", "prepare", identifier, list(operations)).value


def ended(store, how, identifier):
    return store.do("prepared", f"{how}_prepared", identifier).value


def what_is_prepared_is_seen_when_it_is_committed(store):
    store.do("counter", "add", 5)
    assert prepared(store, "a", ONE_MORE, ["c", "write", "new"], ["l", "append", "x"], ["l", "append", "y"]) is True
    assert store.do("prepared", "prepared").value == store.look("prepared", "prepared") == ["a"]
    assert (store.look("counter", "table"), store.look("c", "cell"), store.look("l", "log")) == (5, None, [])
    assert (store.do("counter", "total").value, store.do("c", "read").value) == (5, [0, None]), "readers do not wait"
    assert (ended(store, "commit", "a"), ended(store, "commit", "a"), ended(store, "rollback", "a")) == (
        True, False, False,
    )  # fmt: skip
    assert (store.look("counter", "table"), store.look("c", "cell"), store.look("l", "log")) == (6, "new", ["x", "y"])
    written = [(entry.part, entry.verb, entry.value) for entry in store.journal() if entry.place]
    assert written == [("counter", "add", 6), ("c", "write", "new"), ("l", "append", "x"), ("l", "append", "y")]
    assert store.do("prepared", "prepared").value == []
    assert store.do("counter", "add", 1).value == 7


def what_is_rolled_back_was_never_there(store):
    store.do("counter", "add", 5)
    assert prepared(store, "a", ONE_MORE, ["c", "write", "new"])
    assert ended(store, "rollback", "a") is True
    assert (store.look("counter", "table"), store.look("c", "cell")) == (5, None)
    assert store.do("c", "write", "other").value == 1
    assert ended(store, "commit", "a") is False
    assert prepared(store, "a", ONE_MORE) is True, "an id that is ended may be used again"


def rows_that_are_prepared_wait_and_others_do_not(store):
    assert prepared(store, "a", ONE_MORE, ["c", "read"], ["other", "total"])
    before = everything(store)
    for attempt in (
        ("counter", "add", 1), ("counter", "change", 1), ("x", "transact", [["x", "write", 1], ONE_MORE]),
        ("prepared", "prepare", "b", [ONE_MORE]),
    ):  # fmt: skip
        with pytest.raises(Blocked, match="'a' holds a row"):
            store.do(*attempt)
        assert str(store.waits_for(attempt[0], attempt[1], *attempt[2:])).startswith("The prepared transaction 'a'")
    assert everything(store) == before, "nothing took place"
    assert store.waits_for("other", "add", 1) is None
    assert (store.do("other", "add", 1).value, store.do("c", "write", 1).value) == (1, 1), "what was read is free"
    assert prepared(store, "b", ["other", "add", 1]) is True
    assert store.do("prepared", "prepared").value == ["a", "b"]
    assert ended(store, "rollback", "a")
    assert store.do("counter", "add", 1).value == 1
    assert ended(store, "commit", "b")
    assert store.look("other", "table") == 2


def row_locks_outlive_a_life_and_other_locks_do_not(store):
    store.do("k", "acquire", 1)
    store.do("prepared", "prepare", "a", [ONE_MORE], origin=Origin(life=1))
    store.free(1)
    assert store.look("k", "lock") is None
    with pytest.raises(Blocked):
        store.do("counter", "add", 1, origin=Origin(life=2))
    assert ended(store, "commit", "a"), "anybody may end it"
    assert store.look("counter", "table") == 1


def an_id_in_use_or_a_refused_cas_prepares_nothing(store):
    assert prepared(store, "a", ONE_MORE) is True
    assert prepared(store, "a", ["c", "write", 1]) is False
    assert prepared(store, "b", ["c", "cas", 3, 1], ["l", "append", 1]) is None
    assert prepared(store, "b", ["c", "expect", 1], ["l", "append", 1]) is None
    assert store.do("prepared", "prepared").value == ["a"]
    assert store.do("c", "write", 1).value == 1
    assert prepared(store, "b", ["c", "expect", 1], ["l", "append", 1]) is True
    assert store.do("c", "write", 2).value == 2, "what is expected is not held"
    assert store.do("l", "transact", [["c", "expect", 1], ["l2", "append", 1]]).value is None
    assert store.look("l2", "log") == []


def what_is_refused_does_not_wait(store):
    assert prepared(store, "a", ONE_MORE) is True
    assert prepared(store, "b", ["c", "expect", 1], ONE_MORE) is None
    with pytest.raises(Blocked):
        prepared(store, "b", ["c", "expect", 0], ONE_MORE)


def a_fence_refuses_what_was_read_before_it(store):
    store.do("c", "write", "x")
    assert store.do("c", "fence").value == 2
    assert store.do("c", "cas", 1, "y").value is False
    assert (store.look("c", "cell"), store.do("c", "cas", 2, "y").value) == ("x", True)
    assert store.do("new", "fence").value == 1
    assert store.do("new", "read").value == [1, None]


def a_queue_gives_its_messages_in_order_and_then_its_end(store):
    with pytest.raises(Blocked):
        store.do("q", "next", 0, [1])
    assert store.do("q", "enqueue", "a", origin=Origin(life=1, item=7)).value == 0
    assert store.do("x", "transact", [["x", "write", 1], ["q", "enqueue", "b"]]).value == [1, 1]
    assert [store.do("q", "next", at, [1]).value for at in (0, 1, 0)] == [["a", 7], ["b", 2], ["a", 7]]
    assert store.look("q", "queue") == ["a", "b"]
    store.do("q", "close_queue", 1)
    assert store.do("q", "next", 2, [1]).value is None
    with pytest.raises(Blocked):
        store.do("q", "next", 2, [1, 2])


def cells_are_awaited_until_one_is_filled_or_all_writers_have_ended(store):
    cells, writers = {"a": "a.0", "b": "b.0"}, {"a": [1], "b": [2]}
    with pytest.raises(Blocked):
        store.do("a", "any_filled", cells, writers)
    written = store.do("b.0", "cas", 0, "x", origin=Origin(life=1, stamp=40))
    reply = store.do("a", "any_filled", cells, writers)
    assert reply.value == {"b": "x"}
    assert reply.received > written.received, "what is read comes after what wrote it"
    store.do("a", "close_cells", 1)
    cells["b"] = "b.1"
    with pytest.raises(Blocked):
        store.do("a", "any_filled", cells, writers)
    store.do("b", "close_cells", 2)
    store.do("b", "close_cells", 2)
    assert store.do("a", "any_filled", cells, writers).value is None
    assert store.do("a", "any_filled", {"a": "a.0"}, {}).value is None
    assert (store.look("b", "closed"), store.held("closed")) == ([2], {"a": (1,), "b": (2,)})


def produced(values, **settings):
    """Return the arguments of a produce."""
    return [[None, value] for value in values], settings


def a_partition_answers_as_the_log_does(store):
    assert store.do("p", "produce", *produced(["a", "b"])).value["offset"] == 0
    assert store.do("p", "produce", *produced(["c"], acks=0)).value == {"offset": None}
    answer = store.do("p", "consume", 1, 1).value
    assert ([record[:3] for record in answer["records"]], answer["next"]) == ([[1, None, "b"]], 2)
    assert [record[2] for record in store.do("p", "consume", 0, None).value["records"]] == ["a", "b", "c"]
    assert [record[2] for record in store.look("p", "partition")] == ["a", "b", "c"]
    assert store.do("p", "committed", "g").value is None
    store.do("p", "commit", "g", 2)
    assert store.do("p", "committed", "g").value == 2
    for refused, name in (
        (store.do("p", "consume", 9, None), "OffsetOutOfRange"),
        (store.do("p", "produce", *produced(["d"], producer=99, producer_epoch=0, sequence=0)), None),
    ):
        assert (refused.value.get("error") == name) or name is None


def an_idempotent_producer_is_heard_once(store):
    mine = store.do("p", "broker", "new_producer_id", []).value
    first = produced(["a"], producer=mine, producer_epoch=0, sequence=0)
    assert store.do("p", "produce", *first).value["duplicate"] is False
    assert store.do("p", "produce", *first).value == {"offset": 0, "duplicate": True, "acknowledged": True}
    gap = store.do("p", "produce", *produced(["c"], producer=mine, producer_epoch=0, sequence=2)).value
    assert gap["error"] == "OutOfOrderSequence"
    assert [record[2] for record in store.look("p", "partition")] == ["a"]


def a_poll_waits_for_a_record_or_the_writers_end(store):
    before = everything(store)
    with pytest.raises(Blocked, match="offset 0"):
        store.do("p", "poll", 0, 1, [1, 2])
    assert everything(store) == before
    store.do("p", "produce", *produced(["a"]))
    assert store.do("p", "poll", 0, 1, [1, 2]).value["next"] == 1
    store.do("p", "close", 1)
    with pytest.raises(Blocked):
        store.do("p", "poll", 1, 1, [1, 2])
    for _ in range(2):
        store.do("p", "close", 2)
    assert store.do("p", "poll", 1, 1, [1, 2]).value == {"records": [], "next": 1}


def brokers_die_and_others_lead(store):
    store.prepare("p", "create", {"brokers": 3, "min_insync_replicas": 2})
    store.do("p", "produce", *produced(["a"]))
    store.do("p", "broker", "kill", [0])
    refused = store.do("p", "produce", *produced(["b"])).value
    if "error" in refused:  # until a leader is elected
        store.do("p", "broker", "elect", [])
        assert store.do("p", "produce", *produced(["b"])).value["offset"] == 1
    store.do("p", "broker", "kill", [1])
    store.do("p", "broker", "elect", [])
    assert store.do("p", "produce", *produced(["c"])).value["error"] in ("NotEnoughReplicas", "LeaderNotAvailable")
    store.do("p", "broker", "revive", [1])
    assert [record[2] for record in store.look("p", "partition")] == ["a", "b"]


NONSENSE = [  # of each verb, what slips through most easily
    ("c", "erase"), (None, "read"), ("c", "read", 1), ("c", "write"), ("c", "write", 10**4300), ("c", "cas", "1", 2),
    ("c", "cas", [1, 2], 2), ("t", "add", 1.5), ("t", "add", True), ("t", "change", None), ("t", "total", 1),
    ("l", "fetch", {"s": -1}, 1), ("l", "fetch", {"s": 0}, None), ("l", "scan", -1), ("c", "fence", 1),
    ("i", "put", 0, "x"), ("i", "put", 1, object()), ("i", "take", "1"), ("k", "acquire", None),
    ("k", "release", 1, -1), ("c", "transact", []), ("c", "transact", [["i", "take", 1]]),
    ("c", "transact", [["c", "transact", [["c", "read"]]]]),
    ("c", "transact", [["c", "write", 1], ["c", "write", object()]]), ("p", "prepare", "", [["c", "read"]]),
    ("p", "prepare", "a", []), ("p", "prepare", "a", [["q", "enqueue", 1]]), ("p", "commit_prepared", None),
    ("q", "enqueue", object()), ("q", "next", -1, [1]), ("q", "close_queue", 0), ("q", "any_filled", {}, {}),
    ("q", "any_filled", {"q": "q.0"}, [1]), ("p", "produce", [[None, object()]], {}), ("p", "consume", "0", 1),
    ("p", "produce", [[None, 1]], {"colour": 1}), ("p", "poll", 0, 1, 3), ("p", "close", 0), ("p", "commit", "g", -1),
    ("p", "broker", "explode", []), ("p", "broker", "kill", ["x"]),
]  # fmt: skip


def nonsense_is_refused_and_leaves_nothing_behind(store):
    store.do("c", "write", "before")
    before = everything(store)
    for attempt in NONSENSE:
        with pytest.raises(BadInput) as told:
            store.do(*attempt)
        assert str(told.value).endswith("."), f"a sentence for {attempt}"
    for part in (None, 3, ["c"]):
        with pytest.raises(BadInput, match="its name must be text"):
            store.look(part, "cell")
    for kind in ("sell", None, 3, ["cell"]):
        with pytest.raises(BadInput, match="cell, log, table"):
            store.look("c", kind)
    assert everything(store) == before
    assert store.do("c", "read").received == 3


CHECKS = [
    function
    for name, function in list(globals().items())
    if getattr(function, "__module__", None) == __name__
    and name not in ("same", "everything", "produced", "prepared", "ended")
]
