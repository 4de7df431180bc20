# %% 13b remembers in the process → an order was paid twice
from exactly_once import OutcomeUnknown
from exactly_once.stores import SerializationFailure

paid = set()


def answer(database, order, amount):
    while order not in paid:
        try:
            database.begin()
            database.write("balance", database.read("balance") - amount)
            database.commit()
            paid.add(order)
        except (SerializationFailure, OutcomeUnknown):
            continue

# %% 13b the statement alone again → outside of a transaction
from exactly_once import OutcomeUnknown
from exactly_once.stores import SerializationFailure


def answer(database, order, amount):
    def insist(call, *arguments):
        while True:
            try:
                return call(*arguments)
            except (SerializationFailure, OutcomeUnknown):
                continue

    insist(database.begin)
    if insist(database.read, order) is None:
        insist(database.write, "balance", insist(database.read, "balance") - amount)
        insist(database.write, order, amount)
    insist(database.commit)
