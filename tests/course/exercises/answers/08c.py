"""Answers to the exercise 08c."""

from tests.course.answers import Answers

answers = Answers("08c")

# Undoes what was answered; nothing may be left over.
answers.right("by counting down").code("""
    from collections import Counter


    def answer(view):
        rest = Counter(view.balances)
        rest.subtract(view.opening)
        if sum(rest.values()) > 0 or any(balance < 0 for balance in view.balances.values()):
            return False
        for source, target, amount, said in view.answers:
            if said != "insufficient funds":
                rest.update({source: amount, target: -amount})
        return not view.done or not any(rest.values())
""")

# Returns a sentence in place of False, which prove takes, too.
answers.right("says what is wrong").code("""
    def answer(view):
        poor = [account for account, balance in view.balances.items() if balance < 0]
        if poor:
            return f"{poor[0]} is below zero"
        for account, opened in view.opening.items():
            out = sum(amount for a, b, amount, said in view.answers if a == account and said == "done")
            into = sum(amount for a, b, amount, said in view.answers if b == account and said == "done")
            if view.done and view.balances[account] != opened - out + into:
                return f"{account} holds {view.balances[account]}"
        extra = sum(view.balances.values()) - sum(view.opening.values())
        return True if extra <= 0 else f"{extra} too much"
""")

# Accepts everything. Plausible: one transaction keeps it.
answers.plausible("always anything", reason="does not notice a transfer that overwrites a deposit").code("""
    def answer(view):
        return True
""")

# What comes and goes on the way is not noticed. Plausible: one transaction keeps it.
answers.plausible("answers in the end alone", reason="for a moment there is money that nobody has paid in").code("""
    def answer(view):
        held = dict(view.opening)
        for source, target, amount, said in view.answers:
            if said == "done":
                held[source] -= amount
                held[target] += amount
        return min(view.balances.values()) >= 0 and (not view.done or held == view.balances)
""")

# Money may vanish. Plausible: one transaction keeps it.
answers.plausible("none below zero", reason="does not notice a transfer that overwrites a deposit").code("""
    def answer(view):
        return min(view.balances.values()) >= 0
""")

# What a transaction keeps, and halves do not. Plausible: one transaction keeps it.
answers.plausible("the total always", reason="It refuses a transfer that is right (ordered locks)").code("""
    def answer(view):
        return sum(view.balances.values()) == sum(view.opening.values())
""")

# Who answers and moves nothing keeps the total. Plausible: one transaction keeps it.
answers.plausible("the total and none below zero", reason="answers “done” and has moved nothing").code("""
    def answer(view):
        if min(view.balances.values()) < 0:
            return False
        return not view.done or sum(view.balances.values()) == sum(view.opening.values())
""")

# An account below zero is not noticed. Plausible: one transaction keeps it.
answers.plausible("the total in the end", reason="so that an account can fall below zero").code("""
    def answer(view):
        return not view.done or sum(view.balances.values()) == sum(view.opening.values())
""")

# Compares with the answers at every moment: between a transfer and its answer they differ.
answers.wrong(
    "answers at once",
    ("min(view.balances.values()) >= 0 and (not view.done or held == view.balances)", "held == view.balances"),
    of="answers in the end alone",
    reason="It refuses a transfer that is right (one transaction)",
)

# Refuses everything.
answers.wrong("never anything", reason="It refuses a transfer that is right (one transaction)").code("""
    def answer(view):
        return False
""")
