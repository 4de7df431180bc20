"""Answers to the gap 07-finish."""

from tests.course.answers import Answers

answers = Answers("07-finish")

answers.right("asks last").code("""
    def answer(node, engine):
        database = node.database
        for identifier in sorted(database.prepared(), reverse=True):
            if engine.decided() == identifier:
                database.commit_prepared(identifier)
            elif int(identifier.partition(".")[0]) < engine.epoch:
                database.rollback_prepared(identifier)
""")

answers.right("hands off first").code("""
    def answer(node, engine):
        decided = engine.decided()
        for identifier in node.database.prepared():
            epoch = int(identifier.split(".")[0])
            if epoch >= engine.epoch and identifier != decided:
                continue
            end = node.database.commit_prepared if identifier == decided else node.database.rollback_prepared
            end(identifier)
""")

answers.wrong(
    "commits all",
    ("rollback_prepared", "commit_prepared"),
    of="rolls back all",
    reason="the counter is 2 and should be 1",
)

answers.wrong(
    "rolls all others back",
    ('epoch = int(identifier.split(".")[0])', 'int(identifier.split(".")[0])'),
    ("elif epoch < engine.epoch:", "else:"),
    reason="A process falls asleep within `finish`, and a later process prepares",
)

answers.wrong("by the epoch alone", reason="the counter is 0 and should be 1").code("""
    def answer(node, engine):
        engine.decided()
        for identifier in node.database.prepared():
            epoch = int(identifier.split(".")[0])
            if epoch < engine.epoch:
                node.database.rollback_prepared(identifier)
            else:
                node.database.commit_prepared(identifier)
""")

answers.wrong("commits only", reason="Deadlock").code("""
    def answer(node, engine):
        decided = engine.decided()
        for identifier in node.database.prepared():
            int(identifier.split(".")[0])
            if identifier == decided:
                node.database.commit_prepared(identifier)
""")

answers.wrong("rolls back all", reason="the counter is 0 and should be 1").code("""
    def answer(node, engine):
        engine.decided()
        for identifier in node.database.prepared():
            int(identifier.split(".")[0])
            node.database.rollback_prepared(identifier)
""")

answers.wrong("rolls back only", reason="is prepared in the database, and nobody has ended it").code("""
    def answer(node, engine):
        decided = engine.decided()
        for identifier in node.database.prepared():
            epoch = int(identifier.split(".")[0])
            if identifier != decided and epoch < engine.epoch:
                node.database.rollback_prepared(identifier)
""")
