# %% id="gap-01-clock"
class Clock:
    def __init__(self):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        ### BEGIN SOLUTION
        self.time = max(self.time, stamp) + 1
        return self.time
        ### END SOLUTION


filled = gap("01-clock", Clock)

# %% [markdown] id="gap-01-clock-hints" tags=["hints"]
# ### the receipt of a message
#
# 1. Two things came before the receipt: the process's last event, and the send. Their stamps are `self.time` and
#    `stamp`.
# 2. The third rule: take the larger of the two, and add 1. Python has `max`.
# 3. `self.time` must be set, as in `tick`, since the next event goes on from there; and it is returned.

# %% id="gap-01-effects-first"
def effects_first(events):
    ### BEGIN SOLUTION
    sent, found = set(), []
    for event in events:
        if event.kind == "send":
            sent.add(event.message)
        if event.kind == "receive" and event.message not in sent:
            found.append(event.message)
    return found
    ### END SOLUTION


filled = gap("01-effects-first", effects_first)

# %% [markdown] id="gap-01-effects-first-hints" tags=["hints"]
# ### effects that stand before their causes
#
# 1. Go through the events once, from left to right. What must you remember of those that you have passed?
# 2. Keep a set of the messages that were sent so far. `event.kind` is 'local', 'send' or 'receive';
#    `event.message` is the message's name.
# 3. At a send, add the message to the set. At a receipt whose message is not in it, append the message to the list
#    that you return.

# %% id="gap-01-explore"
def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            ### BEGIN SOLUTION
            after = step(state, node)
            if after is not None and after not in found:
                found[after] = (*found[state], node)
                frontier.append(after)
            ### END SOLUTION
    return None


filled = gap("01-explore", explore)

# %% [markdown] id="gap-01-explore-hints" tags=["hints"]
# ### the loop of a model checker
#
# 1. From `state`, each node may be the next to take a step: `for node in nodes`. `step(state, node)` gives the
#    state after it, or None if that node has ended.
# 2. A state that is in `found` needs no second look. A new one goes into `found`, and to the end of `frontier`.
# 3. What `found` holds for the new state is the schedule that leads there: that of `state`, then `node`, which is
#    `(*found[state], node)`.

# %% id="gap-01-one-at-a-time"
def one_at_a_time(view):
    ### BEGIN SOLUTION
    inside = set()
    for what, node, _ in view.outputs:
        if what == "enters":
            inside.add(node)
        else:
            inside.remove(node)
        if len(inside) > 1:
            return f"nodes {inside} are inside at once"
    return True
    ### END SOLUTION


filled = gap("01-one-at-a-time", one_at_a_time)

# %% [markdown] id="gap-01-one-at-a-time-hints" tags=["hints"]
# ### at most one inside
#
# 1. `view.outputs` is a list such as [['enters', 1, 4], ['leaves', 1, 4]]: what, which node, the stamp of its
#    request. Who is inside after all of them?
# 2. Keep a set, or a number: up at 'enters', down at 'leaves'. When is it too large?
# 3. Return True if it never was above 1. Return False, or a text that says what is wrong, if it was.

# %% id="gap-01-vector-clock"
class VectorClock:
    def __init__(self, process):
        self.process, self.row = process, {}

    def tick(self):
        self.row[self.process] = self.row.get(self.process, 0) + 1
        return dict(self.row)

    def receive(self, stamp):
        ### BEGIN SOLUTION
        for process, count in stamp.items():
            self.row[process] = max(self.row.get(process, 0), count)
        return self.tick()
        ### END SOLUTION


filled = gap("01-vector-clock", VectorClock)

# %% [markdown] id="gap-01-vector-clock-hints" tags=["hints"]
# ### a vector clock's receipt
#
# 1. The receiver knows what it knew before, and what the message knows. For each process: which of two counts?
# 2. Go through `stamp.items()`, and set each entry of `self.row` to the larger of the two. A process that is not
#    in the row yet counts as 0: `self.row.get(process, 0)`.
# 3. The receipt is an event of this process as well. `self.tick()` counts it and returns a copy of the row.
