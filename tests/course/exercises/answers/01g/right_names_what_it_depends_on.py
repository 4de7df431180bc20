"""No numbers: a message names all that its sender had delivered before."""


class Member:
    def __init__(self, me, members):
        self.delivered, self.kept = [], {}

    def broadcast(self, text):
        causes = frozenset(self.delivered)
        self.delivered.append(text)
        return text, causes

    def receive(self, message):
        text, causes = message
        if text not in self.delivered:
            self.kept[text] = causes
        before = len(self.delivered)
        while ready := [each for each, wanted in self.kept.items() if wanted <= {*self.delivered}]:
            self.delivered.append(ready[0])
            del self.kept[ready[0]]
        return self.delivered[before:]


answer = Member
