"""The notebooks for class: three labs and a demo, built from the cells of the chapters that carry their tags.

`build` builds them with the titles and goals of `frames.toml`, `names` tells what a lab would miss when it runs
alone, and `minutes` is the model of how long a notebook takes.
"""
