# %% id="gap-02-answer-fetch"
def answer_fetch(leader, follower, offset):
    ### BEGIN SOLUTION
    leader.ends[follower] = offset
    leader.high_watermark = min(leader.ends.values())
    return leader.records[offset:], leader.high_watermark
    ### END SOLUTION


filled = gap("02-answer-fetch", answer_fetch)

# %% [markdown] id="gap-02-answer-fetch-hints" tags=["hints"]
# ### what a leader learns from a fetch
#
# 1. A follower that asks for offset 3 has the offsets 0, 1 and 2. Where does the leader keep that?
# 2. The offset that the follower asks for is the length of its log. The dictionary `leader.ends` holds such a
#    length for each broker.
# 3. The high watermark is the first offset that some broker may lack: the smallest of `leader.ends.values()`. The
#    answer is a pair: the records from the offset on, and the high watermark.

# %% id="gap-02-audit"
def audit(acknowledged, readable):
    ### BEGIN SOLUTION
    lost = [number for number in acknowledged if number not in readable]
    doubled = sorted({number for number in readable if readable.count(number) > 1})
    return lost, doubled
    ### END SOLUTION


filled = gap("02-audit", audit)

# %% [markdown] id="gap-02-audit-hints" tags=["hints"]
# ### what is lost, and what is there twice
#
# 1. A record is lost when it was acknowledged and no reader finds it. Numbers alone do not say so.
# 2. Go through `acknowledged` and look for each in `readable`. For the doubled ones, count in `readable`.
# 3. `readable.count(number) > 1`. A set makes of several equal numbers one.

# %% id="gap-02-nothing-lost"
def nothing_lost(acknowledged, leader):
    ### BEGIN SOLUTION
    if leader is None:
        return True
    return all(leader[offset : offset + 1] == [value] for offset, value in acknowledged)
    ### END SOLUTION


filled = gap("02-nothing-lost", nothing_lost)

# %% [markdown] id="gap-02-nothing-lost-hints" tags=["hints"]
# ### the invariant: what was acknowledged is there
#
# 1. An invariant is true in every state that is all right. Which states are: without a leader, for example?
# 2. Go through `acknowledged`: each is a pair of offset and value. `leader` is a list of values, or None.
# 3. `leader[offset] == value`, if the leader's log is that long. Nothing else that it holds matters.

# %% id="gap-02-send"
from exactly_once.course import gap
from exactly_once.log import partition_for


def send(topic, key, value):
    ### BEGIN SOLUTION
    partition = partition_for(key, len(topic))
    topic[partition].append((key, value))
    return partition, len(topic[partition]) - 1
    ### END SOLUTION


filled = gap("02-send", send)

# %% [markdown] id="gap-02-send-hints" tags=["hints"]
# ### put a record into its key's partition
#
# 1. How many partitions are there? The topic is a list of logs, one for each.
# 2. `partition_for(key, len(topic))` is the number of the log. A log is a list: `append` adds to its end.
# 3. The offset of what was added last is the length of its log, less one.

# %% id="gap-02-to-commit"
def to_commit(done):
    ### BEGIN SOLUTION
    return {record.partition: record.offset + 1 for record in done}
    ### END SOLUTION


filled = gap("02-to-commit", to_commit)

# %% [markdown] id="gap-02-to-commit-hints" tags=["hints"]
# ### which positions to commit when some records are done
#
# 1. A position is the offset of the *next* record that a reader wants, not of the last that it had.
# 2. `record.partition` and `record.offset` say where a record stands. Each partition has a position of its own.
# 3. Of several records of one partition the last counts. In a dictionary a later entry replaces an earlier one.
