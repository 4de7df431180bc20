"""The exercises of chapter 01: stamps and concurrent pairs by hand, the rules of both clocks, and what an order is
for.

`runs` holds the runs that they are about.
"""
