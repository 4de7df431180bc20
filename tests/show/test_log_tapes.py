"""A log as tapes: their records, the readers' positions, the marks, and the table with the same contents."""

import re

from exactly_once import show
from exactly_once.log import Producer, open_log


def replicated(**settings):
    log = open_log("memory:", 3, replication="manual", elections="manual", watch=True)
    log.create_topic("orders", replicas=3, **settings)
    return log


def test_lists_are_drawn_with_those_who_read_them():
    picture = show.log({"orders": ["tea", ("ann", "cake")]}, readers={"kitchen": 0, "till": 2, "bar": 2})
    assert picture.table.values.tolist() == [["orders", 0, None, "tea"], ["orders", 1, "ann", "cake"]]
    assert "▲ kitchen" in picture.html
    assert "▲ till, bar" in picture.html
    flags = re.findall(r"<td>(.*?)</td>", picture.html.rpartition("<tr>")[2])
    assert [bool(flag) for flag in flags] == [True, False, True], "each at its offset"


def test_each_partition_is_a_tape_and_what_was_deleted_leaves_an_empty_place():
    log = open_log("memory:")
    log.create_topic("orders", partitions=2)
    for value in ("tea", "cake", "<b>milk</b>"):
        log.append("orders", 1, [value])
    log.delete_records("orders", 1, 1)
    picture = show.log(log, readers={"kitchen": {1: 2}})
    assert picture.table["offset"].tolist() == [None, 1, 2]
    assert picture.html.count("eo-deleted") == 1
    assert "&lt;b&gt;milk" in picture.html


def test_segments_are_marked_where_there_are_several():
    log = open_log("memory:")
    log.create_topic("orders", segment_bytes=1)
    producer = Producer(log)
    producer.send("orders", "tea")
    assert 'eo-first"' not in show.log(log).html
    producer.send("orders", "cake")
    assert show.log(log).html.count('eo-first"') == 2


def test_replicas_show_what_is_committed_what_parts_and_what_is_lost():
    log = replicated()
    log.append("orders", 0, ["tea"], acks=1)
    assert "not committed" in str(show.log(log))
    log.kill(0)
    assert "✖ dead" in show.log(log).html
    log.elect()
    log.append("orders", 0, ["cake"], acks=1)
    log.revive(0)
    picture = show.log(log)
    assert "✗ tea is lost. Its producer had been told: acknowledged, acks=1." in picture.html
    stands = picture.table.set_index(["tape", "value"])["stands"]
    assert stands["broker 0", "tea"] == "not in the leader's log"
    log.replicate()
    assert set(show.log(log).table["stands"]) == {"committed"}


def test_of_a_long_tape_the_newest_are_drawn():
    picture = show.log({"orders": list(range(100))})
    assert "<b>99</b>" in picture.html
    assert "<b>50</b>" not in picture.html
    assert len(picture.table) == 100
