"""The controls on the screen, and what they do: hand out a file, and put one together from its parts."""

from dataclasses import dataclass
from html import escape

from ...errors import BadInput
from ..base.model import BaseState, Model
from ..base.widget import HtmlWidget

OTHER_PART = "The file did not come whole. Choose it again."


@dataclass(frozen=True, kw_only=True)
class CarryState(BaseState):
    """`result` has the sentences on what was done last."""

    result: tuple[str, ...] = ()


class CarryModel(Model):
    """Downloads and brings back a learner's work.

    `pack()` returns (the name of the file, its bytes, a sentence); `put_back(bytes)` returns sentences. `most` is the
    largest file in bytes that is taken.
    """

    what = "The file of your work"

    def __init__(self, pack, put_back, most):
        self.pack, self.put_back, self.most = pack, put_back, most
        self.arrived = bytearray()
        self.file = None  # (name, bytes) for the page to download, until the page has taken it
        self.next = None  # where the part begins that the page shall send
        super().__init__(CarryState())

    def actions(self):
        """Return the actions of a learner."""
        return {"save": lambda _: self.save(), "part": self.part}

    def save(self):
        """Make the file."""
        name, data, sentence = self.pack()
        self.file = (name, data)
        self.update(result=(sentence,))

    def part(self, value):
        """Take a part of a file: its content, where it begins, the file's size, and whether it is the last.

        Raises `BadInput` for a file that is too large, and for a part that does not follow the one before.
        """
        self.next = None
        start, size, last, content = value["start"], value["size"], value["last"], value["content"]
        if start == 0:
            self.arrived = bytearray()
        if size > self.most:
            raise BadInput(f"The file has {size:,} bytes; a file of your work has at most {self.most:,}.")
        if start != len(self.arrived) or start + len(content) > self.most:
            raise BadInput(OTHER_PART)
        self.arrived += content
        if not last:
            self.next = len(self.arrived)
            return
        whole, self.arrived = bytes(self.arrived), bytearray()
        if len(whole) != size:
            raise BadInput(OTHER_PART)
        self.update(result=tuple(self.put_back(whole)))


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
