"""Chapter 08's scene: a transfer in two halves, by one of four ways, which may stop between them."""

from ...handlers.transfer import STAGES, Bank
from ...simulate.schedule import STEP_AND_CRASH
from ...widgets.player.scene import Choice, Question, Scene

WAYS = {
    "transaction": "one transaction",
    "locks": "two locks",
    "ordered": "ordered locks",
    "halves": "one lock at a time",
    "cas": "two CAS loops",
}


class Transfer(Scene):
    """Two movers of money, each with one order."""

    what, noun = "The bank", "mover"
    question = Question(
        "A mover dies between its two halves. Who can finish the transfer?",
        {"next": "its next incarnation", "other": "the other mover", "nobody": "nobody, in some of the ways"},
    )
    choices = {"way": Choice("The way to transfer", WAYS)}
    strikes = (STEP_AND_CRASH,)
    bounds = {"crashes": 1}
    good = "All have ended, and the total is right."

    def bank(self, chosen: dict[str, str]) -> Bank:
        """Return the bank with the chosen way."""
        return Bank(STAGES[chosen["way"]], apart=chosen["way"] == "cas")

    def programs(self, chosen):
        """Return the movers."""
        return self.bank(chosen).programs

    def rule(self, view, chosen):
        """The total is right when everybody has ended, and no account is ever below zero."""
        return self.bank(chosen).total_in_the_end(view)

    def because(self, state):
        """Return the balances, and what is on its way or lost."""
        bank, view = self.bank(state.chosen), state.position.view
        held = bank.balances(view)
        told = ", ".join(f"{account} holds {balance}" for account, balance in held.items())
        missing = bank.total - sum(held.values())
        return f"{told}." + (f" {missing} {'are lost' if view.done else 'are on their way'}." if missing else "")


SCENE = Transfer()
