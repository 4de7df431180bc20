"""Answers to the gap 08-once."""

from tests.course.answers import Answers

answers = Answers("08-once")

answers.right("the mark is written without a version").diff("""
    -        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
    +        if store.transact(("cas", account, version, balance + change), ("write", mark, "done")):
""")

answers.wrong("no mark", reason="its next process repeats the order").diff("""
    -        if marked:
    -            return True
""")

answers.wrong("the mark after the change", reason="its next process repeats the order").diff("""
    -        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
    +        if store.cas(account, version, balance + change):
    +            store.write(mark, "done")
""")

answers.wrong("the mark before the change", reason="its next process repeats the order").code("""
    def answer(store, account, change, mark):
        if store.read(mark)[0]:
            return True
        if store.read(account)[1] + change < 0:
            return False
        store.write(mark, "done")
        while True:
            version, balance = store.read(account)
            if store.cas(account, version, balance + change):
                return True
""")

answers.wrong("a mark that is found counts as a refusal", reason="its next process repeats the order").diff("""
    -        if marked:
    -            return True
    +        if marked:
    +            return False
""")

answers.wrong("does not ask for the funds", reason="the accounts hold {'a': -5").diff("""
    -        if balance + change < 0:
    -            return False
""")

answers.wrong("nothing is compared", reason="There is enough for one of two orders").diff("""
    -        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
    +        if store.transact(("write", account, balance + change), ("write", mark, "done")):
""")

answers.wrong("says nothing of a change that was made", reason="It answers ['insufficient funds'").diff("""
    -        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
    -            return True
    +        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
    +            return None
""")

answers.wrong(
    "marks the change",
    ('("read", mark)', '("read", str(change))'),
    ('("cas", mark, 0, "done")', '("cas", str(change), 0, "done")'),
    reason="Two movers give to one account",
)

# All that is left may be withdrawn.
answers.wrong("leaves something behind", ("balance + change < 0", "balance + change <= 0"), reason="it should answer")

# Who has withdrawn already may have too little left for it.
answers.wrong("funds before the mark", reason="moves nearly all").diff("""
-        if marked:
-            return True
         if balance + change < 0:
             return False
+        if marked:
+            return True
""")
