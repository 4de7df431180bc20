"""Answers to the exercise 02g."""

from tests.course.answers import Answers

answers = Answers("02g")

# Cuts in one step, to where the leader's log has the end of the follower's last epoch (KIP-101, KIP-279).
answers.right("asks where an epoch ends").code("""
    class Replica:
        def __init__(self, number, log):
            self.number, self.log = number, log
            self.epoch, self.high_watermark, self.ends, self.in_sync = -1, 0, {}, []

        def lead(self, epoch, in_sync):
            if epoch != self.epoch:
                self.epoch, self.ends = epoch, {}
            self.in_sync = in_sync
            self.advance()

        def follow(self, epoch):
            self.epoch = epoch

        def write(self, value):
            self.log.append([self.epoch, value])
            self.advance()

        def advance(self):
            ends = {**self.ends, self.number: len(self.log)}
            reached = min(ends.get(broker, 0) for broker in self.in_sync)
            self.high_watermark = max(self.high_watermark, reached)

        def fetch(self):
            return [self.epoch, len(self.log), self.log[-1][0] if self.log else -1]

        def serve(self, follower, request):
            epoch, end, last = request
            if epoch != self.epoch:
                return None
            if end > len(self.log) or (end and self.log[end - 1][0] != last):
                ends = [place for place, one in enumerate(self.log, 1) if one[0] <= last]
                older = max((one[0] for one in self.log if one[0] <= last), default=-1)
                return [epoch, end, "cut", min(ends[-1] if ends else 0, end), older]
            self.ends[follower] = end
            self.advance()
            return [epoch, end, self.log[end]] if end < len(self.log) else None

        def receive(self, reply):
            epoch, end, *rest = reply
            if epoch != self.epoch or end != len(self.log):
                return
            if rest[0] != "cut":
                self.log.append(rest[0])
                return
            _, most, older = rest
            own = [place for place, one in enumerate(self.log, 1) if one[0] <= older]
            keep = min(most, own[-1] if own else 0)
            del self.log[keep if keep < end else end - 1 :]


    answer = Replica
""")

# Compares record by record from offset 0 whenever another leads, and counts only what was compared.
answers.right("compares from the beginning").code("""
    class Replica:
        def __init__(self, number, log):
            self.number, self.log, self.epoch = number, log, -1
            self.high_watermark, self.same, self.known, self.members = 0, 0, {}, []

        def lead(self, epoch, in_sync):
            self.known = self.known if epoch == self.epoch else {}
            self.epoch, self.members = epoch, in_sync
            self.acknowledge()

        def follow(self, epoch):
            self.epoch, self.same = epoch, 0

        def write(self, value):
            self.log += [[self.epoch, value]]
            self.acknowledge()

        def acknowledge(self):
            others = [self.known.get(one, 0) for one in self.members if one != self.number]
            self.high_watermark = max(self.high_watermark, min([len(self.log), *others]))

        def fetch(self):
            mine = self.log[self.same][0] if self.same < len(self.log) else None
            return {"epoch": self.epoch, "same": self.same, "mine": mine}

        def serve(self, follower, request):
            same, mine = request["same"], request["mine"]
            if request["epoch"] != self.epoch:
                return None
            self.known[follower] = same
            self.acknowledge()
            if same == len(self.log):
                return (self.epoch, same, "end", 0) if mine is not None else None
            record = self.log[same]
            return (self.epoch, same, "same", 0) if record[0] == mine else (self.epoch, same, *record)

        def receive(self, reply):
            epoch, offset, what, value = reply
            if (epoch, offset) != (self.epoch, self.same):
                return
            if what == "end":
                del self.log[offset:]
                return
            if what != "same":
                self.log[offset:] = [[what, value]]
            self.same += 1


    answer = Replica
""")

# Compares the last record's epoch, and drops it when the leader has another there, as Raft does.
answers.right("steps back one by one", of="no receive").diff("""
             return [epoch, end, self.log[end]] if end < len(self.log) else None

    +    def receive(self, reply):
    +        epoch, end, record = reply
    +        if epoch == self.epoch and end == len(self.log):
    +            if record is None:
    +                self.log.pop()
    +            else:
    +                self.log.append(record)
    +

""")

# Counts a record as copied when it is sent. Plausible: right when no reply is lost.
answers.plausible(
    "counts what it has sent",
    ("[follower] = end", "[follower] = min(end + 1, len(self.log))"),
    reason="was acknowledged at offset 0",
)

# Does not ask which leader a reply is from. Plausible: right while one broker leads.
answers.plausible(
    "takes replies of old leaders",
    ("epoch, end, record = reply", "_, end, record = reply"),
    ("if epoch == self.epoch and end", "if end"),
    reason="was acknowledged at offset",
)

# Acknowledges what two of three have. Plausible: right when nothing goes wrong.
answers.plausible("majority", reason="ends before it").diff("""
    -        reached = min(ends.get(broker, 0) for broker in self.in_sync)
    +        reached = sorted(ends.get(broker, 0) for broker in (0, 1, 2))[1]
""")

# Acknowledges records that only the leader has. Plausible: right when nothing goes wrong.
answers.plausible("acknowledges alone", reason="was acknowledged at offset 0").diff("""
    -        ends = {**self.ends, self.number: len(self.log)}
    -        reached = min(ends.get(broker, 0) for broker in self.in_sync)
    -        self.high_watermark = max(self.high_watermark, reached)
    +        self.high_watermark = len(self.log)
""")

# Cuts its log to its own high watermark when another leads, as Kafka did before 0.11 (KIP-101). Plausible: right
# when nothing goes wrong.
answers.plausible("cuts to its high watermark", of="no receive", reason="was acknowledged at offset 0").diff("""
             self.epoch = epoch
    +        del self.log[self.high_watermark :]
    @@
    -        epoch, end, last = request
    +        epoch, end, _ = request
    @@
    -        if end > len(self.log) or (end and self.log[end - 1][0] != last):
    -            return [epoch, end, None]
    @@
    -        return [epoch, end, self.log[end]] if end < len(self.log) else None
    +        return [epoch, end, self.log[end] if end < len(self.log) else 0, self.high_watermark]
    +
    +    def receive(self, reply):
    +        epoch, end, record, high = reply
    +        if epoch == self.epoch and end == len(self.log):
    +            if record:
    +                self.log.append(record)
    +            self.high_watermark = min(high, len(self.log))
""")

# Empties the log of a follower that has parted.
answers.wrong(
    "cuts everything",
    ("self.log.pop()", "self.log.clear()"),
    reason="was acknowledged at offset 0, and the log of broker",
)

# Looks at the last record of an empty log.
answers.wrong("fails when it is empty", ("[-1][0] if self.log else -1", "[-1][0]"), reason="fails with IndexError")

# Refuses a follower whose log has parted, and leaves it at that.
answers.wrong("never cuts", ("return [epoch, end, None]", "return None"), reason="is still not that of broker")

# Sends all that it has.
answers.wrong(
    "sends the whole log",
    (".log[end]", ".log"),
    reason="a reply holds at most 6 numbers and words, and no more than one record",
)

# Does not ask from which offset a reply is.
answers.wrong(
    "takes a reply twice",
    ("epoch, end, record = reply", "epoch, _, record = reply"),
    ("epoch and end == len(self.log)", "epoch"),
    reason="is in the log of broker",
)

# Takes logs of equal length for equal.
answers.wrong(
    "trusts the length",
    ("epoch, end, last = request", "epoch, end, _ = request"),
    ("(self.log) or (end and self.log[end - 1][0] != last):", "(self.log):"),
    reason="is still not that of broker",
)

# Leaves a method out.
answers.wrong("no receive", reason="has no method receive").code("""
    class Replica:
        def __init__(self, number, log):
            self.number, self.log = number, log
            self.epoch, self.high_watermark, self.ends, self.in_sync = -1, 0, {}, []

        def lead(self, epoch, in_sync):
            if epoch != self.epoch:
                self.epoch, self.ends = epoch, {}
            self.in_sync = in_sync
            self.advance()

        def follow(self, epoch):
            self.epoch = epoch

        def write(self, value):
            self.log.append([self.epoch, value])
            self.advance()

        def advance(self):
            ends = {**self.ends, self.number: len(self.log)}
            reached = min(ends.get(broker, 0) for broker in self.in_sync)
            self.high_watermark = max(self.high_watermark, reached)

        def fetch(self):
            return [self.epoch, len(self.log), self.log[-1][0] if self.log else -1]

        def serve(self, follower, request):
            epoch, end, last = request
            if epoch != self.epoch:
                return None
            if end > len(self.log) or (end and self.log[end - 1][0] != last):
                return [epoch, end, None]
            self.ends[follower] = end
            self.advance()
            return [epoch, end, self.log[end]] if end < len(self.log) else None


    answer = Replica
""")
