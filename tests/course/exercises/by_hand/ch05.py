# %% 05b numbers beside the values
class Broker:
    last = -1

    def __init__(self):
        self.log = []

    def receive(self, number, value):
        if number > self.last + 1:
            return False
        if number == self.last + 1:
            self.log += [value]
            self.last = number
        return True


answer = Broker

# %% 05e reads its disk each time
class Broker:
    def __init__(self, disk):
        self.disk = disk

    def headers(self):
        saved = [tuple(header) for header in self.disk.saved or []]
        log = [(place, who, epoch, first, len(values)) for place, (who, epoch, first, values) in self.placed()]
        return sorted({*saved, *log})

    def placed(self):
        return enumerate(self.disk.log, self.disk.start)

    def receive(self, producer, epoch, first, values):
        mine = [header for header in self.headers() if header[1] == producer]
        if any(header[2] > epoch for header in mine):
            return None
        mine = [header for header in mine if header[2] == epoch]
        for place, *header in mine:
            if header == [producer, epoch, first, len(values)]:
                return place
        if first != sum(header[4] for header in mine):
            return None
        self.disk.append([producer, epoch, first, values])
        return self.disk.start + len(self.disk.log) - 1

    def delete(self, before):
        self.disk.save([list(header) for header in self.headers()])
        self.disk.delete(before)


answer = Broker

# %% 05e remembers in a global → share something outside of themselves
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
