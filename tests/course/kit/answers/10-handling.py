"""Answers to the gap 10-handling."""

from tests.course.answers import Answers

answers = Answers("10-handling")

answers.right("in one expression").code("""
    def answer(node, function, state, positions):
        (inputs, after), kind = node.read(dict(positions)), "PREPARING"
        return [kind, *(lambda found: (found[0], after, list(found[1]), 0))(function(state, inputs))]
""")

answers.wrong(
    "old positions",
    (", positions = node.read(positions)", ", _ = node.read(positions)"),
    reason="the queue 'output' holds 2, 4, 6",
)

answers.wrong("old state", ("state, outputs", "_, outputs"), reason="the queue 'output' holds 2, 2; right is 2, 4")

answers.wrong(
    "back to handling",
    (", outputs = function(state, inputs)", ", _ = function(state, inputs)"),
    ('"PREPARING", state, positions, outputs, 0', '"HANDLING", state, positions'),
    reason="the queue 'output' holds nothing; right is 2, 4",
)

answers.wrong(
    "no outputs yet",
    (", outputs = function(state, inputs)", ", _outputs = function(state, inputs)"),
    ("positions, outputs, 0", "positions"),
    reason="is no stage; one is a list such as",
)

answers.wrong("calls twice", reason="the queue 'output' holds 4; right is 2, 4").code("""
    def answer(node, function, state, positions):
        inputs, positions = node.read(positions)
        state, _ = function(state, inputs)
        state, outputs = function(state, inputs)
        return ["PREPARING", state, positions, outputs, 0]
""")

answers.wrong("pushes itself", reason="and one crash: After this schedule the queue 'output' holds 2, 2").code("""
    from exactly_once.lockfree import Queue


    def answer(node, function, state, positions):
        inputs, positions = node.read(positions)
        state, outputs = function(state, inputs)
        Queue(node.store("queues"), "output").push(["handler", sum(positions.values()), outputs[0]])
        return ["HANDLING", state, positions]
""")
