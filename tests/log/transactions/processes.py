"""What processes do in the test of a thousand transactions: one is the coordinator, others run transactions."""

import contextlib
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener

from exactly_once import OutcomeUnknown
from exactly_once.log import LogError, LogRequests, UnstableOffsetCommit, errors, open_log

TOPIC, INPUT, GROUP = "t", "in", "group"
WAIT = 0.005


def coordinate(where, address, served):
    """Be the coordinator until killed: take over, then answer one request after another, and write what is due.

    `address` is (port, secret): the coordinator of the moment listens on that port of this machine, a shared value.
    """
    port, secret = address
    with open_log(where) as log, Listener(("127.0.0.1", 0), backlog=16, authkey=secret) as listener:
        log.transactions.recover()
        log.write_due_markers()
        port.value = listener.address[1]
        while True:
            with contextlib.suppress(EOFError, OSError, AuthenticationError), listener.accept() as connection:
                what, *arguments = connection.recv()
                with served.get_lock():
                    served.value += 1
                try:
                    if what == "settled":
                        log.write_due_markers()
                        answer = not log.transactions.due(*arguments)
                    else:
                        answer = getattr(log.transactions, what)(*arguments)
                except (LogError, OutcomeUnknown) as why:
                    answer = why
                connection.send((type(answer).__name__, str(answer)) if isinstance(answer, Exception) else answer)
                with contextlib.suppress(LogError, OutcomeUnknown):
                    log.write_due_markers()


class ToCoordinator(LogRequests):
    """A producer's requests: what is the coordinator's goes to its process, all else to the log on files."""

    def __init__(self, log, address):
        super().__init__(log)
        self.address = address

    def init_producer(self, *asked):
        """Ask the coordinator."""
        return tuple(self._ask("init_producer", *asked))

    def add_partitions(self, *asked):
        """Ask the coordinator."""
        self._ask("add_partitions", *asked)

    def end(self, *asked):
        """Ask the coordinator."""
        return tuple(self._ask("end", *asked))

    def settled(self, *asked):
        """Wait for the coordinator."""
        while not self._ask("settled", *asked):
            time.sleep(WAIT)

    def _ask(self, *request):
        try:
            port, secret = self.address
            with Client(("127.0.0.1", port.value), authkey=secret) as connection:
                connection.send(request)
                answer = connection.recv()
        except (EOFError, OSError, AuthenticationError) as why:
            time.sleep(WAIT)
            raise OutcomeUnknown(f"The coordinator is dead, or died: {why}") from why
        if isinstance(answer, tuple) and isinstance(answer[0], str):
            if answer[0] == "OutcomeUnknown":
                raise OutcomeUnknown(answer[1])
            raise getattr(errors, answer[0])(answer[1])
        return answer


def transact(where, address, who, count):
    """Run transactions 0 to `count` - 1: a record to each of two partitions, and the position behind it."""
    with open_log(where) as log:
        at = None
        while at != count:
            producer = log.transactional_producer(f"producer {who}", max_block_ms=None)
            producer.requests = ToCoordinator(log, address)
            with contextlib.suppress(LogError, OutcomeUnknown):  # a broker is dead: begin a new life
                producer.init_transactions()
                at = position(log, who)
                while at < count:
                    producer.begin_transaction()
                    for partition in range(2):
                        producer.send(f"{TOPIC}-{partition}", [[who, at, partition]])
                    producer.send_offsets_to_transaction({f"{INPUT}-{who}": at + 1}, GROUP)
                    producer.commit_transaction()
                    at += 1
                continue
            at = None
            time.sleep(WAIT)


def position(log, who):
    """Return the position that the group has committed, once none is pending."""
    while True:
        try:
            return log.committed_offset(GROUP, INPUT, who, require_stable=True) or 0
        except UnstableOffsetCommit:
            time.sleep(WAIT)
