"""Answers to the exercise 09d."""

from tests.course.answers import Answers

given = """
    from exactly_once.lockfree.queue import is_emptied


    def first(registers, name):
        return registers.read(f"{name}.first")[1] or 0
"""
answers = Answers("09d", given)

# Asks again where readers begin whenever it meets an emptied cell.
answers.right("jumps").code("""
    def answer(registers, name, index):
        index, found = max(index, first(registers, name)), []
        while True:
            version, value = registers.read(f"{name}.{index}")
            if version == 0:
                return found, index
            if is_emptied(value):
                index = max(index + 1, first(registers, name))
            else:
                found.append((index, value))
                index += 1
""")

# A generator that looks at the cell first, and at the sign for readers only behind an emptied one.
answers.right("looks only when overtaken").code("""
    def cells(registers, name, index):
        while (cell := registers.read(f"{name}.{index}"))[0]:
            yield index, cell[1]
            index += 1
            if is_emptied(cell[1]):
                index = max(index, registers.read(f"{name}.first")[1] or 0)
        yield index, None


    def answer(registers, name, index):
        *found, (end, _) = cells(registers, name, index)
        return [[at, value] for at, value in found if not is_emptied(value)], end
""")

# Visits every cell that there ever was. Plausible: right but for its steps.
answers.plausible(
    "from the first cell",
    ('index, found = max(index, registers.read(f"{name}.first")[1] or 0),', "found ="),
    of="walks",
    reason="were dropped before your reader began",
)

# Takes an emptied cell for a record. Plausible: right while nothing is swept.
answers.plausible(
    "returns emptied",
    ("found += [] if is_emptied(value) else [(index, value)]", "found.append((index, value))"),
    of="walks",
    reason="It returns the emptied cell",
)

# Begins anew when it meets an emptied cell, and never ends where the sign for readers lags behind. Plausible: right
# while nothing is swept.
answers.plausible("begins again", reason="has not finished").code("""
    def answer(registers, name, index):
        while True:
            at, found = max(index, first(registers, name)), []
            while (cell := registers.read(f"{name}.{at}"))[0]:
                if is_emptied(cell[1]):
                    break
                found.append((at, cell[1]))
                at += 1
            else:
                return found, at
""")

# Goes on from as many cells later as it has found records. Plausible: right while nothing is swept.
answers.plausible("counts records", reason="that record comes twice").code("""
    def answer(registers, name, index):
        at, found = max(index, first(registers, name)), []
        while (cell := registers.read(f"{name}.{at}"))[0]:
            found += [] if is_emptied(cell[1]) else [(at, cell[1])]
            at = max(at + 1, first(registers, name)) if is_emptied(cell[1]) else at + 1
        return found, index + len(found)
""")

# Begins at the readers' start, without regard to the asked index. Plausible: right from the beginning on.
answers.plausible("forgets where it was asked", reason="it was asked for those from 1 on").code("""
    def answer(registers, name, index):
        index, found = first(registers, name), []
        while (cell := registers.read(f"{name}.{index}"))[0]:
            found += [] if is_emptied(cell[1]) else [(index, cell[1])]
            index = max(index + 1, first(registers, name)) if is_emptied(cell[1]) else index + 1
        return found, index
""")

# Jumps to where readers begin, and passes over one more. Plausible: right while nothing is swept.
answers.plausible("jumps too far", reason="this record is lost for its reader").code("""
    def answer(registers, name, index):
        index, found = max(index, first(registers, name)), []
        while (cell := registers.read(f"{name}.{index}"))[0]:
            if is_emptied(cell[1]):
                index = max(index, first(registers, name))
            else:
                found.append((index, cell[1]))
            index += 1
        return found, index
""")

# Takes an emptied cell for the end. Plausible: right while nothing is swept.
answers.plausible("stops at an emptied cell", reason="this record is lost for its reader").code("""
    def answer(registers, name, index):
        index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
        while True:
            version, value = registers.read(f"{name}.{index}")
            if version == 0 or is_emptied(value):
                return found, index + (version > 0)
            found.append((index, value))
            index += 1
""")

# Looks at the cell once for its version and once for its value. Plausible: right while nothing is swept.
answers.plausible("two reads", reason="It returns the emptied cell").code("""
    def answer(registers, name, index):
        index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
        while registers.read(f"{name}.{index}")[0]:
            if registers.read(f"{name}.{index}")[0] == 1:
                found.append((index, registers.read(f"{name}.{index}")[1]))
            index += 1
        return found, index
""")

# Visits every emptied cell that it was overtaken by. Plausible: right but for its steps.
answers.plausible("walks", reason="are dropped while it reads").code("""
    def answer(registers, name, index):
        index, found = max(index, registers.read(f"{name}.first")[1] or 0), []
        while True:
            version, value = registers.read(f"{name}.{index}")
            if version == 0:
                return found, index
            found += [] if is_emptied(value) else [(index, value)]
            index += 1
""")

# Returns no index to go on from.
answers.wrong("records alone", reason="return the records and the index to go on from").code("""
    def answer(registers, name, index):
        found = []
        while (cell := registers.read(f"{name}.{index}"))[0]:
            found.append((index, cell[1]))
            index += 1
        return found
""")
