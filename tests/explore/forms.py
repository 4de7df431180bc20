"""One program in several forms: its loop as a `while`, a `for`, a class, and functions."""

from exactly_once import OutcomeUnknown


def plain(node):
    """Copy each hour to the output, once more when a reply does not come; with plain variables."""
    at = node.positions.load()
    while node.running(at):
        items, after = node.read(at)
        done = False
        while not done:
            try:
                node.output.push(items[0].hour)
                done = True
            except OutcomeUnknown:
                done = False
        node.positions.save(after)
        at = after


def with_for(node):
    """The same with `for` loops."""
    at = node.positions.load()
    for _ in range(2):
        if not node.running(at):
            break
        items, after = node.read(at)
        for item in items[:1]:
            while True:
                try:
                    node.output.push(item.hour)
                    break
                except OutcomeUnknown:
                    continue
        node.positions.save(after)
        at = after


class Copier:
    """The same in an object."""

    def __init__(self, node):
        self.node = node
        self.at = node.positions.load()
        self.items = []

    def run(self):
        while self.node.running(self.at):
            self.items, self.after = self.node.read(self.at)
            self._push()
            self.node.positions.save(self.after)
            self.at = self.after

    def _push(self):
        while True:
            try:
                return self.node.output.push(self.items[0].hour)
            except OutcomeUnknown:
                pass


def with_a_class(node):
    """The same in an object."""
    Copier(node).run()


def with_functions(node):
    """The same with functions that share their variables."""
    at = node.positions.load()

    def push(hour):
        try:
            node.output.push(hour)
        except OutcomeUnknown:
            push(hour)

    def step():
        nonlocal at
        items, after = node.read(at)
        push(items[0].hour)
        node.positions.save(after)
        at = after

    while node.running(at):
        step()


FORMS = [plain, with_for, with_a_class, with_functions]
