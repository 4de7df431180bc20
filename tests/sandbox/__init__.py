"""Learners' code in the warm child process."""
