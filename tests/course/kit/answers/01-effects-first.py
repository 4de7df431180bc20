"""Answers to the gap 01-effects-first."""

from tests.course.answers import Answers

answers = Answers("01-effects-first")

answers.right("backwards").code("""
    def answer(events):
        received_later, found = set(), []
        for event in reversed(events):
            if event.kind == "receive":
                received_later.add(event.message)
            elif event.kind == "send" and event.message not in received_later:
                found.append(event.message)
        lost = found  # sent, and not received after that: never, or before
        received = {event.message for event in events if event.kind == "receive"}
        return [message for message in lost if message in received]
""")

answers.right("by places").code("""
def answer(events):
    places = {(event.kind, event.message): place for place, event in enumerate(events)}
    return {
        message for (kind, message), place in places.items() if kind == "receive" and place < places["send", message]
    }
""")

# Plausible: everything that is no send is taken for a receipt.
answers.wrong("local events too", ('if event.kind == "receive" and', "elif"), reason="a local event has no message")

answers.wrong("a number", reason="it gives a list").code("""
    def answer(events):
        return sum(event.kind == "receive" for event in events)
""")

answers.wrong("all receipts", reason="Your function also gives").code("""
    def answer(events):
        return [event.message for event in events if event.kind == "receive"]
""")

answers.wrong("fails", reason="Your lines fail: AttributeError").code("""
    def answer(events):
        return [event.message for event in events if event.sort == "receive"]
""")

# Plausible: a message that nobody has received when its send stands there.
answers.wrong("lost messages", reason="Your function also gives").code("""
    def answer(events):
        received, found = set(), []
        for event in reversed(events):
            if event.kind == "receive":
                received.add(event.message)
            elif event.kind == "send" and event.message not in received:
                found.append(event.message)
        return found
""")

answers.wrong("only neighbours", reason="not all of them").code("""
    from itertools import pairwise


    def answer(events):
        return [
            one.message
            for one, other in pairwise(events)
            if one.kind == "receive" and other.kind == "send" and one.message == other.message
        ]
""")
