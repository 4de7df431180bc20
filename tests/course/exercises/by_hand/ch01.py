# %% 01a an event left out → For p2 you give 3 stamps; it has 4 events
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6], "p3": [1, 2, 3, 4, 5, 6]}

# %% 01a one slip → p3.6 receives a message stamped 4
answer = {"p1": [1, 2, 3, 4], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 5]}

# %% 01b numbers its incarnations
class Clock:
    def __init__(self, disk):
        incarnation = disk.load() + 1
        disk.save(incarnation)
        self.time = incarnation * 1_000_000

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        return self.time


answer = Clock

# %% 01b keeps it in the class → is given twice
class Clock:
    time = 0

    def __init__(self, disk):
        self.time = max(type(self).time, disk.load())

    def tick(self):
        return self.receive(0)

    def receive(self, stamp):
        self.time = type(self).time = max(self.time, stamp) + 1
        return self.time


answer = Clock

# %% 01g brings its history along
class Member:
    def __init__(self, me, members):
        self.delivered = []

    def broadcast(self, text):
        self.delivered.append(text)
        return list(self.delivered)

    def receive(self, message):
        new = [text for text in message if text not in self.delivered]
        self.delivered += new
        return new


answer = Member

# %% 01g delivers at once → With 2 members, 1 broadcast, one copy too many: p2 delivers a twice.
class Member:
    def __init__(self, me, members):
        pass

    def broadcast(self, text):
        return text

    def receive(self, message):
        return [message]


answer = Member

# %% 01g shares a list → Your members share something outside of themselves
KEPT = []


class Member:
    def __init__(self, me, members):
        self.me = me

    def broadcast(self, text):
        return text

    def receive(self, message):
        KEPT.append(message)
        return [message]


answer = Member
