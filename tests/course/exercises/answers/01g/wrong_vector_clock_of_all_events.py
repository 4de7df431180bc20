"""The chapter's vector clock: its entries count receipts as well, and so numbers are skipped."""

REASON = "no copy is on its way any more"


class Member:
    def __init__(self, me, members):
        self.me, self.known, self.kept = me, dict.fromkeys(members, 0), []

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        self.known[self.me] += 1
        self.kept.append(message)
        texts = []
        while ready := [each for each in self.kept if self.is_next(*each)]:
            sender, _, text = ready[0]
            self.known[sender] += 1
            self.kept.remove(ready[0])
            texts.append(text)
        return texts

    def is_next(self, sender, vector, text):
        before = vector | {sender: vector[sender] - 1}
        return before[sender] == self.known[sender] and all(before[each] <= self.known[each] for each in before)


answer = Member
