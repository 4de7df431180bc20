"""Keeps the log's end in a global variable."""

REASON = "share something outside of themselves"
ends = {}


class Broker:
    def __init__(self, disk):
        self.disk = disk

    def receive(self, producer, epoch, first, values):
        if first != ends.get((producer, epoch), 0):
            return None
        self.disk.append([producer, epoch, first, values])
        ends[producer, epoch] = first + len(values)
        return self.disk.start + len(self.disk.log) - 1

    def delete(self, before):
        self.disk.delete(before)


answer = Broker
