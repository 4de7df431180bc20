"""Holds early records until the gap is closed, and acknowledges them no sooner."""


class Broker:
    def __init__(self):
        self.log, self.early = [], {}

    def receive(self, number, value):
        self.early[number] = value
        while len(self.log) in self.early:
            self.log.append(self.early[len(self.log)])
        return number < len(self.log)


answer = Broker
