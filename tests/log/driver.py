"""The operations of a case, carried out on a log."""

from exactly_once.log import (
    NOBODY,
    PLAIN,
    TRANSACTIONAL,
    Batch,
    ConcurrentTransactions,
    Producer,
    murmur2,
    open_log,
    pack,
)
from exactly_once.log.transactions.rules import Transaction

START_MS = 1_000_000_000_000
OFFSETS = "__consumer_offsets-0"
EXPIRY_MS = 86_400_000


class Driver:
    """A fresh broker for one case, with a clock that only the case moves.

    Each method `do_…` carries out one operation and returns its results, as a dictionary by the names of the case
    files. A refusal is raised as the error that it is.
    """

    ABILITIES = frozenset(
        "raw_pid raw_txn marker_offsets time restart restart_clean replication replica_append delete_records "
        "partitioner coordinator groups describe hold_markers verification preset_txn".split()
    )

    def __init__(self, case, where="memory:", protocol="1"):
        setup, self.where, self.now = case["setup"], where, START_MS
        failovers = sum(step["op"] == "failover" for step in case["given"])
        self.manual = setup.get("replication", "auto") == "manual"
        self.replicas = max(setup.get("replicas", 1), failovers + 1 + self.manual)
        self.expiration_ms = setup.get("producer_id_expiration_ms", EXPIRY_MS)
        self.log = self._opened(self.replicas)
        for topic, count in topics_of(case).items():
            self.log.create_topic(topic, count, replicas=self.replicas, min_insync_replicas=setup.get("min_isr", 1))
        self.settings = {"protocol": int(protocol)} | {
            ours: setup[theirs]
            for theirs, ours in (
                ("transaction_max_timeout_ms", "max_timeout_ms"),
                ("transactional_id_expiration_ms", "expiration_ms"),
            )
            if theirs in setup
        }
        self.held = False
        self.log.coordinator(**self.settings)
        self.sender = Producer(self.log)
        self.names, self.labels, self.numbers = {}, {}, {}

    def do(self, step):
        """Carry out one operation of the case."""
        return getattr(self, f"do_{step['op']}")(step)

    def close(self):
        """Close the log."""
        self.log.close()

    def do_init_producer(self, step):
        """An incarnation of a producer; without transactional id, a producer id."""
        name = step.get("transactional_id")
        if name is None:
            return self._named_now(step, self.log.new_producer_id(), 0)
        goes_on = step.get("pid") is not None
        producer = self.producer(step["pid"]) if goes_on else None
        epoch = self._epoch(step["epoch"]) if goes_on else None
        found = self._tried(
            lambda: self.log.transactions.init_producer(name, step.get("timeout_ms", 60_000), producer, epoch),
            step.get("retry", True),
        )
        return self._named_now(step, *found)

    def do_add_partitions(self, step):
        """Partitions for a producer's transaction."""
        asked = step["transactional_id"], *self._whom(step), step["partitions"]
        self._tried(lambda: self.log.transactions.add_partitions(*asked))
        return {}

    def do_add_offsets(self, step):
        """A group's offsets for a producer's transaction: the partition that they are kept in."""
        asked = step["transactional_id"], *self._whom(step), [OFFSETS]
        self._tried(lambda: self.log.transactions.add_partitions(*asked))
        return {}

    def do_commit_offsets(self, step):
        """Offsets, of a transaction or not."""
        whom = self._whom(step) if step.get("pid") is not None else (None, None)
        offsets = {place_named(name): offset for name, offset in step["offsets"].items()}
        self._tried(lambda: self.log.commit(step["group"], offsets, *whom))
        return {}

    def do_fetch_offsets(self, step):
        """The committed offsets of a group."""
        asked = step["group"], *place_named(step["partition"]), step.get("require_stable", False)
        return {"offset": self.log.committed_offset(*asked)}

    def do_end_txn(self, step):
        """The decision; its markers, unless they are held."""
        asked = step["transactional_id"], *self._whom(step), step["result"]
        found = self._tried(lambda: self.log.transactions.end(*asked))
        self._settle()
        return self._named_now(step, *found)

    def do_describe_txn(self, step):
        """The state of a transaction."""
        return {"state": self.log.transactions.describe(step["transactional_id"]).state}

    def do_markers(self, step):
        """Markers are held back, or written again."""
        self.held = step["mode"] == "hold"
        self._settle()
        return {}

    def do_preset_txn(self, step):
        """The stored state of a transactional id."""
        producer, name = self.log.new_producer_id(), step["transactional_id"]
        self.log.transactions.kept[name] = Transaction(
            name, producer, step["epoch"], step["last_epoch"], step["state"], updated=self.now
        )
        return self._named_now(step, producer, step["epoch"])

    def do_append(self, step):
        """A batch for the leader."""
        topic, partition = place_named(step["partition"])
        producer, epoch, sequence = self._identity(step)
        receipt = self.log.append(
            topic, partition, step["values"], step.get("acks", "all"), producer, epoch, sequence, step["txn"]
        )
        if sequence is not None:
            self.numbers[producer, epoch, step["partition"]] = (sequence + receipt.count) % 2**31
        return {"offset": receipt.offset, "duplicate": receipt.duplicate}

    def do_replica_append(self, step):
        """A batch for the follower's way of writing, as its leader would send it."""
        topic, partition = place_named(step["partition"])
        producer, epoch, sequence = self._identity(step)
        whom = (NOBODY, NOBODY, NOBODY) if producer is None else (producer, epoch, sequence)
        form, payload = pack([(None, value) for value in step["values"]])
        kind = TRANSACTIONAL if step["txn"] else PLAIN
        count, base, size = len(step["values"]), step["base_offset"], len(payload)
        with self._leader(topic, partition).changing() as replica:
            header = base, count, replica.state["epoch"], -1, self.now, kind
            batch = Batch(*header, *whom, NOBODY, form, size, payload)
            replica.copy([batch], replica.start, replica.high_watermark)
            return {"end": replica.end}

    def do_write_marker(self, step):
        """A transaction's end, directly at the partition."""
        topic, partition = place_named(step["partition"])
        producer, epoch = self.producer(step["pid"]), self._epoch(step["epoch"])
        receipt = self.log.write_marker(
            topic, partition, producer, epoch, step["result"], step["coordinator_epoch"], step.get("rules", 1)
        )
        return {"offset": receipt.offset}

    def do_fetch(self, step):
        """All that a reader sees from an offset on."""
        topic, partition = place_named(step["partition"])
        start, isolation = step.get("from", 0), step["isolation"]
        found = self.log.fetch(topic, partition, start, isolation=isolation)
        committed = isolation == "read_committed"
        end = (self.log.last_stable if committed else self.log.high_watermark)(topic, partition)
        aborted = self.log.aborted(topic, partition, start, end) if committed else []
        return {
            "records": [[record.offset, record.value] for record in found],
            "values": [record.value for record in found],
            "end": end,
            "aborted": [[producer, first] for producer, first in aborted],
        }

    def do_delete_records(self, step):
        """A new log start."""
        self.log.delete_records(*place_named(step["partition"]), step["before"])
        return {}

    def do_advance_time(self, step):
        """The clock moves; the coordinator does the work that is due by then, and a client goes on after that."""
        self.now += step["ms"]
        self.log.transactions.time_out()
        self._settle()
        self.log.transactions.expire()
        return {}

    def do_restart(self, step):
        """All brokers stop and start: data that is not on disk is gone, in a crash and in an orderly stop alike."""
        if self.where == "memory:":
            self.log = self.log.reopened()
        else:
            self.log.close()
            self.log = self._opened(None)
        self.held = False
        self.log.coordinator(**self.settings).recover()
        self._settle()
        return {}

    def do_replicate(self, step):
        """Followers copy the records below an offset, and report it: the high watermark follows."""
        self.log.replicate(*place_named(step["partition"]), upto=step["upto"])
        return {}

    def do_failover(self, step):
        """The leader dies, and a follower with the records below an offset becomes leader."""
        topic, partition = place_named(step["partition"])
        old = self.log.leader(topic, partition)
        new = next(one for one in self.log.replicas(topic, partition) if one != old and one in self.log.alive)
        self.log.replicate(topic, partition, follower=new, rounds=1, upto=step["keep_upto"])
        with self.log.replica(new, self.log.topic(topic, partition), partition).changing() as replica:
            if replica.end > step["keep_upto"]:
                replica.truncate(step["keep_upto"])
        self.log.kill(old)
        assert self.log.log_end(topic, partition) == step["keep_upto"], "no whole batch ends there"
        self._settle()
        return {}

    def do_isr(self, step):
        """So many replicas are in sync."""
        topic, partition = place_named(step["partition"])
        leader = self.log.leader(topic, partition)
        followers = [one for one in self.log.replicas(topic, partition) if one != leader]
        for number, broker in enumerate(followers):
            if number < step["size"] - 1:
                self.log.resume(broker)
            else:
                self.log.pause(broker)
                if broker in self.log.isr(topic, partition):
                    self.log.shrink_isr(topic, partition, broker)
        return {}

    def do_partition_for(self, step):
        """Where a producer puts a record."""
        key = step.get("key") if step.get("key_hex") is None else bytes.fromhex(step["key_hex"])
        self.log.create_topic(f"of-{step['num_partitions']}", step["num_partitions"], exist_ok=True)
        receipt = self.sender.send(f"of-{step['num_partitions']}", "a record", key, step.get("explicit"))
        return {"partition": receipt.partition} | ({} if key is None else {"hash": murmur2(key)})

    def _tried(self, ask, again=True):
        """Ask, and ask again after `ConcurrentTransactions` when its markers are written; with markers held, no
        more.
        """
        try:
            return ask()
        except ConcurrentTransactions:
            self._settle()
            if self.held or not again:
                raise
        return ask()

    def _settle(self):
        """Write the markers that are due, unless they are held."""
        if not self.held:
            self.log.write_due_markers()

    def _named_now(self, step, producer, epoch):
        if "as" in step:
            self.names[step["as"]] = producer, epoch
        return {"pid": producer, "epoch": epoch}

    def _whom(self, step):
        return self.producer(step["pid"]), self._epoch(step["epoch"])

    def _identity(self, step):
        if step["pid"] is None:
            return None, None, None
        producer, epoch, sequence = self.producer(step["pid"]), self._epoch(step["epoch"]), step["first_seq"]
        if sequence == "auto":
            sequence = self.numbers.get((producer, epoch, step["partition"]), 0)
        return producer, epoch, sequence

    def producer(self, name):
        """Numbers are labels of producers without transactional id: each stands for an id of its own."""
        if isinstance(name, str):
            return self._named(name)[0]
        if name not in self.labels:
            self.labels[name] = self.log.new_producer_id()
        return self.labels[name]

    def _epoch(self, name):
        return self._named(name)[1] if isinstance(name, str) else name

    def _named(self, name):
        for sign, shift in (("+1", 1), ("-1", -1), ("", 0)):
            known = self.names.get(name.removeprefix("$").removesuffix(sign)) if name.endswith(sign) else None
            if name.startswith("$") and known:
                return known[0], known[1] + shift
        raise KeyError(f"{name!r} stands for no producer; the names so far are {', '.join(self.names) or 'none'}")

    def _leader(self, topic, partition):
        return self.log.replica(self.log.leader(topic, partition), self.log.topic(topic, partition), partition)

    def _opened(self, brokers):
        replication = "manual" if self.manual else "auto"
        return open_log(
            self.where,
            brokers,
            clock=lambda: self.now,
            replication=replication,
            producer_expiration_ms=self.expiration_ms,
        )


def topics_of(case):
    """Return {topic: its number of partitions} of a case."""
    places = [place_named(name) for name in case["setup"].get("partitions", ["t-0"])]
    return {topic: 1 + max(number for one, number in places if one == topic) for topic in {one for one, _ in places}}


def place_named(name):
    """Return (topic, number) of a partition that a case names."""
    topic, _, number = name.rpartition("-")
    return topic, int(number)
