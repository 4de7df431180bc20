REASON = "fails with KeyError"


class Ids:
    def __init__(self):
        self.epochs = {}

    def init(self, name):
        return self.epochs.get(name, -1) + 1

    def check(self, name, epoch):
        if epoch < self.epochs[name]:
            raise ValueError("too late")


answer = Ids
