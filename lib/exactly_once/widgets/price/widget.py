"""The price on the screen: sliders for the stores' latency and for the numbers of a step."""

from html import escape

import ipywidgets

from ..base.error_view import ErrorView
from .model import LATENCY, MOST, Price

TITLES = {
    "latency": "latency (ms)",
    "inputs": "inputs a step",
    "outputs": "outputs a step",
    "machines": "machines",
    "twins": "twins of each",
}
COLOURS = {"machine": "#0072B2", "inputs": "#8A5A00", "outputs": "#007A5A"}
WIDEST = 25  # operations that fill the width, if there are no more


class PriceLab(ipywidgets.VBox):
    """The sliders and their result. `price` is the `Price` of the sliders' present values."""

    def __init__(self, price):
        self.price = price
        self.sliders = {name: _slider(name, getattr(price, name)) for name in TITLES}
        self.shown = ipywidgets.HTML().add_class("eo-price")
        super().__init__([*self.sliders.values(), self.shown])
        self.add_class("eo")
        for slider in self.sliders.values():
            slider.observe(self._moved, "value")
        self._moved()

    def _moved(self, _=None):
        try:
            self.price = Price(**{name: slider.value for name, slider in self.sliders.items()})
            self.shown.value = price_html(self.price)
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            said = ErrorView.of(why, what="The price")
            self.shown.value = f'<p class="eo-says eo-is-bad">{escape(said.message)}</p>'

    def __repr__(self):
        return price_text(self.price)


def _slider(name, value):
    least, most = LATENCY if name == "latency" else (int(name != "outputs"), MOST[name])
    kind, step = (ipywidgets.FloatSlider, 0.1) if name == "latency" else (ipywidgets.IntSlider, 1)
    style, layout = {"description_width": "110px"}, {"width": "420px", "max_width": "98%"}
    slider = kind(value, min=least, max=most, step=step, description=TITLES[name], style=style, layout=layout)
    return slider.add_class(f"eo-price-{name}")


def price_text(price):
    """Return a price in words."""
    return (
        f"{price.operations} operations a step (2 + {price.inputs} + 7 · {price.outputs}), {price.milliseconds:,.1f} "
        f"ms; {price.records:,.0f} records a second on {price.machines} machine{'s' * (price.machines > 1)}"
    )


def price_html(price):
    """Return a price in words, below bars for the operations of a step on machine, inputs and outputs."""
    asked = {"machine": 2, "inputs": price.inputs, "outputs": 7 * price.outputs}
    bars = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:right;padding:0 10px">{count}</td><td '
        f'style="width:100%"><div style="height:14px;width:{100 * count / max(WIDEST, price.operations):.1f}%;'
        f'background:{COLOURS[name]}"></div></td></tr>'
        for name, count in asked.items()
    )
    told = f"<p><strong>{escape(price_text(price))}</strong></p>"
    twins = f"<p>{price.twins} twins: a twin adds operations on the stores, and no speed.</p>" * (price.twins > 1)
    return f'<table style="width:100%;max-width:760px">{bars}</table>{told}{twins}'


def price_lab(**settings):
    """Return the price of a step, with sliders for the store's latency, inputs, outputs, machines and twins.

    `settings` are those of `Price`, the first values of the sliders. Raises `BadInput` for numbers that make no
    sense.
    """
    return PriceLab(Price(**settings))
