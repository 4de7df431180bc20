"""Answers to the exercise 01g."""

from tests.course.answers import Answers

answers = Answers("01g")

# A message carries all that its sender had delivered, in order: nothing ever waits.
answers.right("brings its history along").code("""
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
""")

# No numbers: a message names all that its sender had delivered before.
answers.right("names what it depends on").code("""
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
""")

# Messages are objects of a class of one's own, and wait in a queue.
answers.right("with objects").code("""
    from collections import Counter, deque
    from dataclasses import dataclass


    @dataclass(frozen=True)
    class Message:
        sender: str
        number: int
        needs: Counter
        text: str


    class Member:
        def __init__(self, me, members):
            self.me, self.delivered, self.early = me, Counter(), deque()

        def broadcast(self, text):
            message = Message(self.me, self.delivered[self.me] + 1, Counter(self.delivered), text)
            self.delivered[self.me] += 1
            return message

        def receive(self, message):
            self.early.append(message)
            texts, looked = [], 0
            while looked < len(self.early):
                first = self.early.popleft()
                if first.number == self.delivered[first.sender] + 1 and first.needs <= self.delivered:
                    self.delivered[first.sender] += 1
                    texts.append(first.text)
                    looked = 0
                elif first.number > self.delivered[first.sender]:
                    self.early.append(first)
                    looked += 1
            return texts


    answer = Member
""")

# Birman, Schiper and Stephenson: the next of its sender, and nothing missing that the sender had delivered.
answers.right("vectors of broadcasts").diff("""
    -        seen = all(count <= self.known[each] for each, count in before.items())
    -        return seen and before[sender] == self.known[sender]
    +        return self.known[sender] == before[sender] and all(before[each] <= self.known[each] for each in before)
""")

# Recognises second copies, and no more. Plausible: right when nothing goes wrong, and when copies come twice.
answers.plausible(
    "each once", of="delivers at once", reason="p2 delivers b before a, which its sender knew when it sent b"
).diff("""
    -        pass
    +        self.seen = set()
    @@
    -        return [message]
    +        new = [] if message in self.seen else [message]
    +        self.seen.add(message)
    +        return new
""")

# Delivers each message on arrival. Plausible: right when nothing goes wrong.
answers.plausible(
    "delivers at once", reason="With 2 members, 1 broadcast, one copy too many: p2 delivers a twice."
).code("""
    class Member:
        def __init__(self, me, members):
            pass

        def broadcast(self, text):
            return text

        def receive(self, message):
            return [message]


    answer = Member
""")

# A number for each sender, as TCP and Kafka's idempotent producer have it: first in, first out, no more. Plausible:
# right for two members.
answers.plausible(
    "order of each sender", reason="p3 delivers b before a, which its sender knew when it sent b"
).code("""
    class Member:
        def __init__(self, me, members):
            self.me, self.sent, self.next, self.kept = me, 0, dict.fromkeys(members, 1), {}

        def broadcast(self, text):
            self.sent += 1
            return [self.me, self.sent, text]

        def receive(self, message):
            sender, number, text = message
            self.kept[sender, number] = text
            texts = []
            while (sender, self.next[sender]) in self.kept:
                texts.append(self.kept.pop((sender, self.next[sender])))
                self.next[sender] += 1
            return texts


    answer = Member
""")

# Returns a text in place of a list.
answers.wrong(
    "gives a text",
    ("return [message]", "return message"),
    of="delivers at once",
    reason="receive returned 'a'; it returns a list of the texts to deliver now",
)

# Delivers the message with all that it carries.
answers.wrong(
    "delivers the message",
    ("pass", "self.me = me"),
    ("return text", "return [self.me, text]"),
    of="delivers at once",
    reason="receive returned ['p1', 'a'], which nobody has broadcast",
)

# The chapter's vector clock: its entries count receipts as well, and so numbers are skipped.
answers.wrong("vector clock of all events", reason="no copy is on its way any more").diff("""
         def receive(self, message):
    +        self.known[self.me] += 1
    @@
    +            self.kept.remove(ready[0])
                 texts.append(text)
    -        self.kept = [each for each in self.kept if each[1][each[0]] > self.known[each[0]]]
    @@
    -        seen = all(count <= self.known[each] for each, count in before.items())
    -        return seen and before[sender] == self.known[sender]
    +        return before[sender] == self.known[sender] and all(before[each] <= self.known[each] for each in before)
""")

# Keeps early messages, and checks them only once after another arrival.
answers.wrong("looks once", reason="no copy is on its way any more, and p3 has not delivered c").code("""
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
""")

# Refuses early messages, as a broker refuses a gap: but nobody retries them.
answers.wrong("refuses what is early", reason="no copy is on its way any more, and p2 has not delivered b").code("""
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
""")

# Looks at the sender's deliveries of others' messages, and not at the sender's own number.
answers.wrong("sender may skip", reason="p2 delivers b before a").code("""
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
""")

# All members keep their messages in one list, a global variable.
answers.wrong("shares a list", reason="your members share something outside of themselves").code("""
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
""")

# Delivers the known messages in the order of their Lamport stamps, and cannot know later messages.
answers.wrong("sorts by lamport stamp", reason="p2 delivers b before a").code("""
    class Member:
        def __init__(self, me, members):
            self.me, self.time, self.seen = me, 0, set()

        def broadcast(self, text):
            self.time += 1
            return [self.time, self.me, text]

        def receive(self, message):
            self.time = max(self.time, message[0]) + 1
            fresh = tuple(message) not in self.seen
            self.seen.add(tuple(message))
            return [message[2]] if fresh else []


    answer = Member
""")
