"""One broker as a process: it leads a partition, or follows the broker that does, on a SQLite file of its own.

It does one thing at a time. As the leader it answers a producer when the promise of `acks` holds, and lets a fetch
wait until there is something to answer, as Kafka does (replica.fetch.wait.max.ms). It may be armed to end itself by
SIGKILL at a certain record.
"""

import json
import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..broker.controller import Partition
from ..broker.replica import Replica
from ..broker.replication import FetchAnswer, FetchRequest, answered, asked, is_news, taken
from ..broker.topics import Topic
from ..log_errors import LogError, NotLeader
from ..storage.records import Batch
from ..storage.sqlite_disk import SQLiteDisk
from .connections import Port, connect, told

HEARTBEAT_SECONDS = 0.1  # Kafka's broker.heartbeat.interval.ms is 2000
RETRY_SECONDS = 0.01
APPENDED, REPLICATED = "appended", "replicated"


class BrokerProcess:
    """The broker of this number. `folder` has its file; `controller` and `secret` are the controller's.

    `armed`, if given, is (record, moment): this process ends by SIGKILL when it leads and that many records are in
    its log, "appended": and none of its followers has the last one, or "replicated": and all of them have it.
    """

    def __init__(
        self,
        number: int,
        folder: str,
        topic: Topic,
        controller: int,
        secret: str,
        armed: tuple[int, str] | None = None,
    ) -> None:
        self.number, self.armed, self._secret = number, armed, secret.encode()
        self.disk = SQLiteDisk(Path(folder) / f"broker-{number}.sqlite")
        self.replica = Replica(self.disk, f"{topic.name}-0", number, topic)
        self.port = Port(self._secret)
        self.controller = connect(controller, self._secret)
        self.ports = {}
        self.leader: Any = None  # the connection to it, of a follower
        self._request: Any = None  # the fetch that the leader has not answered yet
        self._fetches, self._unanswered, self._held = {}, [], []
        self._retry_at: float | None = None
        self._heard_at = 0.0
        self._going = True

    def run(self) -> None:
        """Work until the controller says that it is enough, or is gone."""
        told(self.controller, "register", self.number, self.port.number)
        while self._going:
            until = HEARTBEAT_SECONDS / 2 if self._retry_at is None else RETRY_SECONDS
            for connection, message in self.port.receive(until, *self._others()):
                if message is not None:
                    getattr(self, f"_on_{message[0]}")(connection, *message[1:])
                elif connection is self.controller:
                    self._going = False
                elif connection is self.leader:
                    self._lost_leader()
                else:
                    self._fetches.pop(connection, None)
            if time.monotonic() >= self._heard_at + HEARTBEAT_SECONDS / 2:
                told(self.controller, "heartbeat", self.number)
                self._heard_at = time.monotonic()
            if self._retry_at is not None and time.monotonic() >= self._retry_at:
                self._follow()
        self.port.close()
        self.disk.close()

    def _others(self) -> list[Connection]:
        return [self.controller, self.leader] if self.leader is not None else [self.controller]

    def _on_decision(
        self, _: object, decision: tuple[int | None, int, tuple[int, ...]], ports: dict[str, int | None]
    ) -> None:
        """Lead or follow, as the controller has decided."""
        self.ports = ports
        with self.replica.changing() as replica:
            replica.obey(Partition(*decision))
            leads = replica.state["leader"]
        told(self.controller, "obeyed", self.number, decision[1], leads, time.monotonic())
        if leads:
            self._lost_leader(follow=False)
            self._settle()
        elif self.leader is None:
            self._follow()

    def _on_stop(self, *_: object) -> None:
        self._going = False

    def _on_settle(self, connection: Connection) -> None:
        """Answer once all that this leader has is committed."""
        with self.replica.reading() as replica:
            self._unanswered.append((connection, replica.end - 1, ("settled",)))
        self._settle()

    def _lost_leader(self, follow: bool = True) -> None:
        if self.leader is not None:
            self.leader.close()
        self.leader = self._request = None
        self._retry_at = time.monotonic() + RETRY_SECONDS if follow else None

    def _follow(self) -> None:
        """Ask the leader for the next batches; ask again later when it is not there."""
        self._retry_at = None
        with self.replica.reading() as replica:
            if replica.state["leader"]:
                return
        try:
            if self.leader is None:
                self.leader = connect(self.ports["leader"], self._secret)
            self._request = asked(self.replica)
            self.leader.send(("fetch", self._request))
        except (OSError, KeyError):
            self._lost_leader()

    def _on_fetched(self, connection: Connection, answer: FetchAnswer) -> None:
        if connection is self.leader:
            taken(self.replica, self._request, answer)
            if answer.cut is not None and self._end() < self._request.end:
                told(self.controller, "cut", self.number, self._request.end, self._end(), time.monotonic())
            self._follow()

    def _on_refused(self, connection: Connection, *_: object) -> None:
        if connection is self.leader:  # it does not lead yet, or no more: the controller will say
            self._lost_leader()

    def _on_fetch(self, connection: Connection, request: FetchRequest) -> None:
        """Answer a follower, or let it wait until there is news for it."""
        try:
            answer = answered(self.replica, request, self._joins)
        except LogError as why:
            told(connection, "refused", type(why).__name__, str(why))
            return
        if is_news(request, answer):
            self._fetches.pop(connection, None)
            told(connection, "fetched", answer)
        else:
            self._fetches[connection] = request
        if answer.moved:
            self._settle()
            self._answer_fetches()

    def _joins(self, follower: int) -> None:
        """Let a follower be in sync: this leader waits for it before the controller may elect it (KIP-497)."""
        with self.replica.changing() as replica:
            epoch, isr = replica.state["epoch"], sorted({*replica.state["isr"], follower})
            replica.lead(epoch, isr)
        told(self.controller, "isr", epoch, isr)

    def _on_append(self, connection: Connection, draft: Batch, acks: int | str) -> None:
        """Write a batch, and answer when the promise of `acks` holds."""
        if self._waits_for_followers():
            self._held.append((connection, draft, acks))
            return
        try:
            with self.replica.changing() as replica:
                base, again = replica.append(draft, draft.time, acks == "all")
                epoch = replica.state["epoch"]
        except LogError as why:
            if acks != 0:
                told(connection, "refused", type(why).__name__, str(why))
            return
        reply = "written", base, again, epoch
        if acks == 1:
            told(connection, *reply)
        self._maybe_die(APPENDED)
        if acks == "all":
            self._unanswered.append((connection, base + draft.count - 1, reply))
        self._settle()
        self._answer_fetches()

    def _answer_fetches(self) -> None:
        for connection, request in list(self._fetches.items()):
            self._on_fetch(connection, request)

    def _settle(self) -> None:
        """Answer those whose records are committed by now."""
        with self.replica.reading() as replica:
            leads, high_watermark = replica.state["leader"], replica.high_watermark
        if leads and self._all_have() >= self._end():
            self._maybe_die(REPLICATED)
        waiting, self._unanswered = self._unanswered, []
        for connection, last, reply in waiting:
            if not leads:
                told(connection, "refused", NotLeader.__name__, f"Broker {self.number} leads no more.")
            elif last < high_watermark:
                told(connection, *reply)
            else:
                self._unanswered.append((connection, last, reply))
        if self._held and not self._waits_for_followers():
            self._on_append(*self._held.pop(0))

    def _end(self) -> int:
        with self.replica.reading() as replica:
            return replica.end

    def _all_have(self) -> int:
        """Return the offset below which every follower, by its last word, has everything."""
        with self.replica.reading() as replica:
            state = replica.state
            return min((state["positions"].get(str(one), 0) for one in state["isr"] if one != self.number), default=0)

    def _waits_for_followers(self) -> bool:
        """Tell whether requests must wait, since followers lack records that they must have at this death."""
        due = self._due(APPENDED, self._end() + 1) or self._due(REPLICATED, self._end())
        return due and self._all_have() < self._end()

    def _due(self, moment: str, end: int) -> bool:
        return self.armed is not None and self.armed == (end, moment)

    def _maybe_die(self, moment: str) -> None:
        """End this process by SIGKILL if it is armed to die now; earlier answers have been sent."""
        if self._due(moment, self._end()):
            told(self.controller, "dies", self.number, time.monotonic())
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Be a broker; its settings come as JSON on the standard input."""
    given = json.load(sys.stdin)
    armed = given["armed"] and tuple(given["armed"])
    topic = Topic(**given["topic"])
    BrokerProcess(given["number"], given["folder"], topic, given["controller"], given["secret"], armed).run()


if __name__ == "__main__":
    main()
