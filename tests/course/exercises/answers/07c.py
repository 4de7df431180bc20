"""Answers to the exercise 07c."""

from tests.course.answers import Answers

answers = Answers("07c")

# Goes through the participants, then writes the ends.
answers.right("by participant").code("""
    def answer(log, prepared):
        begun = {record[1]: record[2] for record in log if record[0] == "begin"}
        decided = [name for what, name, *_ in log if what == "commit"]
        ended = [name for what, name, *_ in log if what == "end"]
        actions = [
            (who, "commit" if name in decided else "rollback", name)
            for who, ids in prepared.items()
            for name in ids or []
        ]
        return actions + [
            ("write", "end", name)
            for name in decided
            if name not in ended and None not in [prepared[who] for who in begun[name]]
        ]
""")

# Goes through the transactions, each to its end.
answers.right("by transaction").code("""
    def answer(log, prepared):
        actions = []
        for name, parts in {record[1]: record[2] for record in log if record[0] == "begin"}.items():
            decided = ("commit", name) in log
            holding = [who for who in reversed(parts) if name in (prepared[who] or [])]
            actions += [[who, "commit" if decided else "rollback", name] for who in holding]
            if decided and ("end", name) not in log and all(prepared[who] is not None for who in parts):
                actions += [["write", "end", name]]
        return actions
""")

# Commits the transactions that all participants have prepared. Plausible: each participant that promised can commit.
answers.plausible("commits what all prepared", of="by participant", reason="nothing in the log says").diff("""
    +    promised = [name for name in begun if all(name in (prepared[one] or []) for one in begun[name])]
         actions = [
    -        (who, "commit" if name in decided else "rollback", name)
    +        (who, "commit" if name in decided + promised else "rollback", name)
""")

# Waits until everybody is there. Plausible: right while everybody is there.
answers.plausible("does nothing while one is away", reason="is left in doubt").code("""
    def answer(log, prepared):
        decided = [name for what, name, *_ in log if what == "commit"]
        ended = [name for what, name, *_ in log if what == "end"]
        if None in prepared.values():
            return []
        actions = [
            (who, "commit" if name in decided else "rollback", name) for who, ids in prepared.items() for name in ids
        ]
        return actions + [("write", "end", name) for name in decided if name not in ended]
""")

# Takes a participant that is away for one that holds nothing. Plausible: right while everybody is there.
answers.plausible("forgets who is away", reason="it may hold").code("""
    def answer(log, prepared):
        decided = [name for what, name, *_ in log if what == "commit"]
        ended = [name for what, name, *_ in log if what == "end"]
        actions = [
            (who, "commit" if name in decided else "rollback", name)
            for who, ids in prepared.items()
            for name in ids or []
        ]
        return actions + [("write", "end", name) for name in decided if name not in ended]
""")

# Leaves undecided transactions in doubt.
answers.wrong("leaves the undecided", of="rolls all back", reason="is left in doubt").diff("""
    -    actions = [(who, "rollback", name) for who, ids in prepared.items() for name in ids or []]
    +    actions = [(who, "commit", name) for who, ids in prepared.items() for name in ids or [] if name in decided]
""")

# Writes the ends before it commits.
answers.wrong("end first", of="never ends", reason="is still prepared in the").diff("""
    -    return [
    +    ended = [name for what, name, *_ in log if what == "end"]
    +    actions = [("write", "end", name) for name in decided if name not in ended]
    +    return actions + [
""")

# Does not expect that one is away.
answers.wrong("stumbles", of="by participant", reason="fails with TypeError").diff("""
    -        (who, "commit" if name in decided else "rollback", name)
    -        for who, ids in prepared.items()
    -        for name in ids or []
    +        (who, "commit" if name in decided else "rollback", name) for who, ids in prepared.items() for name in ids
""")

# Never writes an end.
answers.wrong("never ends", reason="the log can never be cut").code("""
    def answer(log, prepared):
        decided = [name for what, name, *_ in log if what == "commit"]
        return [
            (who, "commit" if name in decided else "rollback", name)
            for who, ids in prepared.items()
            for name in ids or []
        ]
""")

# Rolls back each transaction in doubt.
answers.wrong("rolls all back", reason="is to be committed").code("""
    def answer(log, prepared):
        begun = {record[1]: record[2] for record in log if record[0] == "begin"}
        decided = [name for what, name, *_ in log if what == "commit"]
        ended = [name for what, name, *_ in log if what == "end"]
        actions = [(who, "rollback", name) for who, ids in prepared.items() for name in ids or []]
        return actions + [
            ("write", "end", name)
            for name in decided
            if name not in ended and None not in [prepared[who] for who in begun[name]]
        ]
""")

# Describes the necessary steps in words.
answers.wrong("words", reason="this is no action").code("""
    def answer(log, prepared):
        return ["commit what is decided"]
""")
