"""Where a member of a group reads on when it gets a partition back: librdkafka may be wrong, the member is not."""

import contextlib
import json
import struct
from queue import SimpleQueue

import pytest

from exactly_once.log.kafka.log import KafkaLog
from exactly_once.log.kafka.trials import proxy as proxies
from exactly_once.log.kafka.trials import rebalance as trials
from exactly_once.log.kafka.trials.rebalance import PER_MEMBER
from exactly_once.log.kafka.trials.steps import SOONER, own_names
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import had

TRIES = 10
LIST_OFFSETS = 2  # Kafka's key of the request
TRUSTING = """
from exactly_once.log.kafka.trials import member
member.Member._is_next = lambda *place: True
member.main()
"""


class Watched(trials._Process):
    """A member all of whose news are kept."""

    def _hear(self):
        self.heard = []
        for line in self._process.stdout:
            what, found, when = json.loads(line)
            self.heard.append((what, found))
            self.told.put((what, found, when))


class Trusting(Watched):
    """A member that handles whatever its client reads."""

    runs = ("-c", TRUSTING)


@pytest.fixture
def asked(monkeypatch):
    """Return a queue of the requests of this kind that come to proxies, as they come."""
    found, read = SimpleQueue(), proxies._message

    def message(end):
        data = read(end)
        if struct.unpack_from(">h", data, 4) == (LIST_OFFSETS,):
            found.put(data)
        return data

    monkeypatch.setattr(proxies, "_message", message)
    return found


@contextlib.contextmanager
def after_a_late_answer(kind, asked):
    """Give a member that got a partition back, the log, and that partition, from which another one has read a record.

    The answer to the member's first ListOffsets came when it no longer had the partition. So its client asks for the
    start anew, half a second later. What comes of that depends on whether it has the partition again by then.
    """
    kafka, names = had(Kafka, settings=SOONER), own_names()
    given = {"names": names, "producers": PER_MEMBER, "metadata": "of the poll"}
    given |= {"session_ms": 3_000, "transaction_ms": 30_000}
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(KafkaLog(kafka.where, prefix=names))
        proxy = stack.enter_context(proxies.Proxy(kafka.where))
        log.create_topic("input", 2)
        log.create_topic("output")
        by_proxy, direct = ([one.servers, one.user, one.password] for one in (proxy.where, kafka.where))
        held = proxy.hold(LIST_OFFSETS)
        late = kind(1, where=by_proxy, **given)
        stack.callback(late.end)
        late.wait("assigned", lambda ours: len(ours) == 2)
        proxy.wait()
        other = trials._Process(2, where=direct, **given)
        stack.callback(other.end)
        (partition,), _ = other.wait("assigned", lambda ours: len(ours) == 1)
        late.wait("assigned", lambda ours: len(ours) == 1)
        other.ask("hold_with_offset")
        other.wait("holds")
        log.append("input", partition, ["first", "second"])
        other.wait("held")
        other.go("in good order")
        other._process.wait()
        held.set()
        late.wait("assigned", lambda ours: len(ours) == 2)
        place, times = f"{names}input".encode() + b"\2" + struct.pack(">i", partition), 0
        while times < 2:
            times += place in asked.get(timeout=60)  # librdkafka may be mended: then no member needs its own position
        yield late, log, partition


def output_after(what, kind, asked):
    """Return what is in the output when such a member has told `what` of the first record, and handled the fourth."""
    for _ in range(TRIES):
        with after_a_late_answer(kind, asked) as (late, log, partition):
            for number, value in enumerate(("third", "fourth"), 2):
                log.append("input", partition, [value])
                late.wait("done", lambda offset, last=number: offset == last)
            if (what, 0) in late.heard:
                trials._seen(log)()  # the markers of what was committed may still be on their way
                return [record.value for record in log.fetch("output", 0, 0, isolation="read_committed")]
    raise AssertionError(f"In {TRIES} tries the client did not begin anew; if it is mended, members may trust it.")


@pytest.mark.parametrize(
    ("kind", "what", "copies"), [(Trusting, "done", 2), (Watched, "passed over", 1)], ids=["trusting", "as it is"]
)
def test_a_member_that_keeps_its_own_position_reads_no_record_again(kind, what, copies, asked):
    output = output_after(what, kind, asked)
    assert output.count("first") == copies
    assert set(output) == {"first", "second", "third", "fourth"}
