# %% [markdown] id="title"
# # 01 · Lamport clocks: exercises
#
# Five exercises for [chapter 01](../notebooks/01-lamport-clocks.ipynb), about 120 minutes: two warm-ups, two tasks and a challenge. Each has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest run that shows it. Hints go from a nudge, `hint(1)`, to the decisive idea. Ask for them whenever you like; after two wrong tries the next one is offered.

# %% [markdown] id="01a-task"
# ## (a) Stamp a run (warm-up, 10 minutes)
#
# Three processes, fourteen events, four messages. Every clock starts at 0. Give each event its Lamport stamp: a dictionary with a list of stamps for each process, in the order of its line.
#
# Here is the run. Rings are receipts.

# %% [markdown] id="01a-hints" tags=["hints"]
# 1. Go from left to right. Before you stamp a receipt, look at two numbers: which?
# 2. A local event or a send is 1 more than the event before it on the same line. A receipt is 1 more than the
#    larger of two: the event before it on the line, and the send at the other end of the arrow.
# 3. p1.3 comes after p1.2, which has 2, and receives m1 from p2.2, which has 2 too. So it is max(2, 2) + 1 = 3.
# 4. p3 has 1, 2, 3, and then receives m2, which carries 2: max(3, 2) + 1 = 4. So p3.5 sends m4 with 5, and p2.3 is
#    max(2, 5) + 1. What is p3.6, which receives m3 from p1.4?

# %% id="01a-run"

# %% [markdown] id="01a-answer-words"
# There are 4 events on p1, 4 on p2 and 6 on p3.

# %% id="01a-answer"
stamps = (
    ### BEGIN SOLUTION
    {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}
    ### END SOLUTION
)

# %% [markdown] id="01a-show-words"
# The run with your stamps in it (this does not tell whether they are right):

# %% [markdown] id="01a-check-words"
# A wrong stamp is answered with the sum that it should have come from. `task_a.hint(1)` is there if you want it.

# %% [markdown] id="01a-why" tags=["solution"]
# **Why.** Three kinds of receipts are in it. At p2.3 the message is far ahead (5 against 2), and the clock jumps. At p3.4 and p3.6 the process itself is ahead of what the message carries (3 against 2, 5 against 4), and the clock goes on as if the message had not come. At p1.3 both are 2, and 3 is beyond either.

# %% [markdown] id="01b-task"
# ## (b) A clock that survives a crash (warm-up, 15 minutes)
#
# A process dies, and its next incarnation begins with an empty memory. The clock of the chapter then starts at 0 again, and gives stamps that it has given before. What was sent with them is still out in the world: two events of one process now have the same stamp, or the later one has the smaller.
#
# Each incarnation gets a `disk`, and that is all that is left of the incarnation before. `disk.load()` returns what was saved last, or 0 if nothing was; `disk.save(value)` saves a value over the one before.
#
# Write the clock as a class that is made with a disk. `tick()`, for a local event or a send, and `receive(stamp)`, for a receipt, return the event's stamp, as in the chapter. In all incarnations of the process together, each stamp has to be larger than the one before it.
#
# The check lets each incarnation have three events (a send, the receipt of a message stamped 1000, a send) and kills the process between any two steps, up to two times. A save is a step. What is done with a stamp comes after your method has returned it.

# %% [markdown] id="01b-hints" tags=["hints"]
# 1. When the process dies, everything is gone but the disk. What must the next incarnation know, so that its first stamp
#    is larger than all that were given?
# 2. A stamp that was returned may be out in the world. So it has to be on the disk before the method returns, in
#    tick and in receive.
# 3. The chapter's clock lacks two things. A new clock starts from the number on the disk, not from 0. And each
#    method does three things in this order: compute the stamp by the chapter's rule, save the stamp, return the
#    stamp. A local event follows the same rule as a receipt of a message stamped 0, so one method can call the
#    other.

# %% id="01b-answer"
class DurableClock:
    def __init__(self, disk):
        ### BEGIN SOLUTION
        self.disk, self.time = disk, disk.load()
        ### END SOLUTION

    def tick(self):
        ### BEGIN SOLUTION
        return self.receive(0)
        ### END SOLUTION

    def receive(self, stamp):
        ### BEGIN SOLUTION
        self.time = max(self.time, stamp) + 1
        self.disk.save(self.time)
        return self.time
        ### END SOLUTION

# %% [markdown] id="01b-show-words"
# One incarnation that nothing happens to. Your stamps stand at *push*; the numbers in the dots are those of the course's own trace.

# %% [markdown] id="01b-check-words"
# A wrong clock is answered with the shortest schedule in which a stamp comes twice, or goes back.

# %% [markdown] id="01b-why" tags=["solution"]
# **Why.** Once the method has returned, the stamp may be out in the world, so the disk has to know it before that. A crash between the save and the return leaves out a number. That does no harm, since stamps are there to be compared and not to count.
#
# One save for each event is dear. A clock that saves a limit, say 1,000 beyond its time, and begins its next incarnation at that limit, saves once for 1,000 stamps, and skips at most as many numbers after a crash. The timestamp oracle of Percolator does so (D. Peng and F. Dabek, OSDI 2010). The limit that a new incarnation counts on has to be on the disk, too, before the first stamp beyond the old one.

# %% [markdown] id="01d-task"
# ## (d) The total order, from scattered logs (task, 25 minutes)
#
# Each process kept its own log, and nobody wrote down any stamp. `logs` is a dictionary: for each process a list of `(kind, message)`, in its own order, such as `{"a": [("send", "m1")], "b": [("receive", "m1"), ("local", None)]}`. Some messages are lost: they are sent and never received.
#
# Write a function that returns Lamport's total order of all events, as a list of pairs `(stamp, process)`. For the logs above that is `[(1, "a"), (2, "b"), (3, "b")]`. The logs come in any order.

# %% [markdown] id="01d-hints" tags=["hints"]
# 1. Two steps: give every event its stamp, then sort. Python sorts pairs by the first entry, and where that is
#    equal by the second.
# 2. The logs of the processes come one by one, so a receipt can come before its send. How do you stamp a receipt
#    whose message has no stamp yet? You cannot: leave it, go on with another log, and come back.
# 3. Keep for each process how far you are, and its clock; keep the stamps of messages sent so far. Go round the
#    processes again and again: stamp events until a receipt has to wait, then take the next process. Stop when a
#    whole round brought nothing.
# 4. A round visits every process once. At each process, stamp one event after the other until the log ends or a
#    receipt has to wait for its message. A receipt waits while `message not in carried`, where `carried` is the
#    dictionary of the stamps of all sent messages. A round without a new stamp ends the loop. Then every event
#    stands in your list as a pair of stamp and process, and one sort finishes the task.

# %% id="01d-answer"
def total_order(logs):
    ### BEGIN SOLUTION
    at, clocks = dict.fromkeys(logs, 0), dict.fromkeys(logs, 0)
    carried, noted, before = {}, [], -1
    while len(noted) > before:
        before = len(noted)
        for process, log in logs.items():
            while at[process] < len(log):
                kind, message = log[at[process]]
                if kind == "receive" and message not in carried:
                    break
                stamp = carried[message] if kind == "receive" else 0
                clocks[process] = max(clocks[process], stamp) + 1
                if kind == "send":
                    carried[message] = clocks[process]
                at[process] += 1
                noted.append((clocks[process], process))
    return sorted(noted)
    ### END SOLUTION

# %% [markdown] id="01d-show-words"
# A small example, in which the first log begins with a receipt:

# %% [markdown] id="01d-check-words"
# The check goes through about a hundred sets of logs, and a wrong order is answered with the smallest.

# %% [markdown] id="01d-why" tags=["solution"]
# **Why.** A receipt can be stamped when its message has been, so the logs have to wait for each other. Going round until nothing moves stamps every event, because the first unstamped event in the order of causes is always ready. After that, pairs of stamp and process sort by themselves; no two are equal, since the stamps of one process only grow.

# %% [markdown] id="01f-task"
# ## (f) Two messages in place of three (task, 25 minutes)
#
# Lamport's algorithm, in *Further on* of the chapter, sends three messages to each other node for each entry: a request, its acknowledgement, and the release. G. Ricart and A. K. Agrawala need two (1981). A node that wants to enter sends a request to all others, and enters when *each* has answered. There is no queue and no release. All depends on when a node answers a request: at once, or only when it leaves the critical section itself.
#
# Write this decision. `Peer(me)` is made once for each node, with its number, and has three methods:
#
# - `wants(request)`: this node wants to enter. `request` is its own, a pair `(stamp, node)`, which goes to all others. Returns nothing.
# - `asked(request)`: the request of another node has arrived. Returns the list of the nodes to answer now.
# - `leaves()`: this node has entered and left. Returns the list of the nodes to answer now.
#
# The program around it keeps the Lamport clock, sends what is to be sent, and counts the answers. It must come out that no two nodes are ever inside at once, that nobody waits for ever, that the nodes enter in the total order of their requests, and that each request is answered once. No node crashes.

# %% [markdown] id="01f-hints" tags=["hints"]
# 1. An answer says: as far as I am concerned, go in. When may a node say so at once? Think of a node that wants
#    nothing, of one whose own request comes first, and of one whose own request comes later.
# 2. Of two nodes that both want to enter, exactly one must answer at once. The total order of requests, pairs
#    (stamp, node), decides which: tuples in Python compare in this way.
# 3. Keep two things: this node's own request (None while it has none), and a list of the nodes that wait for an
#    answer. Who is not answered in asked has to be answered in leaves, once.
# 4. Compare the two requests with `<`: a node answers at once if the node wants nothing, or if the other request is
#    the smaller one. Every other request waits: note the node that asked. A node that leaves answers all noted
#    nodes. Return the noted nodes, but before that empty the list, and forget the node's own request.

# %% id="01f-answer"
class Peer:
    def __init__(self, me):
        ### BEGIN SOLUTION
        self.mine, self.waiting = None, []
        ### END SOLUTION

    def wants(self, request):
        ### BEGIN SOLUTION
        self.mine = request
        ### END SOLUTION

    def asked(self, request):
        ### BEGIN SOLUTION
        if self.mine is None or request < self.mine:
            return [request[1]]
        self.waiting.append(request[1])
        return []
        ### END SOLUTION

    def leaves(self):
        ### BEGIN SOLUTION
        now, self.waiting, self.mine = self.waiting, [], None
        return now
        ### END SOLUTION

# %% [markdown] id="01f-show-words"
# Whom node 2 answers in four moments:

# %% [markdown] id="01f-check-words"
# Every schedule of two nodes and of three is explored, which takes some seconds. A wrong class is met with the simplest one in which two are inside at once, in which they enter in another order, or in which one waits for ever.

# %% [markdown] id="01f-why" tags=["solution"]
# **Why.** Of two nodes that both want to enter, one has the request that comes first in the total order. It lets the other wait, and the other answers at once: never both, never neither. Nodes that wait for each other in a circle would need requests that get smaller all the way round. Whether a node is inside need not be known: until it leaves, its request stands, and any request that it hears meanwhile from a node that had answered it has a later stamp.
#
# For *n* nodes these are 2(*n* − 1) messages an entry in place of 3(*n* − 1). What has not changed: a node that falls silent stops all others.

# %% [markdown] id="01g-task"
# ## (g) Causal broadcast (challenge, 45 minutes)
#
# A specification, and nothing else. In a group, everybody writes to everybody. Somebody asks, somebody answers, and the answer overtakes the question on its way to a third member. Nobody should get to see an answer before its question, whatever the network does.
#
# **What you write.** A class `Member(me, members)`, where `me` is its name, such as `"p1"`, and `members` the list of all names, in the same order everywhere. It has two methods:
#
# - `broadcast(text)`: this member sends a text to all others, and delivers it to itself at once. Returns the message: any plain value, with all in it that the receivers need.
# - `receive(message)`: a copy of a message has arrived. Returns the list of the texts that are delivered now, in this order; it may be empty.
#
# **The network.** A copy of each message is on its way to every other member; no copy is lost or changed. Copies arrive in any order, those from one sender to one receiver, too. A copy may arrive a second time, at any later moment. Members send nothing but their broadcasts, and they have no wall clock.
#
# **The specification.**
#
# - Nobody delivers a text twice.
# - Nobody delivers a text before another that its sender had delivered, or broadcast, before it.
# - As soon as no copy is on its way any more, everybody has delivered everything.
#
# The check goes through all that the network can do, in groups of two and of three members with up to three broadcasts. Here is the specification as a function, the very one that is asked after each step:

# %% [markdown] id="01g-hints" tags=["hints"]
# 1. A member that receives b has to know whether something is missing that b depends on. What can the sender put
#    into the message, so that the receiver can tell by what it has delivered itself?
# 2. Count broadcasts, not events: a vector with, for each member, how many of its broadcasts were delivered here.
#    A message takes along its sender's vector.
# 3. A message of member s is the next one of s if its entry for s is one more than the receiver's; it may be
#    delivered if, besides, every other entry is at most the receiver's. What arrives too early is kept. After each
#    delivery something that was kept may have become ready.
# 4. Write a helper that says whether a kept message is ready by the rule of hint 3. Receiving then takes three
#    steps: keep the message; deliver a ready message, count it in the entry of its sender, and look again; return
#    the texts in the order of delivery. Sending counts the member's own broadcast first. Send a copy of the vector,
#    because the vector changes later. A second copy of a message is never ready again, so it does no harm.

# %% id="01g-specification"

# %% [markdown] id="01g-answer-words"
# Keep all that a member knows in `self`: the check copies members, to try each order.

# %% id="01g-answer"
class Member:
    ### BEGIN SOLUTION
    def __init__(self, me, members):
        self.me, self.known, self.kept = me, dict.fromkeys(members, 0), []

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        self.kept.append(message)
        texts = []
        while ready := [each for each in self.kept if self.is_next(*each)]:
            sender, _, text = ready[0]
            self.known[sender] += 1
            texts.append(text)
        self.kept = [each for each in self.kept if each[1][each[0]] > self.known[each[0]]]
        return texts

    def is_next(self, sender, vector, text):
        before = vector | {sender: vector[sender] - 1}
        seen = all(count <= self.known[each] for each, count in before.items())
        return seen and before[sender] == self.known[sender]
    ### END SOLUTION

# %% [markdown] id="01g-show-words"
# One run, in which `b` answers `a` and overtakes it on the way to p3:

# %% [markdown] id="01g-check-words"
# This takes some seconds. A wrong class is met with the shortest run that breaks it.

# %% [markdown] id="01g-why" tags=["solution"]
# **Why.** The vector counts broadcasts, not events: for each member, how many of its texts were delivered here. A message takes its sender's vector along. It is deliverable if it is the *next* one of its sender, and if of every other member at least as much was delivered here as at the sender. What is not yet deliverable is kept, and looked at again after each delivery; a second copy is never the next of its sender. This is the algorithm of K. Birman, A. Schiper and P. Stephenson (1991).
#
# A number for each sender alone puts the messages of one sender in order and recognises second copies, but the answer comes from another sender than the question. A message that names all that its sender had delivered needs no counting, and one that carries it along need not even wait; both grow without end. Two concurrent texts may still be delivered in two orders at two members. Where all have to see *one* order, they need a total order, as a partition of a log gives it.
