"""Counts batches where records are numbered."""

REASON = "is refused although it is the next one"


class Broker:
    def __init__(self, disk):
        self.disk = disk
        self.producers, end = disk.saved or [{}, 0]
        for place, batch in enumerate(disk.log, disk.start):
            if place >= end:
                self.note(place, *batch)

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
        if first != (window[-1][0] + 1 if window else 0):
            return None
        place = self.disk.start + len(self.disk.log)
        self.disk.append([producer, epoch, first, values])
        self.note(place, producer, epoch, first, values)
        return place

    def delete(self, before):
        end = self.disk.start + len(self.disk.log)
        self.disk.save([self.producers, end])
        self.disk.delete(before)


answer = Broker
