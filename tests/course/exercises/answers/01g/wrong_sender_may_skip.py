"""Looks at what its sender had delivered of others, and not at the sender's own number."""

REASON = "p2 delivers b before a"


class Member:
    def __init__(self, me, members):
        self.me, self.known, self.kept, self.done = me, dict.fromkeys(members, 0), [], []

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        self.kept.append(message)
        texts = []
        while ready := [each for each in self.kept if self.may(*each)]:
            sender, vector, text = ready[0]
            self.known[sender] = max(self.known[sender], vector[sender])
            self.done.append(text)
            texts.append(text)
        return texts

    def may(self, sender, vector, text):
        others = [each for each in vector if each != sender]
        return text not in self.done and all(vector[each] <= self.known[each] for each in others)


answer = Member
