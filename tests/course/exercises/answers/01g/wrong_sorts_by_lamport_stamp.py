"""Delivers in the order of Lamport stamps what it has: it cannot know what is still to come."""

REASON = "p2 delivers b before a"


class Member:
    def __init__(self, me, members):
        self.me, self.time, self.seen = me, 0, set()

    def broadcast(self, text):
        self.time += 1
        return [self.time, self.me, text]

    def receive(self, message):
        self.time = max(self.time, message[0]) + 1
        fresh = tuple(message) not in self.seen
        self.seen.add(tuple(message))
        return [message[2]] if fresh else []


answer = Member
