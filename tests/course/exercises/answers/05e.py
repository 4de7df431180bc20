"""Answers to the exercise 05e."""

from tests.course.answers import Answers

answers = Answers("05e")

# Knows each producer as an object of its own.
answers.right("one object for each producer").code("""
    class Producer:
        def __init__(self, epoch=0, window=()):
            self.epoch, self.window = epoch, list(window)

        @property
        def next(self):
            return self.window[-1][0] + self.window[-1][1] if self.window else 0

        def note(self, epoch, first, count, place):
            if epoch != self.epoch:
                self.epoch, self.window = epoch, []
            self.window = [*self.window, (first, count, place)][-5:]


    class Broker:
        def __init__(self, disk):
            self.disk, self.known, self.end = disk, {}, 0
            for who, (epoch, window, end) in (disk.saved or {}).items():
                self.known[who] = Producer(epoch, window)
                self.end = max(self.end, end)
            for batch in disk.log[max(self.end - disk.start, 0) :]:
                self.note(batch, disk.start)
            self.end = disk.start + len(disk.log)

        def note(self, batch, start):
            who, epoch, first, values = batch
            place = start + self.disk.log.index(batch)
            self.known.setdefault(who, Producer(epoch)).note(epoch, first, len(values), place)

        def receive(self, who, epoch, first, values):
            producer = self.known.get(who) or Producer(epoch)
            if epoch == producer.epoch:
                for number, count, place in producer.window:
                    if number == first and count == len(values):
                        return place
            in_turn = first == (producer.next if epoch == producer.epoch else 0)
            if epoch < producer.epoch or not in_turn:
                return None
            batch = [who, epoch, first, values]
            self.disk.append(batch)
            self.note(batch, self.disk.start)
            self.end += 1
            return self.end - 1

        def delete(self, before):
            self.disk.save({who: [one.epoch, one.window, self.end] for who, one in self.known.items()})
            self.disk.delete(before)


    answer = Broker
""")

# Keeps nothing in memory: all it knows is read anew for each batch.
answers.right("reads its disk each time").code('''
    class Broker:
        def __init__(self, disk):
            self.disk = disk

        def headers(self):
            """Return the header of every batch, with its place: those that were saved, and those in the log."""
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
''')

# Saves before it writes a batch, so that the log says one batch more at the most.
answers.right("saves before each batch").diff("""
             place = self.disk.start + len(self.disk.log)
    +        self.disk.save([self.producers, place])
""")

# Takes any first number of a producer that it does not know, as Kafka does since 2.5. Plausible: Kafka's own rule.
answers.plausible(
    "any first number", ("if first", "if producer in self.producers and first"), reason="is in the log before batch 0"
)

# Deletes first and saves then. Plausible: right unless it dies between the two.
answers.plausible("saves after deleting", reason="is in the log twice").diff("""
    +        self.disk.delete(before)
             self.disk.save([self.producers, end])
    -        self.disk.delete(before)
""")

# Knows the batches that it received itself, in this incarnation. Plausible: right until it restarts.
answers.plausible("memory alone", reason="is in the log twice").diff("""
    -        self.producers, end = disk.saved or [{}, 0]
    -        for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
    +        self.producers = {}
    @@
    -        end = self.disk.start + len(self.disk.log)
    -        self.disk.save([self.producers, end])
""")

# Knows the batches in the log, and forgets the deleted batches. Plausible: right while nothing is deleted.
answers.plausible("log alone", reason="is in the log twice").diff("""
    -        self.producers, end = disk.saved or [{}, 0]
    +        self.producers = {}
             for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
    +            self.note(place, *batch)
    @@
    -        end = self.disk.start + len(self.disk.log)
    -        self.disk.save([self.producers, end])
""")

# Keeps a window of four.
answers.wrong(
    "four batches",
    ("[*kept, [first, len(values), place]][-5:]", "[*kept, [first, len(values), place]][-4:]"),
    reason="is refused although it is in the log",
)

# Recognises the last batch alone.
answers.wrong(
    "last batch alone",
    ("[*kept, [first, len(values), place]][-5:]", "[*kept, [first, len(values), place]][-1:]"),
    reason="is refused although it is in the log",
)

# Jumps over gaps, as a Lamport clock does.
answers.wrong("max over gaps", ("first !=", "first <"), reason="is in the log before batch 0")

# Counts batches where records are numbered.
answers.wrong("numbers batches", ("[0] + window[-1][1]", "[0] + 1"), reason="is refused although it is the next one")

# Counts places from the first batch that is left.
answers.wrong("place in what is left", ("place = self.disk.start + len", "place = len"), reason="and its place is 1")

# Saves the log before it deletes it.
answers.wrong(
    "saves the records",
    ("([self.producers, end])", "([self.producers, end, self.disk.log])"),
    reason="what is saved holds no records",
)

# Deletes nothing.
answers.wrong("keeps the records", reason="and the log begins at 0").diff("""
    -        self.disk.delete(before)
""")

# Lets an older epoch begin again.
answers.wrong("zombies write", reason="a zombie wrote it").diff("""
    -        if epoch < known:
    -            return None
""")

# Reads the saved state, and then all of the log, too.
answers.wrong("reads twice", reason="is refused although it is in the log").diff("""
    -        self.producers, end = disk.saved or [{}, 0]
    +        self.producers, _ = disk.saved or [{}, 0]
             for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
    +            self.note(place, *batch)
""")

# Keeps its knowledge in the class, which no restart empties here.
answers.wrong("keeps it in the class", reason="share something outside of themselves").diff("""
     class Broker:
    +    producers = {}
    +
    @@
    -        self.producers, end = disk.saved or [{}, 0]
    -        for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
""")

# Goes on with the numbers of the older epoch.
answers.wrong(
    "epochs do not matter", reason="in epoch 1 (tea) is acknowledged at place 0, and is not in the log"
).diff("""
    -        known, window = self.producers.get(producer, [epoch, []])
    -        kept = window if known == epoch else []
    -        window = [*kept, [first, len(values), place]][-5:]
    +        _, window = self.producers.get(producer, [epoch, []])
    +        window = [*window, [first, len(values), place]][-5:]
    @@
    -        known, window = self.producers.get(producer, [epoch, []])
    -        if epoch < known:
    -            return None
    -        window = window if epoch == known else []
    +        _, window = self.producers.get(producer, [epoch, []])
""")

# Saves its knowledge after each batch, and never reads the log.
answers.wrong("saves behind the batch", reason="is in the log twice").diff("""
    -        self.producers, end = disk.saved or [{}, 0]
    -        for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
    +        self.producers = disk.saved or {}
    @@
             self.note(place, producer, epoch, first, values)
    +        self.disk.save(self.producers)
    @@
    -        end = self.disk.start + len(self.disk.log)
    -        self.disk.save([self.producers, end])
""")

# Saves the next write in advance, and never reads the log.
answers.wrong("saves ahead of the batch", reason="is acknowledged at place 0, and is not in the log").diff("""
    -        self.producers, end = disk.saved or [{}, 0]
    -        for place, batch in enumerate(disk.log, disk.start):
    -            if place >= end:
    -                self.note(place, *batch)
    +        self.producers = disk.saved or {}
    @@
    +        self.note(place, producer, epoch, first, values)
    +        self.disk.save(self.producers)
             self.disk.append([producer, epoch, first, values])
    -        self.note(place, producer, epoch, first, values)
    @@
    -        end = self.disk.start + len(self.disk.log)
    -        self.disk.save([self.producers, end])
""")

# Keeps the log's end in a global variable.
answers.wrong("remembers in a global", reason="share something outside of themselves").code("""
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
""")
