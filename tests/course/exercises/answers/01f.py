"""Answers to the exercise 01f."""

from tests.course.answers import Answers

answers = Answers("01f")

# Keeps the requests of the others, and goes by their order.
answers.right("latest of all without a request").code("""
    NOBODY = (10**9, 0)


    class Peer:
        def __init__(self, me):
            self.mine, self.waiting = NOBODY, ()

        def wants(self, request):
            self.mine = request

        def asked(self, request):
            first, node = min(request, self.mine), request[1]
            if first is not request:
                self.waiting += (node,)
            return (node,) * (first is request)

        def leaves(self):
            self.mine, waiting = NOBODY, self.waiting
            self.waiting = ()
            return waiting


    answer = Peer
""")

answers.right("keeps all requests").code("""
    class Peer:
        def __init__(self, me):
            self.mine, self.later = (float("inf"), me), set()

        def wants(self, request):
            self.mine = request

        def asked(self, request):
            self.later.add(request)
            return self.ready()

        def leaves(self):
            self.mine = (float("inf"), 0)
            return self.ready()

        def ready(self):
            now = {request for request in self.later if request <= self.mine}
            self.later -= now
            return {node for _, node in now}


    answer = Peer
""")

# No request of its own counts as one that comes after all others.
# Who comes first is answered at once.
answers.right("by the total order", of="answers twice").diff("""
    +        if self.mine is None or request < self.mine:
    +            return [request[1]]
             self.waiting.append(request[1])
    -        return [request[1]] if self.mine is None or request < self.mine else []
    +        return []
""")

# The smaller node first, whatever the stamps. Plausible: right for two nodes that enter once.
answers.plausible("by node only", ("request < self.mine", "request[1] < self.mine[1]"), reason="comes before its own")

# Forgets in leaves that it wants nothing any more. Plausible: right for two nodes that enter once.
answers.plausible(
    "stays in for ever",
    ("waiting, self.mine = self.waiting, [], None", "waiting = self.waiting, []"),
    reason="somebody waits for ever",
)

# Passes the turn on to one of those who wait. Plausible: right for two nodes.
answers.plausible(
    "answers the first only",
    ("now, self.waiting, self.mine = self.waiting, [],", "self.mine ="),
    ("return now", "return [self.waiting.pop(0)] if self.waiting else []"),
    reason="With 3 nodes, somebody waits for ever",
)

# Lets everybody in, whatever it wants itself.
answers.wrong(
    "always at once",
    ("if self.mine is None or request < self.mine:", "if True:"),
    reason="in the critical section at once",
)

# With equal stamps each waits for the other.
answers.wrong(
    "by stamps only", ("request < self.mine", "request[0] < self.mine[0]"), reason="somebody waits for ever"
)

# With equal stamps each lets the other in.
answers.wrong(
    "equal stamps both in",
    ("request < self.mine", "request[0] <= self.mine[0]"),
    reason="in the critical section at once",
)

# Returns a node in place of a list.
answers.wrong(
    "one number",
    ("return [request[1]]", "return request[1]"),
    reason="asked returned 1; it returns a list of the nodes to answer now",
)

# Lets nobody in as long as it wants to enter itself.
answers.wrong("only when idle", ("None or request < self.mine", "None"), reason="somebody waits for ever")

# The other way round.
answers.wrong("the later first", ("request <", "request >"), reason="comes before its own")

# One at a time, but with equal stamps the larger node first.
answers.wrong(
    "ties the other way",
    ("request < self.mine", "(request[0], -request[1]) < (self.mine[0], -self.mine[1])"),
    reason="comes before its own",
)

# Never comes back to those whom it did not answer at once.
answers.wrong("forgets who waits", of="answers twice", reason="somebody waits for ever").diff("""
    -        self.mine, self.waiting = None, []
    +        self.mine = None
    @@
    -        self.waiting.append(request[1])
    @@
    -        now, self.waiting, self.mine = self.waiting, [], None
    -        return now
    +        self.mine = None
    +        return []
""")

# Answers again who was answered before.
answers.wrong("answers twice", reason="leaves returned 1, which waits for no answer of this node").code("""
    class Peer:
        def __init__(self, me):
            self.mine, self.waiting = None, []

        def wants(self, request):
            self.mine = request

        def asked(self, request):
            self.waiting.append(request[1])
            return [request[1]] if self.mine is None or request < self.mine else []

        def leaves(self):
            now, self.waiting, self.mine = self.waiting, [], None
            return now


    answer = Peer
""")
