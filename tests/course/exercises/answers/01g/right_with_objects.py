"""Messages are objects of a class of one's own, and wait in a queue."""

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
