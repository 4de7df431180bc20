REASON = "returns False; it should raise ProducerFenced"


class Ids:
    def __init__(self):
        self.epochs = {}

    def init(self, name):
        self.epochs[name] = self.epochs.get(name, -1) + 1
        return self.epochs[name]

    def check(self, name, epoch):
        return epoch == self.epochs[name]


answer = Ids
