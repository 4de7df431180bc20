"""Set-up: `finish` does what is left once the packages are there, `lab` opens JupyterLab, `doctor` looks at the
machine.

They import what they need when they need it, so that a broken installation can still be told apart.
"""
