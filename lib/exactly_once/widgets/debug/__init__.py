"""The debugger: a run step by step, forwards and backwards."""
