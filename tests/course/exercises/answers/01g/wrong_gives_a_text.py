"""Returns a text in place of a list."""

REASON = "receive returned 'a'; it returns a list of the texts to deliver now"


class Member:
    def __init__(self, me, members):
        pass

    def broadcast(self, text):
        return text

    def receive(self, message):
        return message


answer = Member
