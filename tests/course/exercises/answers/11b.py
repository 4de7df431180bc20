"""Answers to the exercise 11b."""

from tests.course.answers import Answers

answers = Answers("11b")

answers.right("a draft of its own").code("""
    def follow(node, stage, as_usual):
        if stage[0] == "WRITING":
            cells, cell = node.store("queues"), f"output.{stage[5]}"
            cells.cas(cell, 0, ["draft"])
            if cells.read(cell)[1] == ["draft"]:
                cells.cas(cell, 1, stage[3][stage[4]][1])
        return as_usual(stage)


    answer = {"claim": "atomic", "follow": follow}
""")

answers.right("skips the output").code("""
    def follow(node, stage, as_usual):
        if stage[0] == "WRITING":
            return ["HANDLING", *stage[1:3]]
        return as_usual(stage)


    answer = {"claim": "exactly-once", "follow": follow}
""")

# Plausible: who leaves the machine alone breaks nothing.
answers.plausible("nothing is broken", reason="All six promises hold").code("""
    def follow(node, stage, as_usual):
        return as_usual(stage)


    answer = {"claim": "atomic", "follow": follow}
""")

# Plausible: a mutant that is found, by another check than was thought.
answers.plausible("another promise", reason="It breaks 'atomic', and keeps 'exactly-once'").code("""
    def follow(node, stage, as_usual):
        if stage[0] == "WRITING":
            cells, cell = node.store("queues"), f"output.{stage[5]}"
            cells.cas(cell, 0, ["draft"])
            if cells.read(cell)[1] == ["draft"]:
                cells.cas(cell, 1, stage[3][stage[4]][1])
        return as_usual(stage)


    answer = {"claim": "exactly-once", "follow": follow}
""")

answers.wrong("leaves the draft", reason="took 2,000 steps").code("""
    def follow(node, stage, as_usual):
        if stage[0] == "WRITING":
            node.store("queues").cas(f"output.{stage[5]}", 0, ["draft"])
        return as_usual(stage)


    answer = {"claim": "atomic", "follow": follow}
""")

answers.wrong("skips the output, for an observer", reason="It breaks 'exactly-once', and keeps 'atomic'").code("""
    def follow(node, stage, as_usual):
        if stage[0] == "WRITING":
            return ["HANDLING", *stage[1:3]]
        return as_usual(stage)


    answer = {"claim": "atomic", "follow": follow}
""")

answers.wrong("waits for the other", reason="took 2,000 steps").code("""
    def follow(node, stage, as_usual):
        node.registers.cas(f"here.{node.number}", 0, True)
        while not node.registers.read(f"here.{3 - node.number}")[0]:
            pass
        return as_usual(stage)


    answer = {"claim": "no downtime", "follow": follow}
""")

answers.wrong("fails", reason="It fails by itself").code("""
    def follow(node, stage, as_usual):
        return as_usual(stage[0])


    answer = {"claim": "atomic", "follow": follow}
""")
