"""Answers to the gap 07-fence."""

from tests.course.answers import Answers

given = """
    from exactly_once.handlers.stream.two_phase import EPOCH
    from exactly_once.log.errors import ProducerFenced
"""
answers = Answers("07-fence", given)

answers.right("tries again").code("""
    def answer(node, engine):
        engine.fence()
        while True:
            version, newest = node.database.read(EPOCH)
            if newest is not None and newest > engine.epoch:
                raise ProducerFenced("A later process has taken over.")
            if node.database.cas(EPOCH, version, engine.epoch):
                return version + 1
""")

answers.right("writes whatever is there").code("""
    def answer(node, engine):
        engine.fence()
        version, newest = node.database.read(EPOCH)
        if (newest or 0) > engine.epoch:
            raise ProducerFenced("A later process has taken over.")
        node.database.write(EPOCH, engine.epoch)
        return version + 1
""")

answers.right(
    "reads first",
    ("engine.fence()", "version, _ = node.database.read(EPOCH)"),
    ("version, _newest = node.database.read(EPOCH)", "engine.fence()"),
    of="compares nothing",
)

answers.wrong(
    "goes on when refused",
    ("newest is None and not node.database.cas(EPOCH, version, engine.epoch)", "(newest or 0) < engine.epoch"),
    ('raise ProducerFenced("A later process has taken over.")', "node.database.cas(EPOCH, version, engine.epoch)"),
    of="raises no epoch",
    reason="A process falls asleep, and wakes up beside its successor",
)

answers.wrong(
    "returns the old version",
    ("newest is None and", "(newest or 0) > engine.epoch or"),
    ("return node.database.read(EPOCH)[0]", "return version"),
    of="raises no epoch",
    reason="is not the one that the cell has after your write",
)

answers.wrong("compares nothing", reason="A process falls asleep, and wakes up beside its successor").code("""
    def answer(node, engine):
        engine.fence()
        version, _newest = node.database.read(EPOCH)
        if not node.database.cas(EPOCH, version, engine.epoch):
            raise ProducerFenced("A later process has taken over.")
        return version + 1
""")

answers.wrong("raises no epoch", reason="A process falls asleep, and wakes up beside its successor").code("""
    def answer(node, engine):
        engine.fence()
        version, newest = node.database.read(EPOCH)
        if newest is None and not node.database.cas(EPOCH, version, engine.epoch):
            raise ProducerFenced("A later process has taken over.")
        return node.database.read(EPOCH)[0]
""")

answers.wrong("returns nothing", reason="Nothing goes wrong, and the handler fails").code("""
    def answer(node, engine):
        engine.fence()
        version, newest = node.database.read(EPOCH)
        if (newest or 0) > engine.epoch or not node.database.cas(EPOCH, version, engine.epoch):
            raise ProducerFenced("A later process has taken over.")
""")
