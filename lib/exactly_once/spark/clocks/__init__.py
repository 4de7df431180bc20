"""Clocks on the cluster: processes that exchange messages.

`conversation` lets four `peer` processes talk; `check_order` looks for effects before their causes.
"""
