"""Keeps what is early, and looks at it only once when something else has come."""

REASON = "no copy is on its way any more, and p3 has not delivered c"


class Member:
    def __init__(self, me, members):
        self.me, self.known, self.kept = me, dict.fromkeys(members, 0), []

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        texts = []
        for sender, vector, text in [message, *self.kept]:
            before = vector | {sender: vector[sender] - 1}
            if before[sender] == self.known[sender] and all(before[each] <= self.known[each] for each in before):
                self.known[sender] += 1
                texts.append(text)
        self.kept = [each for each in [message, *self.kept] if each[2] not in texts]
        return texts


answer = Member
