"""Answers to the exercise 09e."""

from tests.course.answers import Answers

answers = Answers("09e")

# A list of registers in order; remove marks an element first, and later calls unlink the element (Harris, 2001).
answers.right("harris").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def at(self, index):
            return self.name if index is None else f"{self.name}.{index}"

        def find(self, value):
            while True:
                before, (version, held) = None, self.registers.read(self.name)
                held = held or [None, -1, False]
                while held[1] != -1:
                    index = held[1]
                    there, found = self.registers.read(self.at(index))
                    if found[2]:
                        if not self.registers.cas(self.at(before), version, [held[0], found[1], False]):
                            break
                        version, held = version + 1, [held[0], found[1], False]
                    elif found[0] >= value:
                        return before, version, held, index, there, found
                    else:
                        before, version, held = index, there, found
                else:
                    return before, version, held, -1, 0, [None, -1, False]

        def add(self, value):
            mine, written = 0, 0
            while True:
                before, version, held, index, _, found = self.find(value)
                if found[0] == value:
                    return False
                if not written:
                    while not self.registers.cas(self.at(mine), 0, [value, index, False]):
                        mine += 1
                else:
                    self.registers.cas(self.at(mine), written, [value, index, False])
                written += 1
                if self.registers.cas(self.at(before), version, [held[0], mine, False]):
                    return True

        def remove(self, value):
            while True:
                _, _, _, index, there, found = self.find(value)
                if found[0] != value:
                    return False
                if self.registers.cas(self.at(index), there, [value, found[1], True]):
                    return True

        def smallest(self):
            return self.find("")[5][0]


    answer = SortedSet
""")

# The universal construction: the calls themselves in a lock-free queue, carried out by everybody in its order.
answers.right("log of calls").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def decide(self, decision):
            held, index = set(), 0
            while True:
                version, call = self.registers.read(f"{self.name}.{index}")
                if version:
                    (held.add if call[0] == "add" else held.discard)(call[1])
                    index += 1
                    continue
                said, change = decision(held)
                if change is None or self.registers.cas(f"{self.name}.{index}", 0, change):
                    return said

        def add(self, value):
            return self.decide(lambda held: (False, None) if value in held else (True, ["add", value]))

        def remove(self, value):
            return self.decide(lambda held: (True, ["remove", value]) if value in held else (False, None))

        def smallest(self):
            return self.decide(lambda held: (min(held, default=None), None))


    answer = SortedSet
""")

# A log of calls, with an answer from before its own call found its place. Plausible: right for one process.
answers.plausible("decides once", of="gives up", reason="A: add tea, True; B: add tea, True").diff("""
    -        return (value in held) == wanted and self.registers.cas(f"{self.name}.{index}", 0, [kind, value])
    +        if (value in held) != wanted:
    +            return False
    +        while not self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
    +            index += 1
    +        return True
""")

# Harris's list, whose smallest walks past removed elements without a look at what came before them. Plausible:
# right for one process.
answers.plausible(
    "walks past the dead", of="harris", reason="A: smallest, 'tea'; B: add egg, True; B: remove milk, True"
).diff("""
    -        return self.find("")[5][0]
    +        index = (self.registers.read(self.name)[1] or [None, -1])[1]
    +        while index != -1:
    +            value, index, dead = self.registers.read(self.at(index))[1]
    +            if not dead:
    +                return value
    +        return None
""")

# A log of calls, and a lock around each change. Plausible: right for one process.
answers.plausible("lock", of="gives up", reason="stands still").diff("""
    +        while True:
    +            version, holder = self.registers.read("lock")
    +            if not holder and self.registers.cas("lock", version, 1):
    +                break
             held, index = self.read()
    -        return (value in held) == wanted and self.registers.cas(f"{self.name}.{index}", 0, [kind, value])
    +        said = (value in held) == wanted
    +        if said:
    +            self.registers.cas(f"{self.name}.{index}", 0, [kind, value])
    +        self.registers.cas("lock", version + 1, 0)
    +        return said
""")

# Makes its call again when no answer comes, and finds its own first try. Plausible: right while every answer comes.
answers.plausible("again", reason="A: add tea, False").code("""
    from exactly_once.errors import OutcomeUnknown


    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def read(self):
            held, index = set(), 0
            while (found := self.registers.read(f"{self.name}.{index}"))[0]:
                (held.add if found[1][0] == "add" else held.discard)(found[1][1])
                index += 1
            return held, index

        def change(self, kind, value, wanted):
            while True:
                try:
                    held, index = self.read()
                    if (value in held) != wanted:
                        return False
                    if self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
                        return True
                except OutcomeUnknown:
                    pass

        def add(self, value):
            return self.change("add", value, False)

        def remove(self, value):
            return self.change("remove", value, True)

        def smallest(self):
            return min(self.read()[0], default=None)


    answer = SortedSet
""")

# Says that nothing changed when another call took its cell. Plausible: right for one process.
answers.plausible("gives up", reason="No order of these calls").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def read(self):
            held, index = set(), 0
            while (found := self.registers.read(f"{self.name}.{index}"))[0]:
                (held.add if found[1][0] == "add" else held.discard)(found[1][1])
                index += 1
            return held, index

        def change(self, kind, value, wanted):
            held, index = self.read()
            return (value in held) == wanted and self.registers.cas(f"{self.name}.{index}", 0, [kind, value])

        def add(self, value):
            return self.change("add", value, False)

        def remove(self, value):
            return self.change("remove", value, True)

        def smallest(self):
            return min(self.read()[0], default=None)


    answer = SortedSet
""")

# A log of calls, of which only those before a hint are looked at; the hint lags. Plausible: right for one process.
answers.plausible("hint to the end", reason="No order of these calls").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def read(self):
            held = set()
            end = self.registers.read(self.name)[1] or 0
            for index in range(end):
                call = self.registers.read(f"{self.name}.{index}")[1]
                (held.add if call[0] == "add" else held.discard)(call[1])
            return held, end

        def change(self, kind, value, wanted):
            while True:
                held, index = self.read()
                if (value in held) != wanted:
                    return False
                while not self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
                    index += 1
                self.registers.cas(self.name, self.registers.read(self.name)[0], index + 1)
                return True

        def add(self, value):
            return self.change("add", value, False)

        def remove(self, value):
            return self.change("remove", value, True)

        def smallest(self):
            return min(self.read()[0], default=None)


    answer = SortedSet
""")

# Keeps the set in the class, where no other process sees it. Plausible: right for one process.
answers.plausible("remembers in the class", reason="No order of these calls").code("""
    class SortedSet:
        held = set()

        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def add(self, value):
            self.registers.read(self.name)
            said = value not in self.held
            self.held.add(value)
            return said

        def remove(self, value):
            self.registers.read(self.name)
            said = value in self.held
            self.held.discard(value)
            return said

        def smallest(self):
            self.registers.read(self.name)
            return min(self.held, default=None)


    answer = SortedSet
""")

# A sorted list that unlinks an element without a mark: a value added behind the element meanwhile is lost.
# Plausible: right for one process.
answers.plausible("unlinks at once", reason="in the end the set holds nothing").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def find(self, value):
            before, (version, held) = self.name, self.registers.read(self.name)
            held = held or [None, -1]
            while held[1] != -1:
                index = held[1]
                there, found = self.registers.read(f"{self.name}.{index}")
                if found[0] >= value:
                    return before, version, held, index, found
                before, version, held = f"{self.name}.{index}", there, found
            return before, version, held, -1, [None, -1]

        def add(self, value):
            mine, written = 0, 0
            while True:
                before, version, held, index, found = self.find(value)
                if found[0] == value:
                    return False
                if not written:
                    while not self.registers.cas(f"{self.name}.{mine}", 0, [value, index]):
                        mine += 1
                else:
                    self.registers.cas(f"{self.name}.{mine}", written, [value, index])
                written += 1
                if self.registers.cas(before, version, [held[0], mine]):
                    return True

        def remove(self, value):
            while True:
                before, version, held, _, found = self.find(value)
                if found[0] != value:
                    return False
                if self.registers.cas(before, version, [held[0], found[1]]):
                    return True

        def smallest(self):
            return self.find("")[4][0]


    answer = SortedSet
""")

# Keeps all values in one register. Plausible: right but for the size of its register.
answers.plausible("whole set", reason="more than one value of the set").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def add(self, value):
            while True:
                version, held = self.registers.read(self.name)
                if value in (held or []):
                    return False
                if self.registers.cas(self.name, version, sorted([value, *(held or [])])):
                    return True

        def remove(self, value):
            while True:
                version, held = self.registers.read(self.name)
                if value not in (held or []):
                    return False
                if self.registers.cas(self.name, version, [one for one in held if one != value]):
                    return True

        def smallest(self):
            return min(self.registers.read(self.name)[1] or [], default=None)


    answer = SortedSet
""")

# Returns nothing from add.
answers.wrong("returns nothing", reason="add tea returns None; it returns True or False").code("""
    class SortedSet:
        def __init__(self, registers, name):
            self.registers, self.name = registers, name

        def add(self, value):
            self.registers.cas(value, self.registers.read(value)[0], True)

        def remove(self, value):
            self.registers.cas(value, self.registers.read(value)[0], False)

        def smallest(self):
            return None


    answer = SortedSet
""")
