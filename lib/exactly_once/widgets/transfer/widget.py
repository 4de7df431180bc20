"""The transfer lab on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from ..debug.widget import debugger
from .model import transfer_model
from .view import bank_html, claims_html, code_html, head_html, nodes_html, says_html, tools_html, way_html


class TransferLab(HtmlWidget, page="transfer/transfer"):
    """The transfer lab. `model` is its `TransferModel`; `opened` is the debugger, once it was asked for."""

    def __init__(self, model):
        super().__init__(model)
        self.draw()  # the first position may have been computed meanwhile

    def fragments(self):
        """Return {trait: HTML} from the model's state."""
        model = self.model
        return {
            "head": head_html(model),
            "says": says_html(model),
            "tools": tools_html(model),
            "bank": bank_html(model),
            "nodes": nodes_html(model),
            "claims": claims_html(model),
            "code": code_html(model),
            "way": way_html(model),
            "count": model.bounds.nodes,
        }

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do == "open":
            self.opened = debugger(self.model.state.position.replay, self.model.plain_handlers)
            return None
        return super().on_message(do, value)

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
    return TransferLab(transfer_model(stage, movers, auditor))
