# %% 04c no state at all
from exactly_once.pipeline import Window


def answer(node):
    positions = node.positions.load()
    while node.running(positions):
        window = Window()
        at = {stream: max(0, offset + 1 - node.duration) for stream, offset in positions.items()}
        while at != {stream: offset + 1 for stream, offset in positions.items()}:
            items, at = node.read(at)
            window.push(items)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.positions.save(at)
        positions = at

# %% 04c remembers outside the stores → is in the output more than once
pushed = set()


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        if hour not in pushed:
            node.output.push(window.average())
            pushed.add(hour)
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions

# %% 04d counter first and a register
from exactly_once.pipeline import Window


def answer(node):
    version, saved = node.registers.read("progress")
    positions, window = saved if version else (node.start, Window())
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas("progress", version, [positions, window])
        version += 1
        if len(window) > node.threshold:
            node.database.increment()
        node.output.push(window.average())

# %% 04d never ends → had not come to an end
def answer(node):
    while node.running():
        continue

# %% 04f one transaction of the other system
def answer(node):
    accounts = node.store("accounts")
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            version, value = accounts.read("counter")
            noted = "cas", f"counted.{hour}", 0, True
            accounts.transact(noted, ("cas", "counter", version, (value or 0) + 1))
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions

# %% 04f tries again → One lost reply: after this schedule the counter is 3
from exactly_once.errors import OutcomeUnknown
from exactly_once.pipeline import Window


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            try:
                accounts.cas("counter", count, count + 1)
            except OutcomeUnknown:
                version, value = accounts.read("counter")
                accounts.cas("counter", version, (value or 0) + 1)
            count += 1
        node.state.save([positions, window, count])
