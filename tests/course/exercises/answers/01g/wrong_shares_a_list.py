"""All members keep their messages in one list, a global variable."""

REASON = "your members share something outside of themselves"


KEPT = []


class Member:
    def __init__(self, me, members):
        self.me, self.known = me, dict.fromkeys(members, 0)

    def broadcast(self, text):
        self.known[self.me] += 1
        return [self.me, dict(self.known), text]

    def receive(self, message):
        KEPT.append(message)
        texts = []
        while ready := [each for each in KEPT if self.is_next(*each)]:
            sender, _, text = ready[0]
            self.known[sender] += 1
            KEPT.remove(ready[0])
            texts.append(text)
        return texts

    def is_next(self, sender, vector, text):
        before = vector | {sender: vector[sender] - 1}
        return before[sender] == self.known[sender] and all(before[each] <= self.known[each] for each in before)


answer = Member
