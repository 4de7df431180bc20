# %% 03a computed
from exactly_once.handlers.logs.prediction import predict
from exactly_once.faults import Fault, FaultPlan
from collections import Counter

sending = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.push", 5, "lost request")])
receiving = FaultPlan([Fault("database.increment", 6, "crash after")])
answer = {}
for retry in ("retry", "give up"):
    for position in ("last", "first"):
        times = Counter(predict(sending, receiving, retry, position, 8, 3).applied)
        answer[retry, position] = {
            "lost": [number for number in range(1, 9) if number not in times],
            "doubled": [number for number, count in times.items() if count > 1],
        }

# %% 03e the version is the number
def producer(node):
    saved = node.state.load()
    saved = saved if isinstance(saved, dict) else {"at": node.start, "numbers": {}}
    while node.running(saved["at"]):
        items, after = node.read(saved["at"])
        key = items[0].key
        numbers = {**saved["numbers"], key: saved["numbers"].get(key, 0) + 1}
        node.output.push([numbers[key], items[0].value], key)
        saved = {"at": after, "numbers": numbers}
        node.state.save(saved)


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            if version == number - 1:
                node.registers.cas(item.key, version, (held or 0) + amount)
        node.positions.save(positions)


answer = {"producer": producer, "consumer": consumer}

# %% 03e asks before it sends → One request that arrives twice: 
from exactly_once.errors import OutcomeUnknown


def insist(operation, *arguments):
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            pass


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        while len(insist(node.output.read)) < after["numbers"]:
            try:
                node.output.push(items[0].value, items[0].key)
            except OutcomeUnknown:
                continue
        node.positions.save(after)
        positions = after


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            version, held = node.registers.read(item.key)
            total, newest = held or [0, -1]
            if item.offset > newest:
                node.registers.cas(item.key, version, [total + item.value, item.offset])
        node.positions.save(positions)


answer = {"producer": producer, "consumer": consumer}

# %% 03-ask asks before every push
from exactly_once.handlers.logs.both_sides import attempt, insist


def answer(node, record):
    while record.value not in insist(node.output.read):
        attempt(node.output.push, record.value, record.key)

# %% 03-ask only asks → took 1,500 steps
from exactly_once.handlers.logs.both_sides import insist


def answer(node, record):
    while record.value not in insist(node.output.read):
        continue
