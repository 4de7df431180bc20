"""Mutual exclusion by total order: the first application of Lamport's clocks, from the paper that introduced them.

Each node keeps the requests that it knows of in the one order that all nodes agree on, by (stamp, node), and enters
when its own comes first and it has heard something later from everybody else: then no earlier request can still be on
its way, since messages from one node to another keep their order. No node is special, and no node may stop.

Source: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978, rules 1 to
5.
"""

import itertools

from ..clocks import LamportClock, total_order
from ..errors import whole
from ..node.program import renamed

REQUEST, ACKNOWLEDGE, RELEASE = "request", "acknowledge", "release"
ENTERS, LEAVES = "enters", "leaves"


def mutual_exclusion(rounds=1, acknowledgements=None, overtaking=False, clocks=()):
    """Return the program of each node: it enters its critical section `rounds` times, and then serves the others.

    `rounds` may be a tuple with a number for each node; one with 0 serves from the beginning. `clocks` says where the
    clocks of the first nodes stand when it begins, if they do not stand at 0. With `overtaking` the last node is no
    member but a slow road: it passes requests on, and what is sent later, straight, may overtake them.

    It pushes ["enters", node, stamp of its request] and ["leaves", node, stamp] to the output. `acknowledgements` is
    from how many other nodes it must have heard something later than its request: all of them, unless it is given.
    With fewer it is broken. Raises `BadInput` for a value that is no whole number.
    """
    for turns in rounds if isinstance(rounds, tuple) else [rounds]:
        whole("the number of rounds", turns, least=0 if isinstance(rounds, tuple) else 1)
    if acknowledgements is not None:
        whole("the number of acknowledgements", acknowledgements)

    def program(node):
        members = node.nodes - overtaking
        turns = rounds if isinstance(rounds, tuple) else (rounds,) * members
        if node.number > members:
            carry(node, sum(turns) * (members - 1))
            return
        others = [other for other in range(1, members + 1) if other != node.number]
        wanted = len(others) if acknowledgements is None else acknowledgements
        clock, queue = LamportClock(dict(enumerate(clocks, 1)).get(node.number, 0)), []
        heard, left = dict.fromkeys(others, 0), {other: turns[other - 1] for other in others}
        for _ in range(turns[node.number - 1]):
            stamp = clock.send()  # rule 1: the same request, with one stamp, to everybody and into one's own queue
            queue.append([stamp, node.number])
            for other in others:
                if overtaking:
                    node.send(node.nodes, [other, [REQUEST, stamp]])
                else:
                    node.send(other, [REQUEST, stamp])
            while not may_enter(queue, heard, stamp, node.number, wanted):
                hear(node, clock, queue, heard, left)
            node.output.push([ENTERS, node.number, stamp])
            node.output.push([LEAVES, node.number, stamp])
            queue.remove([stamp, node.number])  # rule 3
            released = clock.send()
            for other in others:
                node.send(other, [RELEASE, released])
        while any(left.values()):  # the others still need this node's acknowledgements
            hear(node, clock, queue, heard, left)

    return renamed(program, "mutual_exclusion")


def carry(node, messages):
    """Pass on so many messages, as a slow road does."""
    for _ in range(messages):
        sender, (receiver, message) = node.receive()
        node.send(receiver, [sender, message])


def may_enter(queue, heard, stamp, number, wanted):
    """Tell whether a node may enter (rule 5): its request comes first, and enough others were heard of later."""
    first = min(queue, key=lambda request: total_order(*request))
    return first == [stamp, number] and sum(later > stamp for later in heard.values()) >= wanted


def hear(node, clock, queue, heard, left):
    """Receive one message and follow its rule: keep and acknowledge a request (rule 2), drop a released one (4)."""
    sender, message = node.receive()
    if isinstance(message[0], int):  # it came by the slow road, which says who sent it
        sender, message = message
    kind, stamp = message
    clock.receive(stamp)
    heard[sender] = stamp
    if kind == REQUEST:
        queue.append([stamp, sender])
        node.send(sender, [ACKNOWLEDGE, clock.send()])
    elif kind == RELEASE:
        queue[:] = [request for request in queue if request[1] != sender]
        left[sender] -= 1


def one_at_a_time(view):
    """An invariant for `prove`: no two nodes are inside at once. Returns True, or describes the error."""
    inside = []
    for what, number, _ in view.outputs:
        if what == ENTERS:
            inside.append(number)
            if len(inside) > 1:
                return f"nodes {inside[0]} and {number} are in the critical section at once"
        else:
            inside.remove(number)
    return True


def in_order_of_requests(view):
    """An invariant for `prove`: no two are inside at once, and they enter in the total order of their requests."""
    entered = [(stamp, number) for what, number, stamp in view.outputs if what == ENTERS]
    for (stamp, number), (later, other) in itertools.pairwise(entered):
        if total_order(stamp, number) > total_order(later, other):
            return f"node {number} entered before node {other}, whose request ({later}, {other}) comes before its own"
    return one_at_a_time(view)
