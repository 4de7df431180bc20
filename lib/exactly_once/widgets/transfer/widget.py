"""The transfer lab on the screen: binds its model to one widget."""

from ..player.widget import PlayerWidget, board
from .model import Choice, TransferModel
from .view import fragments


class TransferLab(PlayerWidget, view=fragments):
    """The transfer lab. `model` is its `TransferModel`; `opened` is the debugger, once it was asked for."""

    layout_html = board("bank nodes", "code claims")

    def __repr__(self):
        state = self.model.state
        outlook = state.position.outlook if state.position else "not looked at yet"
        return f"TransferLab: {state.choice.stage}, {outlook or 'not known'}."


def transfer_lab(stage="transaction", movers=2, auditor="one by one"):
    """Return the transfer lab: movers and an auditor share a bank, and the learner chooses the next step.

    stage: the way of moving money, one of "transaction", "locks", "ordered", "halves" and "cas", as in `STAGES`.
    movers: their number, 2 or 3. auditor: its way of reading, "one by one", "under locks", "in one transaction" (not
    with "cas"), "twice", or "none". One incarnation may be killed, and one may be put to sleep.
    Raises `BadInput` for anything else.
    """
    return TransferLab(TransferModel(Choice(stage, movers, auditor)), "eo-transfer", "transfer/transfer.css")
