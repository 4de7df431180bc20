"""Handlers, inputs and what every world must do to them.

`world_conformance` lists what every world must do, `fault_table` what every kind of fault leaves; each world's own
tests run both.
"""
