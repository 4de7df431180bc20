"""Saves what it is going to write, and reads the log never."""

REASON = "is acknowledged at place 0, and is not in the log"


class Broker:
    def __init__(self, disk):
        self.disk = disk
        self.producers = disk.saved or {}

    def note(self, place, producer, epoch, first, values):
        known, window = self.producers.get(producer, [epoch, []])
        kept = window if known == epoch else []
        window = [*kept, [first, len(values), place]][-5:]
        self.producers[producer] = [epoch, window]

    def receive(self, producer, epoch, first, values):
        known, window = self.producers.get(producer, [epoch, []])
        if epoch < known:
            return None
        window = window if epoch == known else []
        for number, count, place in window:
            if (number, count) == (first, len(values)):
                return place
        if first != (window[-1][0] + window[-1][1] if window else 0):
            return None
        place = self.disk.start + len(self.disk.log)
        self.note(place, producer, epoch, first, values)
        self.disk.save(self.producers)
        self.disk.append([producer, epoch, first, values])
        return place

    def delete(self, before):
        self.disk.delete(before)


answer = Broker
