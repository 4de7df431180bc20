"""Writers whose clocks differ: the log's time does not go backward, and producers are not forgotten for it."""

from exactly_once.log import open_log

DAY = 86_400_000
NOW = 20_000 * DAY


def times(log):
    return [record.time for record in log.fetch("t", 0, 0)]


def test_six_producers_one_of_whose_clocks_is_three_days_slow_double_nothing(tmp_path):
    """Their batches go through any of two handles, as with clients that meet two brokers."""
    with (
        open_log(tmp_path, 3, clock=lambda: NOW) as right,
        open_log(tmp_path, clock=lambda: NOW - 3 * DAY) as slow,
    ):
        right.create_topic("t", replicas=3)
        right.append("t", 0, ["first"])
        producers = [right.new_producer_id() for _ in range(6)]
        for producer in producers:
            slow.append("t", 0, [producer], "all", producer, 0, 0)
        for producer in producers:
            assert right.append("t", 0, [producer], "all", producer, 0, 0).duplicate
        assert [record.value for record in right.fetch("t", 0, 0)] == ["first", *producers]
        assert times(right) == [NOW] * 7
