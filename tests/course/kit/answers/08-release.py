"""Answers to the gap 08-release."""

from tests.course.answers import Answers

answers = Answers("08-release")

answers.right("with").code("""
    def answer(node, source, target, amount):
        first, second = sorted((source, target))
        bank = node.store("bank")
        with node.lock(first), node.lock(second):
            _, balance = bank.read(source)
            if balance >= amount:
                _, held = bank.read(target)
                bank.write(target, held + amount)
                bank.write(source, balance - amount)
                return "done"
        return "insufficient funds"
""")

answers.right("releases before each return", of="the other one").diff("""
             second.release()
    +        first.release()
    @@
    +    first.release()
         second.release()
    -    first.release()
""")

answers.wrong("as in the article", of="the other one", reason="Deadlock").diff("""
    -        second.release()
""")

answers.wrong(
    "asks after it has released", of="released too soon", reason="Two movers take from one account"
).diff("""
    -    if balance >= amount:
    -        bank.write(source, balance - amount)
    @@
             return "insufficient funds"
    +    bank.write(source, balance - amount)
""")

answers.wrong("one of the two", of="the other one", reason="Deadlock").diff("""
    -        second.release()
    +        first.release()
""")

answers.wrong("released too soon", reason="Two movers, there and back").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        first, second = map(node.lock, sorted((source, target)))
        first.acquire()
        second.acquire()
        _, balance = bank.read(source)
        if balance >= amount:
            bank.write(source, balance - amount)
        second.release()
        first.release()
        if balance < amount:
            return "insufficient funds"
        bank.write(target, bank.read(target)[1] + amount)
        return "done"
""")

answers.wrong("the other one", reason="Deadlock").code("""
    def answer(node, source, target, amount):
        bank = node.store("bank")
        first, second = map(node.lock, sorted((source, target)))
        first.acquire()
        second.acquire()
        _, balance = bank.read(source)
        if balance < amount:
            second.release()
            return "insufficient funds"
        bank.write(source, balance - amount)
        bank.write(target, bank.read(target)[1] + amount)
        second.release()
        first.release()
        return "done"
""")
