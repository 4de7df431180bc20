# %% 07b the forgetful one → Yours, though: One lost reply
from exactly_once import Fault, FaultPlan, OutcomeUnknown


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        while True:
            version, _ = shop.read("index")
            try:
                if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
                    break
            except OutcomeUnknown:
                continue
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}

# %% 07c words → return a list of (participant
def answer(log, prepared):
    return "commit what is decided"

# %% 07e retries by itself → One lost reply
from exactly_once.errors import OutcomeUnknown


def answer(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        done = None
        while not done:
            version, _ = shop.read("index")
            changes = [("append", "orders", [number, "refused"])]
            if amount <= shop.total("tea"):
                changes = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
            try:
                done = shop.transact(("cas", "index", version, index + 1), *changes)
            except OutcomeUnknown:
                continue
        index += 1
