"""Answers to the gap 10-writing."""

from tests.course.answers import Answers

answers = Answers("10-writing")

# A cell behind a stranger's is tried without PREPARING: every cell before it is full, so no gap is left.
answers.right(
    "the next cell at once",
    (
        'return ["PREPARING", state, positions, outputs, k]',
        'return ["WRITING", state, positions, outputs, k, index + 1]',
    ),
)

# The stranger's message is taken for a proof that the output is written.
answers.wrong("a stranger is as good", reason="Two handlers in the same queues: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        queue.push_at_idempotent(outputs[k], index)
        if k + 1 < len(outputs):
            return ["PREPARING", state, positions, outputs, k + 1]
        return ["HANDLING", state, positions]
""")

answers.wrong("the same place again", reason="Two handlers in the same queues: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        if not queue.push_at_idempotent(outputs[k], index):
            return ["WRITING", state, positions, outputs, k, index]
        if k + 1 < len(outputs):
            return ["PREPARING", state, positions, outputs, k + 1]
        return ["HANDLING", state, positions]
""")

answers.wrong("one output only", reason="One node, one step with two outputs: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        if not queue.push_at_idempotent(outputs[k], index):
            return ["PREPARING", state, positions, outputs, k]
        return ["HANDLING", state, positions]
""")

answers.wrong("from the first output again", reason="Two handlers in the same queues: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        if not queue.push_at_idempotent(outputs[k], index):
            return ["PREPARING", state, positions, outputs, 0]
        if k + 1 < len(outputs):
            return ["PREPARING", state, positions, outputs, k + 1]
        return ["HANDLING", state, positions]
""")

answers.wrong("a plain push", reason="Twins, one of which dies: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        queue.push(outputs[k])
        if k + 1 < len(outputs):
            return ["PREPARING", state, positions, outputs, k + 1]
        return ["HANDLING", state, positions]
""")

answers.wrong("goes too far", reason="One node, one step with two outputs: ").code("""
    def answer(queue, state, positions, outputs, k, index):
        if not queue.push_at_idempotent(outputs[k], index):
            return ["PREPARING", state, positions, outputs, k]
        return ["PREPARING", state, positions, outputs, k + 1]
""")
