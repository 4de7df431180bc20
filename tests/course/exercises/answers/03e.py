"""Answers to the exercise 03e."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown


    def producer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, after = node.read(positions)
            node.output.push([after["numbers"], items[0].value], items[0].key)
            node.positions.save(after)
            positions = after
"""
answers = Answers("03e", given)

# Repeats each request without an answer; a repeated cas is refused, which does no harm.
answers.right("insists").code("""
    def insist(operation, *arguments):
        while True:
            try:
                return operation(*arguments)
            except OutcomeUnknown:
                pass


    def producer(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, after = insist(node.read, positions)
            insist(node.output.push, [after["numbers"], items[0].value], items[0].key)
            insist(node.positions.save, after)
            positions = after


    def consumer(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, positions = insist(node.read, positions)
            for item in items:
                number, amount = item.value
                version, held = insist(node.registers.read, item.key)
                total, newest = held or [0, 0]
                if number > newest:
                    insist(node.registers.cas, item.key, version, [total + amount, number])
            insist(node.positions.save, positions)


    answer = {"producer": producer, "consumer": consumer}
""")

# Numbers the payments of each account; the register's version is the last number.
answers.right("the version is the number").code("""
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
""")

# Keeps all numbers beside the balance.
answers.right("remembers every number", of="notes before it books").diff("""
    -            if node.registers.cas(f"seen.{number}", 0, True):
    -                version, held = node.registers.read(item.key)
    -                node.registers.cas(item.key, version, (held or 0) + amount)
    +            version, held = node.registers.read(item.key)
    +            total, *seen = held or [0]
    +            if number not in seen:
    +                node.registers.cas(item.key, version, [total + amount, *seen, number])
""")

# Keeps the numbers that it has seen in memory. Plausible: right for one life.
answers.plausible("seen in memory", of="notes before it books", reason="One crash: ").diff("""
    -    positions = node.positions.load()
    +    positions, seen = node.positions.load(), set()
    @@
    -            if node.registers.cas(f"seen.{number}", 0, True):
    +            if number not in seen:
    @@
                     node.registers.cas(item.key, version, (held or 0) + amount)
    +                seen.add(number)
""")

# Numbers nothing, and looks into the log before it sends: a late request was not there yet. Plausible: right under
# a crash, a lost request and a lost reply.
answers.plausible("asks before it sends", reason="One request that arrives twice: ").code("""
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
""")

# Numbers the payments in memory, and begins anew in each life. Plausible: right when nothing goes wrong.
answers.plausible("each incarnation counts from one", of="gives up", reason="One crash: ").diff("""
    -    positions = node.positions.load()
    +    positions, number = node.positions.load(), 0
         while node.running(positions):
    -        items, after = node.read(positions)
    -        node.positions.save(after)
    -        node.output.push([after["numbers"], items[0].value], items[0].key)
    -        positions = after
    +        items, positions = node.read(positions)
    +        number += 1
    +        node.output.push([number, items[0].value], items[0].key)
    +        node.positions.save(positions)
""")

# Notes the number in a second register, before the balance. Plausible: right when nothing goes wrong.
answers.plausible("notes before it books", reason="One crash: ").code("""
    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            for item in items:
                number, amount = item.value
                if node.registers.cas(f"seen.{number}", 0, True):
                    version, held = node.registers.read(item.key)
                    node.registers.cas(item.key, version, (held or 0) + amount)
            node.positions.save(positions)


    answer = {"producer": producer, "consumer": consumer}
""")

# Tries the cas until it succeeds, with a new version each time and the old question. Plausible: right under a crash
# and a lost request.
answers.plausible("until it succeeds", reason="One lost reply: ").code("""
    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            for item in items:
                number, amount = item.value
                _, held = node.registers.read(item.key)
                if number > (held or [0, 0])[1]:
                    book(node, item.key, number, amount)
            node.positions.save(positions)


    def book(node, key, number, amount):
        booked = False
        while not booked:
            version, held = node.registers.read(key)
            try:
                booked = node.registers.cas(key, version, [(held or [0])[0] + amount, number])
            except OutcomeUnknown:
                continue


    answer = {"producer": producer, "consumer": consumer}
""")

# At-least-once on both sides, and nothing else. Plausible: right when nothing goes wrong.
answers.plausible("without numbers", reason="One crash: ").code("""
    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            for item in items:
                version, held = node.registers.read(item.key)
                node.registers.cas(item.key, version, (held or 0) + item.value)
            node.positions.save(positions)


    def producer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, after = node.read(positions)
            node.output.push(items[0].value, items[0].key)
            node.positions.save(after)
            positions = after


    answer = {"producer": producer, "consumer": consumer}
""")

# Keeps the offset beside the balance: recognises a record read twice, but not a payment sent twice.
answers.wrong("by the offset", of="without numbers", reason="One crash: ").diff("""
    -            node.registers.cas(item.key, version, (held or 0) + item.value)
    +            total, newest = held or [0, -1]
    +            if item.offset > newest:
    +                node.registers.cas(item.key, version, [total + item.value, item.offset])
""")

# Recognises a payment by its value.
answers.wrong("equal values are one", of="without numbers", reason="Even when nothing goes wrong: ").diff("""
    -            node.registers.cas(item.key, version, (held or 0) + item.value)
    +            total, *seen = held or [0]
    +            if item.value not in seen:
    +                node.registers.cas(item.key, version, [total + item.value, *seen, item.value])
""")

# Notes the number in a second register, after the balance.
answers.wrong("books before it notes", of="notes before it books", reason="One crash: ").diff("""
    -            if node.registers.cas(f"seen.{number}", 0, True):
    +            noted, _ = node.registers.read(f"seen.{number}")
    +            if not noted:
    @@
                     node.registers.cas(item.key, version, (held or 0) + amount)
    +                node.registers.cas(f"seen.{number}", 0, True)
""")

# Saves the position before it sends.
answers.wrong("gives up", reason="One crash: ").code("""
    def producer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, after = node.read(positions)
            node.positions.save(after)
            node.output.push([after["numbers"], items[0].value], items[0].key)
            positions = after


    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            for item in items:
                number, amount = item.value
                version, held = node.registers.read(item.key)
                total, newest = held or [0, 0]
                if number > newest:
                    node.registers.cas(item.key, version, [total + amount, number])
            node.positions.save(positions)


    answer = {"producer": producer, "consumer": consumer}
""")

# Saves the position before it books.
answers.wrong("position first", reason="One crash: ").code("""
    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            node.positions.save(positions)
            for item in items:
                number, amount = item.value
                version, held = node.registers.read(item.key)
                total, newest = held or [0, 0]
                if number > newest:
                    node.registers.cas(item.key, version, [total + amount, number])


    answer = {"producer": producer, "consumer": consumer}
""")

# Lets the producer write to the accounts.
answers.wrong("the producer books", reason="The producer writes to a register").code("""
    def producer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, after = node.read(positions)
            version, held = node.registers.read(items[0].key)
            node.registers.cas(items[0].key, version, (held or 0) + items[0].value)
            node.positions.save(after)
            positions = after


    def consumer(node):
        return


    answer = {"producer": producer, "consumer": consumer}
""")
