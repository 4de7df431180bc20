"""Set-up: `finish` completes the installation of the packages, `lab` opens JupyterLab, `doctor` checks the machine.

These modules import other packages late, so that they can still report a broken installation.
"""
