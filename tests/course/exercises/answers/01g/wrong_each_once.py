# Plausible: right when nothing goes wrong, and when copies come twice.
"""Recognises second copies, and no more."""

REASON = "p2 delivers b before a, which its sender knew when it sent b"


class Member:
    def __init__(self, me, members):
        self.seen = set()

    def broadcast(self, text):
        return text

    def receive(self, message):
        new = [] if message in self.seen else [message]
        self.seen.add(message)
        return new


answer = Member
