"""What the controls do, without their screen: hand out a file, and put one together from its parts."""

from dataclasses import dataclass

from ...errors import BadInput
from ..base.model import BaseState, Model

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
