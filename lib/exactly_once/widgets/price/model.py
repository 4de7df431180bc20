"""The price of a step of the lock-free handler: operations on stores, one after the other."""

from dataclasses import dataclass, replace

from ...errors import BadInput, is_number, whole

MOST = {"inputs": 100, "outputs": 3, "machines": 20, "twins": 3}
LATENCY = (0.1, 20.0)  # ms


@dataclass(frozen=True)
class Price:
    """A step with so many `inputs` and `outputs`, on stores that take `latency` ms for an operation.

    Each of the `machines` handles a partition of the input; `twins` run each machine, and do not make it faster.
    Raises `BadInput` for numbers that make no sense.
    """

    latency: float = 2.0
    inputs: int = 1
    outputs: int = 1
    machines: int = 1
    twins: int = 2

    def __post_init__(self):
        for name, most in MOST.items():
            whole(f"the number of {name}", getattr(self, name), least=int(name != "outputs"), most=most)
        least, most = LATENCY
        if not is_number(self.latency):
            raise BadInput(f"The latency is {self.latency!r}; give milliseconds, a number.")
        if not least <= self.latency <= most:
            raise BadInput(f"The latency is {self.latency} ms; give {least} to {most:.0f}.")

    @property
    def operations(self):
        """The operations of a step: read the machine, read each input, leave HANDLING, and seven for each output."""
        return 2 + self.inputs + 7 * self.outputs

    @property
    def milliseconds(self):
        """The duration of a step in milliseconds, if only the stores' latency takes time."""
        return self.operations * self.latency

    @property
    def records(self):
        """The number of inputs that all machines handle in a second."""
        return self.machines * self.inputs * 1000 / self.milliseconds

    def faster(self, **changes):
        """Return the factor by which the records in a second rise with other numbers, such as `inputs=10`."""
        return replace(self, **changes).records / self.records
