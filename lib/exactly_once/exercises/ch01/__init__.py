"""The exercises of chapter 01: stamps by hand, a clock that survives, a total order, and what an order is for.

`runs` holds the runs that they are about.
"""
