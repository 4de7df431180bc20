"""Whether leaders ask the coordinator before they let a transaction in (KIP-890, part 1)."""

import pytest

from exactly_once.log import errors, open_log


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize("verification", [True, False])
def test_what_comes_after_the_marker_hangs_only_where_nobody_asks(protocol, verification):
    log = open_log("memory:", clock=lambda: 0)
    log.create_topic("out")
    coordinator = log.coordinator(protocol, verification=verification)
    producer, epoch = coordinator.init_producer("p")
    coordinator.add_partitions("p", producer, epoch, ["out-0"])
    log.append("out", 0, ["a"], "all", producer, epoch, 0, transactional=True)
    coordinator.end("p", producer, epoch, "abort")
    log.write_due_markers()
    late = ("out", 0, ["late"], "all", producer, epoch, 1)
    if protocol == 1 and not verification:
        assert log.append(*late, transactional=True).offset == 2
        assert (log.last_stable("out", 0), log.log_end("out", 0)) == (2, 3)
        return
    with pytest.raises(errors.InvalidTxnState if protocol == 1 else errors.InvalidProducerEpoch):
        log.append(*late, transactional=True)
    assert log.last_stable("out", 0) == log.log_end("out", 0)
