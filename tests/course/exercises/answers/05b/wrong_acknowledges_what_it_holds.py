"""Holds early records, and acknowledges them at once."""

REASON = "is acknowledged, and its record is not in the log"


class Broker:
    def __init__(self):
        self.log, self.early = [], {}

    def receive(self, number, value):
        self.early[number] = value
        while len(self.log) in self.early:
            self.log.append(self.early[len(self.log)])
        return True


answer = Broker
