"""All strategies at one latency of their stores: operations counted, times a slider's value."""

from html import escape

import ipywidgets

from ...costs.counted import counted
from ...costs.model import predicted
from ...errors import BadInput, is_number, whole
from ...handlers.choose import STRATEGIES
from ...sandbox.page import LATENCIES
from ..base.error_view import ErrorView

LEAST, MOST = 0.1, 50.0  # ms
PLACES = tuple(zip((0.5, 3.0, 20.0, MOST), LATENCIES, strict=True))  # up to so many ms
MACHINES = 16
COLOUR, BEST = "#0072B2", "#007A5A"


class CostLab(ipywidgets.VBox):
    """The two sliders and a bar for each strategy. `rates` is {strategy: records a second} at their values."""

    def __init__(self, latency, machines):
        self.counted = {name: counted(name) for name in STRATEGIES}
        # A second an operation: all take equally long here, so a slider's move has nothing to count.
        self._at_a_second = {name: predicted(each, 1.0).rate for name, each in self.counted.items()}
        self.operations = {name: each.operations for name, each in self.counted.items()}
        style, layout = {"description_width": "110px"}, {"width": "420px", "max_width": "98%"}
        self.latency = ipywidgets.FloatLogSlider(
            latency, base=10, min=-1, max=1.699, step=0.02, description="latency (ms)",
            readout_format=".3g", style=style, layout=layout,
        ).add_class("eo-cost-latency")  # fmt: skip
        self.machines = ipywidgets.IntSlider(
            machines, min=1, max=MACHINES, description="machines", style=style, layout=layout
        ).add_class("eo-cost-machines")
        self.shown = ipywidgets.HTML().add_class("eo-cost")
        super().__init__([self.latency, self.machines, self.shown])
        self.add_class("eo")
        for slider in (self.latency, self.machines):
            slider.observe(self._moved, "value")
        self._moved()

    @property
    def rates(self):
        """{strategy: records a second of all machines}, if only operations take time."""
        seconds = self.latency.value / 1000
        return {name: self.machines.value * rate / seconds for name, rate in self._at_a_second.items()}

    def _moved(self, _=None):
        try:
            self.shown.value = rates_html(self)
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            said = ErrorView.of(why, what="The costs")
            self.shown.value = f'<p class="eo-says eo-is-bad">{escape(said.message)}</p>'

    def __repr__(self):
        rates = "; ".join(f"{name} {rate:,.0f}" for name, rate in self.rates.items())
        return f"{self.latency.value:.3g} ms an operation, records a second: {rates}"


def rates_html(lab):
    """Return a table with a bar for each strategy: its operations a record, its records a second."""
    rates, milliseconds = lab.rates, lab.latency.value
    most = max(rates.values())
    place = next(words for limit, words in PLACES if milliseconds <= limit or limit == MOST).replace("one ", "a ")
    rows = "".join(
        f'<tr><th style="text-align:left;padding-right:10px">{name}</th>'
        f'<td style="text-align:right;padding-right:10px">{lab.operations[name]:.1f}</td>'
        f'<td style="width:100%"><div style="height:14px;width:{max(1, 100 * rate / most):.1f}%;'
        f'background:{BEST if rate == most else COLOUR}"></div></td>'
        f'<td style="text-align:right;padding-left:10px">{rate:,.0f}{" ★" * (rate == most)}</td></tr>'
        for name, rate in rates.items()
    )
    return (
        f"<p><strong>{milliseconds:.3g} ms: about {place}.</strong> Operations of a record, one after the other:</p>"
        '<table style="border-spacing:0 2px;width:100%;max-width:620px"><tr><th></th><th>operations</th><th></th>'
        '<th style="white-space:nowrap">records a second</th></tr>'
        f"{rows}</table>"
    )


def cost_lab(latency=2.0, machines=1):
    """Return a bar for each strategy of the course, its records a second, with sliders for latency and machines.

    latency: ms of an operation, 0.1 to 50; machines: 1 to 16, each with partitions of its own. Raises `BadInput` for
    other numbers.
    """
    if not is_number(latency) or not LEAST <= latency <= MOST:
        raise BadInput(f"The latency is {latency!r}; give milliseconds, {LEAST} to {MOST:.0f}.")
    return CostLab(latency, whole("the number of machines", machines, least=1, most=MACHINES))
