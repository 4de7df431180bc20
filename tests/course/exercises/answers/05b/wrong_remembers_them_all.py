# Plausible: right for one record, and it doubles nothing.
"""The set, as it was."""

REASON = "is in the log without 'tea'"


class Broker:
    def __init__(self):
        self.log, self.seen = [], set()

    def receive(self, number, value):
        if number not in self.seen:
            self.seen.add(number)
            self.log.append(value)
        return True


answer = Broker
