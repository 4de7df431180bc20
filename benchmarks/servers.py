"""How long the servers take to start, and the memory that one of each takes. Exit status 1 over a limit.

The first write is that of chapter 13: a broker is started, a topic is created, and a record is acknowledged. It is
to come within 4 s, on a quiet machine. The memory is the proportional set size, so that pages shared by PostgreSQL's
processes count once; one of each kind together are to take at most 0.4 GB.
"""

import sys
import time

from exactly_once.log import Producer
from exactly_once.log.kafka.log import KafkaLog
from exactly_once.servers.etcd import EtcdStore
from exactly_once.servers.guard import everyone
from exactly_once.servers.kafka.broker import Kafka
from exactly_once.servers.kinds import Etcd, PostgreSQL
from exactly_once.servers.postgresql import PostgreSQLStore
from exactly_once.servers.process import Server

FIRST_WRITE_S, MEMORY_GB, TIMES = 4.0, 0.4, 5


def first_write(kind: type[Server]) -> tuple[Server, float]:
    """Start a server, and return it with the seconds until it has acknowledged a write."""
    began = time.monotonic()
    server = kind()
    if isinstance(server, Kafka):
        log = KafkaLog(server.where)
        log.create_topic("t")
        Producer(log).send("t", "hello")
        log.hang_up()
    else:
        store = (PostgreSQLStore if kind is PostgreSQL else EtcdStore)(server.url, "engine")
        store.do("cell", "write", 1)
        store.close()
    return server, time.monotonic() - began


def memory(server: Server) -> float:
    """Return the memory of a server's processes, in GB."""
    return sum(process.memory_full_info().pss for process in everyone(server.pid())) / 1e9


def main() -> int:
    """Measure, print, and judge."""
    taken, servers = {}, []
    for kind in (PostgreSQL, Etcd, Kafka):
        seconds = []
        for _ in range(TIMES):
            server, waited = first_write(kind)
            seconds.append(waited)
            if len(seconds) < TIMES:
                server.stop()
        servers.append(server)
        taken[kind] = sorted(seconds)
        print(f"{kind.KIND}: {taken[kind][TIMES // 2]:.1f} s to the first write ({seconds_of(taken[kind])})")
    held = [memory(server) for server in servers]
    for server, each in zip(servers, held, strict=True):
        print(f"{server.KIND}: {each * 1000:.0f} MB")
        server.stop()
    print(f"together: {sum(held):.2f} GB (limit {MEMORY_GB} GB); limit of Kafka's first write: {FIRST_WRITE_S} s")
    return 0 if sum(held) <= MEMORY_GB and taken[Kafka][TIMES // 2] <= FIRST_WRITE_S else 1


def seconds_of(taken: list[float]) -> str:
    """Return the seconds in words, from the least to the most."""
    return f"of {len(taken)}: {taken[0]:.1f} to {taken[-1]:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
