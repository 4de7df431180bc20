"""Answers by hand to chapter 06."""
