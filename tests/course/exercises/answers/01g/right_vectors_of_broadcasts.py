"""Birman, Schiper and Stephenson: the next of its sender, and nothing missing that the sender had delivered."""


class Member:
    def __init__(self, me, members):
        self.me, self.known, self.kept = me, dict.fromkeys(members, 0), []

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        self.kept.append(message)
        texts = []
        while ready := [each for each in self.kept if self.is_next(*each)]:
            sender, _, text = ready[0]
            self.known[sender] += 1
            texts.append(text)
        self.kept = [each for each in self.kept if each[1][each[0]] > self.known[each[0]]]
        return texts

    def is_next(self, sender, vector, text):
        before = vector | {sender: vector[sender] - 1}
        return self.known[sender] == before[sender] and all(before[each] <= self.known[each] for each in before)


answer = Member
