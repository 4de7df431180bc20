# %% 09a waits for its turn → has not finished
def answer(registers, name, index):
    while True:
        version, hint = registers.read(name)
        if (hint or 0) >= index:
            return
        if (hint or 0) == index - 1:
            registers.cas(name, version, index)

# %% 09b by halves
from exactly_once import OutcomeUnknown


def answer(registers, name, value):
    def full(index):
        return registers.read(f"{name}.{index}")[0] > 0

    version, hint = registers.read(f"{name}.hint")
    low, wide = hint or 0, 1
    while full(low + wide - 1):
        low, wide = low + wide, 2 * wide
    high = low + wide - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if full(middle) else (low, middle)
    while not registers.cas(f"{name}.{low}", 0, value):
        low += 1
    try:
        registers.cas(f"{name}.hint", version, low + 1)
    except OutcomeUnknown:
        return low
    return low

# %% 09b waits for the hint → has not finished
def answer(registers, name, value):
    while True:
        version, hint = registers.read(f"{name}.hint")
        index = hint or 0
        if registers.cas(f"{name}.{index}", 0, value):
            registers.cas(f"{name}.hint", version, index + 1)
            return index

# %% 09d looks only when overtaken
from exactly_once.lockfree import is_emptied


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

# %% 09d begins again → has not finished
from exactly_once.lockfree import is_emptied


def answer(registers, name, index):
    while True:
        at, found = max(index, registers.read(f"{name}.first")[1] or 0), []
        while (cell := registers.read(f"{name}.{at}"))[0]:
            if is_emptied(cell[1]):
                break
            found.append((at, cell[1]))
            at += 1
        else:
            return found, at

# %% 09-again looks for its name only after an error → Two nodes, +1 and -1, and one dies
from exactly_once import OutcomeUnknown


def answer(registers, by, who):
    unsure = False
    while True:
        try:
            version, held = registers.read("number")
            number, names = held or [0, []]
            if unsure and who in names:
                return
            if registers.cas("number", version, [number + by, [*names, who]]):
                return
        except OutcomeUnknown:
            unsure = True

# %% 09-sweep goes past what is new → Pushed: a, b, a; old is a. Your lines leave
from exactly_once.lockfree import cell, emptied, is_emptied


def answer(registers, is_old):
    index, kept = 0, None
    while True:
        version, value = registers.read(cell("queue", index))
        if not version:
            return index if kept is None else kept
        if not is_emptied(value) and is_old(value):
            registers.cas(cell("queue", index), version, emptied(value))
        elif not is_emptied(value) and kept is None:
            kept = index
        index += 1
