"""What surrounds the notebooks: setting up (`setup`, `lab`) and checking the environment (`doctor`).

`make` calls `setup` and `lab`; `python -m exactly_once doctor` calls `doctor`. They import what they need when they
need it, so that a broken installation can still be told apart.
"""
