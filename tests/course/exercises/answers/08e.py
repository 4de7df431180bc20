"""Answers to the exercise 08e."""

from tests.course.answers import Answers

given = """
    def half(store, account, name, change):
        while True:
            version, held = store.read(account)
            if name in held:
                return held[name]
            fine = held["balance"] + change >= 0
            after = held | {name: fine, "balance": held["balance"] + (change if fine else 0)}
            if store.cas(account, version, after):
                return fine
"""
answers = Answers("08e", given)

# Sent, refused and got as lists beside the balance; a life that gets no reply asks again by itself.
answers.right("lists in the cells").code("""
from exactly_once.errors import OutcomeUnknown


def surely(step, *arguments):
    while True:
        try:
            return step(*arguments)
        except OutcomeUnknown:
            continue


def answer(here, there, order):
    while True:
        version, held = surely(here.read, order.source)
        sent, refused, got = (held.get(name, []) for name in ("sent", "refused", "got"))
        if order.name in refused:
            return False
        if order.name in sent:
            break
        left = held["balance"] - order.amount
        noted = {"sent": [*sent, order.name], "balance": left} if left >= 0 else {"refused": [*refused, order.name]}
        surely(here.cas, order.source, version, {**held, "got": got, **noted})
    while True:
        version, held = surely(there.read, order.target)
        got = held.get("got", [])
        if order.name in got:
            return True
        more = {"balance": held["balance"] + order.amount, "got": [*got, order.name]}
        surely(there.cas, order.target, version, {**held, **more})
""")

# The note is a cell of its own, written in one transaction of the one system with the balance.
answers.right("note in one transaction of the system").code("""
    def answer(here, there, order):
        fine = half(here, order.source, order.name, -order.amount)
        return fine and half(there, order.target, order.name, order.amount)


    def half(store, account, name, by):
        (_, noted), (version, held) = store.transact(("read", name), ("read", account))
        if noted is not None:
            return noted
        fine = held["balance"] + by >= 0
        changed = ("cas", account, version, {"balance": held["balance"] + (by if fine else 0)})
        store.transact(("cas", name, 0, fine), changed)
        return half(store, account, name, by)
""")

# Takes the note of the first half for the whole. Plausible: right when nothing goes wrong.
answers.plausible(
    "done means both",
    ('not in held and held["balance"] < order.amount', "in held"),
    ("return False", "return held[order.name]"),
    of="refusals are not noted",
    reason="are lost",
)

# Deposits first: for a moment there is money that nobody has paid in. Plausible: right when nothing goes wrong and
# there is enough.
answers.plausible("deposits first", reason="were made out of nothing").code("""
    def answer(here, there, order):
        _, held = here.read(order.source)
        if not held.get(order.name, held["balance"] >= order.amount):
            return False
        half(there, order.target, order.name, order.amount)
        return half(here, order.source, order.name, -order.amount)
""")

# Notes each half behind it, in another cell: a crash falls between the two. Plausible: right when nothing goes
# wrong.
answers.plausible("note in a cell of its own", reason="One crash").code("""
def once(store, note, account, by):
    if store.read(note)[0]:
        return store.read(note)[1]
    while True:
        version, held = store.read(account)
        fine = held["balance"] + by >= 0
        if not fine or store.cas(account, version, {"balance": held["balance"] + by}):
            store.cas(note, 0, fine)
            return fine


def answer(here, there, order):
    return once(here, order.name, order.source, -order.amount) and once(there, order.name, order.target, order.amount)
""")

# Two CAS loops without a note: the chapter's last stage. Plausible: right when nothing goes wrong.
answers.plausible("plain halves", reason="One crash").code("""
    def change(store, account, by):
        while True:
            version, held = store.read(account)
            if held["balance"] + by < 0:
                return False
            if store.cas(account, version, {"balance": held["balance"] + by}):
                return True


    def answer(here, there, order):
        return change(here, order.source, -order.amount) and change(there, order.target, order.amount)
""")

# The decision is in another cell than the withdrawal: a twin may withdraw before it is written down. Plausible:
# right when nothing goes wrong.
answers.plausible(
    "refusal in a cell of its own", reason="Two movers with the same orders, while another mover moves money back"
).code("""
    def answer(here, there, order):
        intent = f"intent.{order.name}"
        version, decided = here.read(intent)
        while not version:
            at, held = here.read(order.source)
            done = order.name in held.get("out", [])
            fine = done or held["balance"] >= order.amount
            if fine and not done:
                after = {"balance": held["balance"] - order.amount, "out": [*held.get("out", []), order.name]}
                after["in"] = held.get("in", [])
                fine = here.cas(order.source, at, after)
                if not fine:
                    version, decided = here.read(intent)
                    continue
            if not fine:
                here.cas(intent, 0, "refused" if not refused_too_late(here, order) else "sent")
            else:
                here.cas(intent, 0, "sent")
            version, decided = here.read(intent)
        if decided == "refused":
            return False
        while True:
            at, held = there.read(order.target)
            if order.name in held.get("in", []):
                return True
            after = {"balance": held["balance"] + order.amount, "in": [*held.get("in", []), order.name]}
            there.cas(order.target, at, {**after, "out": held.get("out", [])})


    def refused_too_late(here, order):
        return order.name in here.read(order.source)[1].get("out", [])
""")

# Decides anew about an order that was refused. Plausible: right when nothing goes wrong.
answers.plausible("refusals are not noted", reason="order t2 was answered False and then True").code("""
def answer(here, there, order):
    _, held = here.read(order.source)
    if order.name not in held and held["balance"] < order.amount:
        return False
    return half(here, order.source, order.name, -order.amount) and half(there, order.target, order.name, order.amount)
""")

# Answers False about an order that an earlier incarnation has carried out. Plausible: right when nothing goes wrong.
answers.plausible("says what this incarnation did", reason="order t1 was answered").code("""
    def answer(here, there, order):
        _, held = here.read(order.source)
        done = order.name in held
        fine = half(here, order.source, order.name, -order.amount)
        if fine:
            half(there, order.target, order.name, order.amount)
        return fine and not done
""")

# Reads and writes without regard to writes in between. Plausible: right when nothing goes wrong.
answers.plausible("writes", reason="When another mover moves money back meanwhile").code("""
    def answer(here, there, order):
        _, mine = here.read(order.source)
        if mine["balance"] < order.amount:
            return False
        here.write(order.source, {"balance": mine["balance"] - order.amount})
        _, theirs = there.read(order.target)
        there.write(order.target, {"balance": theirs["balance"] + order.amount})
        return True
""")

# Writes the cell instead of comparing: a late request, or a sleeper, brings an old balance back. Plausible: right
# when nothing goes wrong.
answers.plausible("writes its note", reason="When another mover moves money back meanwhile").code("""
def once(store, account, name, by):
    _, held = store.read(account)
    if name in held:
        return held[name]
    fine = held["balance"] + by >= 0
    store.write(account, held | {name: fine, "balance": held["balance"] + (by if fine else 0)})
    return fine


def answer(here, there, order):
    return once(here, order.source, order.name, -order.amount) and once(there, order.target, order.name, order.amount)
""")

answers.wrong("notes the amount", reason="order t2 was answered True").code("""
    def answer(here, there, order):
        fine = half(here, order.source, str(order.amount), -order.amount)
        return fine and half(there, order.target, str(order.amount), order.amount)
""")
