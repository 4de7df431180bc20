"""Returns nothing."""

REASON = "return True or False"


class Broker:
    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number == len(self.log):
            self.log.append(value)


answer = Broker
