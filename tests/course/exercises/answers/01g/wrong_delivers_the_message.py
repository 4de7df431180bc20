"""Delivers the message with all that it carries."""

REASON = "receive returned ['p1', 'a'], which nobody has broadcast"


class Member:
    def __init__(self, me, members):
        self.me = me

    def broadcast(self, text):
        return [self.me, text]

    def receive(self, message):
        return [message]


answer = Member
