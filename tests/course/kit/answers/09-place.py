"""Answers to the gap 09-place."""

from tests.course.answers import Answers

answers = Answers("09-place")

answers.right("compares with a pair").code("""
    def answer(queue, value, index):
        return any((queue.push_at(value, index), queue.read(index) == (True, value)))
""")

answers.wrong("full is enough", reason="Two pushers, and nothing goes wrong").code("""
    def answer(queue, value, index):
        return queue.push_at(value, index) or queue.read(index)[0]
""")

answers.wrong("looks before", reason="one request is late").code("""
    def answer(queue, value, index):
        found, held = queue.read(index)
        return held == value if found else queue.push_at(value, index)
""")

answers.wrong("pushes anywhere", reason="Two pushers, and one reply is lost").code("""
    def answer(queue, value, index):
        if queue.read(index) != (True, value):
            queue.push(value)
        return True
""")

answers.wrong("says yes", reason="Two pushers, and nothing goes wrong").code("""
    def answer(queue, value, index):
        queue.push_at(value, index)
        return True
""")

answers.wrong(
    "tries once", reason="One pusher that dies once: After this schedule 'a1' is in the queue 2 times"
).code("""
    def answer(queue, value, index):
        return queue.push_at(value, index)
""")
