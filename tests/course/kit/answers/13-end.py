"""Answers to the gap 13-end."""

from tests.course.answers import Answers

answers = Answers("13-end", "from exactly_once.log import LogError, ProducerFenced, TimedOut")

answers.right("two loops").code("""
    def answer(producer):
        def insist(call):
            while True:
                try:
                    return call()
                except TimedOut:
                    pass

        try:
            insist(producer.commit_transaction)
            return True
        except LogError as why:
            if why.fatal:
                raise
        insist(producer.abort_transaction)
        return False
""")

answers.right("calls itself").code("""
    def answer(producer, aborting=False):
        try:
            producer.abort_transaction() if aborting else producer.commit_transaction()
        except TimedOut:
            return answer(producer, aborting)
        except LogError as why:
            if not why.fatal:
                return answer(producer, True)
            raise
        return not aborting
""")

answers.wrong("commits", reason="fails with TimedOut").code("""
    def answer(producer):
        producer.commit_transaction()
        return True
""")

answers.wrong("aborts after a time-out", reason="fails with IllegalState").code("""
    def answer(producer):
        try:
            producer.commit_transaction()
            return True
        except TimedOut:
            producer.abort_transaction()
            return False
""")

answers.wrong("tries once more", reason="fails with TimedOut").code("""
    def answer(producer):
        for last in (False, True):
            try:
                producer.commit_transaction()
                return True
            except TimedOut:
                if last:
                    raise
""")

answers.wrong(
    "fenced is aborted", ("if why.fatal:\n                raise", "pass"), reason="it should raise the error"
)
answers.wrong("commits after the abort", ("return committed", "return True"), reason="it should return False")
answers.wrong("the abort may not time out", reason="fails with TimedOut").code("""
    def answer(producer):
        while True:
            try:
                producer.commit_transaction()
                return True
            except TimedOut:
                continue
            except LogError as why:
                if why.fatal:
                    raise
                producer.abort_transaction()
                return False
""")
answers.right("back to the commit, which is refused").code("""
    def answer(producer):
        while True:
            try:
                producer.commit_transaction()
                return True
            except TimedOut:
                continue
            except LogError as why:
                if why.fatal:
                    raise
            try:
                producer.abort_transaction()
                return False
            except TimedOut:
                continue
""")
