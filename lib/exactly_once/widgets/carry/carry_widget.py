"""The controls on the screen."""

from html import escape

from ..base.widget import HtmlWidget
from .carry_model import CarryModel


class Carry(HtmlWidget, page="carry/carry"):
    """A button that downloads a learner's work, and a field that takes such a file. `says` stands above them."""

    def __init__(self, model: CarryModel, says: tuple[str, ...] = ()) -> None:
        self._content = b""
        super().__init__(model, says="".join(f"<p>{escape(line)}</p>" for line in says))

    def fragments(self):
        """Return {trait: value} from the model's state."""
        return {"result": "".join(f"<p>{escape(line)}</p>" for line in self.model.state.result)}

    def _heard(self, widget, content, buffers):
        self._content = bytes(buffers[0]) if buffers else b""
        super()._heard(widget, content, buffers)

    def on_message(self, do, value):
        """Carry out a request of the page; answer with the file, or with the place of the next part."""
        if do == "part":
            value = {**value, "content": self._content}
        super().on_message(do, value)
        if self.model.file is not None:
            (name, data), self.model.file = self.model.file, None
            self.send({"file": name}, buffers=[data])
        return {"next": self.model.next}

    def __repr__(self):
        return "save_my_work() writes your work to a file; bring_back(file) puts it back."
