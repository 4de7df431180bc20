# Plausible: right as long as nothing is lost or late.
"""Takes every larger number, as a Lamport clock does."""

REASON = "'milk' is in the log without 'tea'"


class Broker:
    def __init__(self):
        self.log, self.last = [], -1

    def receive(self, number, value):
        if number > self.last:
            self.last = number
            self.log.append(value)
        return True


answer = Broker
