"""Handlers, inputs and the contract of every world.

`world_conformance` lists the duties of every world, `fault_table` the result of every kind of fault; each world's own
tests run both lists.
"""
