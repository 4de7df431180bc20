"""Answers to the exercise 13c."""

from tests.course.answers import Answers

answers = Answers("13c", "from exactly_once import OutcomeUnknown")

# The mark compared by its version, which is 0 where it is not there.
answers.right("the mark by version").code("""
    def answer(etcd, key, name, amount):
        while True:
            found, done = etcd.get(key), etcd.get(f"names/{name}")
            if done:
                return
            compares = [(f"names/{name}", "VERSION", 0), (key, "MOD", found.mod_revision)]
            try:
                if etcd.txn(compares, {f"names/{name}": True, key: found.value + amount}):
                    return
            except OutcomeUnknown:
                pass
""")

# All names under one key, compared by its mod_revision as well.
answers.right("all names under one key").code("""
    def answer(etcd, key, name, amount):
        while True:
            names = etcd.get("names")
            if names and name in names.value:
                return
            counter = etcd.get(key)
            compares = [("names", "MOD", names.mod_revision if names else 0), (key, "MOD", counter.mod_revision)]
            more = [*(names.value if names else []), name]
            try:
                etcd.txn(compares, {"names": more, key: counter.value + amount})
            except OutcomeUnknown:
                pass
""")

# etcd's version. Plausible: it counts the changes, as the course's registers do.
answers.plausible(
    "by version",
    ('(key, "MOD", found.mod_revision)', '(key, "VERSION", found.version)'),
    reason="what others wrote is gone",
)

# No mark. Plausible: right without a redelivery.
answers.plausible("no mark", reason="ann is counted twice").code("""
    def answer(etcd, key, name, amount):
        while True:
            found = etcd.get(key)
            try:
                if etcd.txn([(key, "MOD", found.mod_revision)], {key: found.value + amount}):
                    return
            except OutcomeUnknown:
                pass
""")

# Plausible: right in a calm run.
answers.plausible(
    "no guard",
    ('[(mark, "MOD", 0), (key, "MOD", found.mod_revision)]', '[(mark, "MOD", 0)]'),
    reason="what others wrote is gone",
)

answers.wrong(
    "by creation",
    ('(key, "MOD", found.mod_revision)', '(key, "CREATE", found.create_revision)'),
    reason="what others wrote is gone",
)
answers.wrong(
    "no answer is an error",
    ("except OutcomeUnknown:\n            continue", "except ValueError:\n            continue"),
    reason="fails with OutcomeUnknown",
)
answers.wrong("no answer is done", ("continue", "return"), reason="is counted never")
answers.wrong("refused is done", reason="is counted never").code("""
    def answer(etcd, key, name, amount):
        if etcd.get(f"names/{name}"):
            return
        found = etcd.get(key)
        while True:
            compares = [(f"names/{name}", "MOD", 0), (key, "MOD", found.mod_revision)]
            try:
                etcd.txn(compares, {key: found.value + amount, f"names/{name}": True})
                return
            except OutcomeUnknown:
                if etcd.get(f"names/{name}"):
                    return
""")
answers.wrong("the old revision for ever", reason="still makes more of them").code("""
    def answer(etcd, key, name, amount):
        found = etcd.get(key)
        while not etcd.get(f"names/{name}"):
            compares = [(f"names/{name}", "MOD", 0), (key, "MOD", found.mod_revision)]
            try:
                etcd.txn(compares, {key: found.value + amount, f"names/{name}": True})
            except OutcomeUnknown:
                pass
""")
answers.wrong("the mark in a step of its own", reason="is counted").code("""
    def answer(etcd, key, name, amount):
        while etcd.get(f"names/{name}") is None:
            found = etcd.get(key)
            try:
                if etcd.txn([(key, "MOD", found.mod_revision)], {key: found.value + amount}):
                    etcd.txn([], {f"names/{name}": True})
            except OutcomeUnknown:
                continue
""")
answers.wrong("puts as pairs", reason="give a dictionary").code("""
    def answer(etcd, key, name, amount):
        found = etcd.get(key)
        etcd.txn([(key, "MOD", found.mod_revision)], [(key, found.value + amount)])
""")
answers.wrong("remembers in the process", reason="ann is counted twice").code("""
    counted = set()


    def answer(etcd, key, name, amount):
        while name not in counted:
            found = etcd.get(key)
            try:
                if etcd.txn([(key, "MOD", found.mod_revision)], {key: found.value + amount}):
                    counted.add(name)
            except OutcomeUnknown:
                pass
""")
