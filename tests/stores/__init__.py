"""Stores: `store_conformance` lists what every store must do; `model` predicts on plain lists what a crash leaves."""
