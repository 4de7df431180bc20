"""Two prices on the screen, with sliders: a step of the lock-free handler, and each strategy of the course."""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

import ipywidgets

from ..costs.counted import counted, predicted
from ..errors import BadInput, is_number, whole
from ..handlers import STRATEGIES
from .base.controls import ErrorView

MOST = {"inputs": 100, "outputs": 3, "machines": 20, "twins": 3}
LATENCY = (0.1, 20.0)  # ms
TITLES = {
    "latency": "latency (ms)",
    "inputs": "inputs a step",
    "outputs": "outputs a step",
    "machines": "machines",
    "twins": "twins of each",
}
COLOURS = {"machine": "#0072B2", "inputs": "#8A5A00", "outputs": "#007A5A"}
WIDEST = 25  # operations that fill the width, if there are no more
LEAST_MS, MOST_MS = 0.1, 50.0
PLACES = (  # up to so many ms
    (0.5, "one machine"),
    (3.0, "one region"),
    (20.0, "two regions, near"),
    (MOST_MS, "two regions, far"),
)
MACHINES = 16


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
    def operations(self) -> int:
        """The operations of a step: read the machine, read each input, leave HANDLING, and seven for each output."""
        return 2 + self.inputs + 7 * self.outputs

    @property
    def milliseconds(self) -> float:
        """The duration of a step in milliseconds, if only the stores' latency takes time."""
        return self.operations * self.latency

    @property
    def records(self) -> float:
        """The number of inputs that all machines handle in a second."""
        return self.machines * self.inputs * 1000 / self.milliseconds

    def faster(self, **changes: int) -> float:
        """Return the factor by which the records in a second rise with other numbers, such as `inputs=10`."""
        return replace(self, **changes).records / self.records


class Sliders(ipywidgets.VBox):
    """Sliders by name, and below them what `html()` says of their values; a move draws it anew."""

    def __init__(self, css: str, sliders: dict[str, tuple[Any, ...]]) -> None:
        self.sliders = {
            name: kind(
                description=TITLES[name],
                style={"description_width": "110px"},
                layout={"width": "420px", "max_width": "98%"},
                **more,
            ).add_class(f"{css}-{name}")
            for name, (kind, more) in sliders.items()
        }
        self.shown = ipywidgets.HTML().add_class(css)
        super().__init__([*self.sliders.values(), self.shown])
        self.add_class("eo")
        for slider in self.sliders.values():
            slider.observe(self._moved, "value")
        self._moved()

    def _moved(self, _: Any = None) -> None:
        try:
            self.shown.value = self.html({name: slider.value for name, slider in self.sliders.items()})
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            said = ErrorView.of(why, what="The price")
            self.shown.value = f'<p class="eo-says eo-is-bad">{escape(said.message)}</p>'


class PriceLab(Sliders):
    """The price of a step. `price` is the `Price` of the sliders' present values."""

    def __init__(self, price: Price) -> None:
        self.price = price
        latency = {"value": price.latency, "min": LATENCY[0], "max": LATENCY[1], "step": 0.1}
        sliders = {"latency": (ipywidgets.FloatSlider, latency)}
        for name, most in MOST.items():
            least = int(name != "outputs")
            sliders[name] = ipywidgets.IntSlider, {"value": getattr(price, name), "min": least, "max": most}
        super().__init__("eo-price", sliders)

    def html(self, values: dict[str, Any]) -> str:
        """Return a price in words, below bars for the operations of a step on machine, inputs and outputs."""
        self.price = price = Price(**values)
        asked = {"machine": 2, "inputs": price.inputs, "outputs": 7 * price.outputs}
        bars = "".join(
            f'<tr><th style="text-align:left">{name}</th><td style="text-align:right;padding:0 10px">{count}</td><td '
            f'style="width:100%"><div style="height:14px;width:{100 * count / max(WIDEST, price.operations):.1f}%;'
            f'background:{COLOURS[name]}"></div></td></tr>'
            for name, count in asked.items()
        )
        told = f"<p><strong>{escape(repr(self))}</strong></p>"
        more = f"<p>{price.twins} twins: a twin adds operations on the stores, and no speed.</p>" * (price.twins > 1)
        return f'<table style="width:100%;max-width:760px">{bars}</table>{told}{more}'

    def __repr__(self) -> str:
        price = self.price
        return (
            f"{price.operations} operations a step (2 + {price.inputs} + 7 · {price.outputs}), "
            f"{price.milliseconds:,.1f} ms; {price.records:,.0f} records a second on {price.machines} "
            f"machine{'s' * (price.machines > 1)}"
        )


class CostLab(Sliders):
    """All strategies at one latency of their stores: operations counted, times the slider's value, as bars.

    `rates` is {strategy: records a second of all machines}, if only operations take time.
    """

    def __init__(self, latency, machines):
        self.counted = {name: counted(name) for name in STRATEGIES}
        # A second an operation: all take equally long here, so a slider's move has nothing to count.
        self._at_a_second = {name: predicted(each, 1.0).rate for name, each in self.counted.items()}
        self.operations = {name: 1 / rate for name, rate in self._at_a_second.items()}  # and waits, of the slowest
        bounds = {"base": 10, "min": -1, "max": 1.699, "step": 0.02, "readout_format": ".3g"}
        super().__init__("eo-cost", {
            "latency": (ipywidgets.FloatLogSlider, {"value": latency} | bounds),
            "machines": (ipywidgets.IntSlider, {"value": machines, "min": 1, "max": MACHINES}),
        })  # fmt: skip

    @property
    def rates(self):
        """{strategy: records a second of all machines}, if only operations take time."""
        seconds, machines = self.sliders["latency"].value / 1000, self.sliders["machines"].value
        return {name: machines * rate / seconds for name, rate in self._at_a_second.items()}

    def html(self, values):
        """Return a table of the strategies: operations a record at the slowest node, a bar, records a second."""
        rates, milliseconds = self.rates, values["latency"]
        most = max(rates.values())
        place = next(words for limit, words in PLACES if milliseconds <= limit or limit == MOST_MS)
        rows = "".join(
            f'<tr><th style="text-align:left;padding-right:10px">{name}</th>'
            f'<td style="text-align:right;padding-right:10px">{self.operations[name]:.1f}</td>'
            f'<td style="width:100%"><div style="height:14px;width:{max(1, 100 * rate / most):.1f}%;'
            f'background:{COLOURS["outputs" if rate == most else "machine"]}"></div></td>'
            f'<td style="text-align:right;padding-left:10px">{rate:,.0f}{" ★" * (rate == most)}</td></tr>'
            for name, rate in rates.items()
        )
        return (
            f"<p><strong>{milliseconds:.3g} ms: about {place.replace('one ', 'a ')}.</strong> Operations and waits "
            "of a record at the slowest node, one after the other:</p>"
            '<table style="border-spacing:0 2px;width:100%;max-width:620px"><tr><th></th><th>operations</th>'
            f'<th></th><th style="white-space:nowrap">records a second</th></tr>{rows}</table>'
        )

    def __repr__(self):
        rates = "; ".join(f"{name} {rate:,.0f}" for name, rate in self.rates.items())
        return f"{self.sliders['latency'].value:.3g} ms an operation, records a second: {rates}"


def price_lab(**settings: Any) -> PriceLab:
    """Return the price of a step, with sliders for the store's latency, inputs, outputs, machines and twins.

    `settings` are those of `Price`, the first values of the sliders. Raises `BadInput` for numbers that make no
    sense.
    """
    return PriceLab(Price(**settings))


def cost_lab(latency: Any = 2.0, machines: int = 1) -> Any:
    """Return a bar for each strategy of the course, its records a second, with sliders for latency and machines.

    latency: ms of an operation, 0.1 to 50; machines: 1 to 16, each with partitions of its own. Raises `BadInput` for
    other numbers.
    """
    if not is_number(latency) or not LEAST_MS <= latency <= MOST_MS:
        raise BadInput(f"The latency is {latency!r}; give milliseconds, {LEAST_MS} to {MOST_MS:.0f}.")
    return CostLab(latency, whole("the number of machines", machines, least=1, most=MACHINES))
