"""Answers to the exercise 08d."""

from tests.course.answers import Answers

answers = Answers("08d")

# Reads again as long as something was got that was not sent, and adds the amounts on their way.
answers.right("again where it got what nobody sent").code("""
    def answer(read, accounts):
        while True:
            cells = [read(account)[1] for account in reversed(accounts)]
            sent = {order: amount for cell in cells for order, amount in cell["sent"].items()}
            got = {order for cell in cells for order in cell["got"]}
            if got <= set(sent):
                balances = [cell["balance"] for cell in cells]
                return sum(balances) + sum([amount for order, amount in sent.items() if order not in got])
""")

# Reads until no version has changed, and adds the amounts that were sent and not received.
answers.right("twice and what is on its way").code("""
    def answer(read, accounts):
        before = [read(account) for account in accounts]
        while True:
            after = [read(account) for account in accounts]
            if [version for version, _ in before] == [version for version, _ in after]:
                break
            before = after
        cells = [cell for _, cell in after]
        got = {order for cell in cells for order in cell["got"]}
        away = [amount for cell in cells for order, amount in cell["sent"].items() if order not in got]
        return sum([cell["balance"] for cell in cells]) + sum(away)
""")

# Counts what has arrived twice. Plausible: right while nobody moves anything.
answers.plausible("adds all that was sent", reason="the auditor says 17; the bank has 10").code("""
    def answer(read, accounts):
        cells = [read(account)[1] for account in accounts]
        return sum([cell["balance"] + sum(cell["sent"].values()) for cell in cells])
""")

# Takes amounts for orders, after reading twice: two transfers of one amount look like one. Plausible: right while
# nobody moves anything.
answers.plausible("by amount", reason="the auditor says").code("""
    def answer(read, accounts):
        before = None
        while (after := [read(account) for account in accounts]) != before:
            before = after
        cells = [cell for _, cell in after]
        sent = {amount for cell in cells for amount in cell["sent"].values()}
        got = {amount for cell in cells for amount in cell["got"].values()}
        return sum([cell["balance"] for cell in cells]) + sum(sent - got)
""")

# Adds up the balances. Plausible: right while nobody moves anything.
answers.plausible("the balances", reason="the auditor says 3; the bank has 10").code("""
    def answer(read, accounts):
        return sum([read(account)[1]["balance"] for account in accounts])
""")

# Reads until nothing has changed: the halves may be at rest, and the money on its way. Plausible: right while
# nobody moves anything.
answers.plausible("twice", reason="the auditor says 3; the bank has 10").code("""
    def answer(read, accounts):
        before = None
        while True:
            after = [read(account) for account in accounts]
            if before == after:
                return sum([cell["balance"] for _, cell in after])
            before = after
""")

# Waits until nothing is on its way: for ever, where a mover is dead. Plausible: right while nobody moves anything.
answers.plausible("waits", reason="goes on for ever and never ends").code("""
def answer(read, accounts):
    while True:
        cells = [read(account)[1] for account in accounts]
        if {order for cell in cells for order in cell["sent"]} == {order for cell in cells for order in cell["got"]}:
            return sum([cell["balance"] for cell in cells])
""")

# Adds the sent amounts that were not received, but misses a received amount whose sending it did not see.
# Plausible: right while nobody moves anything.
answers.plausible("what is on its way", reason="the auditor says 17; the bank has 10").code("""
    def answer(read, accounts):
        cells = [read(account)[1] for account in accounts]
        got = {order for cell in cells for order in cell["got"]}
        away = [amount for cell in cells for order, amount in cell["sent"].items() if order not in got]
        return sum([cell["balance"] for cell in cells]) + sum(away)
""")

# Returns the total of the first bank.
answers.wrong("a guess", reason="the auditor says 10; the bank has 12").code("""
    def answer(read, accounts):
        return 10
""")
