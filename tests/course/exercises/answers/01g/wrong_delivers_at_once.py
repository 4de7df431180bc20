# Plausible: right when nothing goes wrong.
"""Delivers whatever arrives."""

REASON = "With 2 members, 1 broadcast, one copy too many: p2 delivers a twice."


class Member:
    def __init__(self, me, members):
        pass

    def broadcast(self, text):
        return text

    def receive(self, message):
        return [message]


answer = Member
