# Plausible: right where no answer is lost.
"""Refuses what is there already."""

REASON = "is refused although it is in the log"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number != len(self.log):
            return False
        self.log.append(value)
        return True


answer = Broker
