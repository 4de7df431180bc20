"""What surrounds the notebooks: set-up (`setup`, `lab`), the environment check (`doctor`), chapters and their reset.

`make` calls `setup` and `lab`; the command line calls `doctor` and `reset`. They import what they need when they need
it, so that a broken installation can still be told apart.
"""
