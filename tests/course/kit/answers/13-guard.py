"""Answers to the gap 13-guard."""

from tests.course.answers import Answers

answers = Answers("13-guard")

answers.right("a key that is not there has version 0").code("""
    def answer(found):
        if found is None:
            return ("VERSION", 0)
        return ["MOD", str(found["mod_revision"])]
""")
answers.right("a key that was never made").code("""
    def answer(found):
        return ("CREATE", 0) if not found else ("MOD", found["mod_revision"])
""")
answers.wrong("version", ('"MOD", found["mod_revision"]', '"VERSION", found["version"]'), reason="VERSION is 1 again")
answers.wrong(
    "creation", ('"MOD", found["mod_revision"]', '"CREATE", found["create_revision"]'), reason="CREATE is 2 again"
)
answers.wrong("not for a missing key", (" if found else 0", ""), reason="fails with TypeError")
answers.wrong("one for a missing key", ("else 0", "else 1"), reason="your write is refused for ever")
answers.wrong(
    "crossed",
    ('"MOD", found["mod_revision"]', '"VERSION", found["mod_revision"]'),
    reason="your write is refused for ever",
)
answers.wrong("small letters", ('"MOD"', '"mod"'), reason="the target is one of")
answers.wrong(
    "the number alone",
    ('"MOD", found["mod_revision"] if found else 0', 'found["mod_revision"] if found else 0'),
    reason="return (target, number)",
)
