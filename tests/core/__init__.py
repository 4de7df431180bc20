"""Tests of the core, without notebooks and without Spark.

`model` predicts by itself what a crash does, `world_conformance` lists what every world must do, `store_conformance`
what every store must; the tests proper are in `test_*.py`.
"""
