"""Refuses what comes too early, as a broker refuses a gap: but nobody sends it again."""

REASON = "no copy is on its way any more, and p2 has not delivered b"


class Member:
    def __init__(self, me, members):
        self.me, self.known = me, dict.fromkeys(members, 0)

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        sender, vector, text = message
        before = vector | {sender: vector[sender] - 1}
        if before[sender] != self.known[sender] or any(before[each] > self.known[each] for each in before):
            return []
        self.known[sender] += 1
        return [text]


answer = Member
