# Plausible: right for two members.
"""A number for each sender, as TCP and Kafka's idempotent producer have it: first in, first out, no more."""

REASON = "p3 delivers b before a, which its sender knew when it sent b"


class Member:
    def __init__(self, me, members):
        self.me, self.sent, self.next, self.kept = me, 0, dict.fromkeys(members, 1), {}

    def broadcast(self, text):
        self.sent += 1
        return [self.me, self.sent, text]

    def receive(self, message):
        sender, number, text = message
        self.kept[sender, number] = text
        texts = []
        while (sender, self.next[sender]) in self.kept:
            texts.append(self.kept.pop((sender, self.next[sender])))
            self.next[sender] += 1
        return texts


answer = Member
