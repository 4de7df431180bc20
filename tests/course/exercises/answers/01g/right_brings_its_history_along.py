"""A message carries all that its sender had delivered, in order: nothing ever waits."""


class Member:
    def __init__(self, me, members):
        self.delivered = []

    def broadcast(self, text):
        self.delivered.append(text)
        return list(self.delivered)

    def receive(self, message):
        new = [text for text in message if text not in self.delivered]
        self.delivered += new
        return new


answer = Member
