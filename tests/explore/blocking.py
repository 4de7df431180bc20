"""Handlers that send, receive and lock, for tests: right ones, wrong ones, and some written to defeat the
explorer.
"""

import contextlib

from exactly_once import OutcomeUnknown


def locked(node):
    """Add one to a number, under a lock."""
    with node.lock("number"):
        node.state.save((node.state.load() or 0) + 1 if isinstance(node.state.load(), int) else 1)
    node.output.push("done")


def unlocked(node):
    """The same without the lock."""
    held = node.state.load()
    node.state.save(held + 1 if isinstance(held, int) else 1)


def by_hand(node):
    """Acquire and release by hand, a second time on an unknown outcome."""
    lock = node.lock("number")
    try:
        lock.acquire()
    except OutcomeUnknown:
        lock.acquire()
    node.output.push(node.number)
    node.output.push([lock.release(), lock.release()])


def one_then_other(node):
    """Node 1 locks a and then b, node 2 b and then a."""
    first, second = ("a", "b") if node.number == 1 else ("b", "a")
    with node.lock(first), node.lock(second):
        node.output.push(node.number)


def in_a_fixed_order(node):
    """Both lock a and then b."""
    with node.lock("a"), node.lock("b"):
        node.output.push(node.number)


def locks_of_two_names(node):
    """One instruction, one set of variables, two locks: only what is held tells the two ways apart."""
    name = node.choose(["a", "b"])
    with node.lock(name):
        name = None
        node.crash_point("A")
        node.output.push("in")
    node.output.push([node.lock("a").release(), node.lock("b").release()])


@contextlib.contextmanager
def noted(node, word):
    yield
    node.output.push(word)


def another_block_beside_a_lock(node):
    """A `with` block of something else: its way out is on the stack, too."""
    word = node.choose(["a", "b"])
    with noted(node, word), node.lock("x"):
        word = None
        node.positions.load()
    with node.lock("x"):
        node.output.push("end")


def kept_by_a_stack(node):
    """A lock that is entered, and another block that runs: as many of one kind as of the other."""
    word = node.choose(["a", "b"])
    stack = contextlib.ExitStack()
    stack.enter_context(node.lock("x"))
    with noted(node, word):
        word = None
        node.positions.load()
    stack.close()


def ping_pong(node):
    """Node 1 sends, node 2 answers."""
    if node.number == 1:
        node.send(2, "ping")
        node.output.push(list(node.receive(2)))
    else:
        sender, message = node.receive()
        node.send(sender, [message, "pong"])


def two_to_one(node):
    """The last node receives from any sender, and pushes the messages in their order of arrival."""
    if node.number == node.nodes:
        for _ in range(2 * (node.nodes - 1)):
            node.output.push(list(node.receive()))
    else:
        node.send(node.nodes, "first")
        node.send(node.nodes, "second")


def answered_from_both(node):
    """Each node sends to itself and to the other node, and receives first from itself, then from the other node."""
    other = 3 - node.number
    node.send(other, node.number)
    node.send(node.number, 0)
    node.output.push([node.receive(node.number)[1], node.receive(other)[1]])


def insistent(node):
    """Send and receive again when the outcome is unknown."""
    if node.number == 1:
        try:
            node.send(2, "x")
        except OutcomeUnknown:
            node.send(2, "x")
    else:
        try:
            node.output.push(node.receive()[1])
        except OutcomeUnknown:
            node.output.push("unknown")


def nobody_sends(node):
    """Wait for what does not come."""
    node.output.push(node.receive())


def spins(node):
    """A lock made of cas: it spins while another holds it, and lets go."""
    while True:
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, "mine"):
            break
    node.output.push("in")
    node.registers.cas("lock", version + 1, "")


def never_lets_go(node):
    """The same, and never lets go."""
    while not node.registers.cas("lock", 0, "mine"):
        pass
    node.output.push("in")


def overwrites(node):
    """Write its own name, and go on if it is still there: alone it ends, two can undo each other for ever."""
    while True:
        version, _ = node.registers.read("claim")
        node.registers.cas("claim", version, node.number)
        if node.registers.read("claim")[1] == node.number:
            break


def overwrites_twice(node):
    """The same, but it gives up after some attempts, though versions grow as fast as it counts."""
    attempts = 0
    while attempts < 3:
        version, _ = node.registers.read("claim")
        node.registers.cas("claim", version, node.number)
        if node.registers.read("claim")[1] == node.number:
            break
        attempts += 1


def overwrites_the_state(node):
    """The same with the state, in which no version can be seen to grow."""
    while True:
        node.state.save(node.number)
        if node.state.load() == node.number:
            break


def after_you(node):
    """Both say that they want to, and step back if the other does: one that stops in between holds up the other."""
    mine, other = str(node.number), str(3 - node.number)
    while True:
        version, _ = node.registers.read(mine)
        node.registers.cas(mine, version, "wants to")
        if node.registers.read(other)[1] != "wants to":
            break
        node.registers.cas(mine, version + 1, "steps back")
    node.registers.cas(mine, version + 1, "is done")


def spins_and_shows_signs_of_life(node):
    """A lock made of cas; while it spins it writes, so that versions grow though nothing gets done."""
    while True:
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, "mine"):
            break
        beat, _ = node.registers.read("beat")
        node.registers.cas("beat", beat, "alive")
    node.output.push("in")
    node.registers.cas("lock", version + 1, "")


def waits_and_then_overwrites(node):
    """Node 2 waits for a flag of node 1; then both undo each other's work, each of which would end alone."""
    if node.number == 1:
        node.registers.cas("ready", 0, True)
    else:
        while not node.registers.read("ready")[0]:
            pass
    overwrites(node)


def locks_if_asked(node):
    """Acquire a lock only if the third node has seen that the second one is inside."""
    if node.registers.read("seen")[0]:
        with node.lock("x"):
            node.output.push("in")


def is_inside(node):
    """Say inside the lock that it is there, as the last thing that it does there."""
    with node.lock("x"):
        node.registers.cas("inside", 0, True)


def sees(node):
    """Ask the first node to acquire the lock if the second one has said that it is inside."""
    if node.registers.read("inside")[0]:
        node.registers.cas("seen", 0, True)


def two_versions_at_once(node):
    """Two registers. The next step depends on the register with the outdated version."""
    one, _ = node.registers.read("a")
    two, _ = node.registers.read("b")
    for _ in range(2):
        done = [node.registers.cas("a", one, 0), node.registers.cas("b", two, 0)]
        if all(done):
            break
        if done[0]:
            two, _ = node.registers.read("b")
            one += 1
        elif node.registers.read("b")[0] == two:
            node.output.push("only a was behind")
    node.output.push(done)


def prepares_again(node):
    """Write to a register for ever: nothing but its version tells one round from the next."""
    while True:
        version, _ = node.registers.read("place")
        node.registers.cas("place", version, "here")
        node.registers.cas("place", version + 1, "there")
