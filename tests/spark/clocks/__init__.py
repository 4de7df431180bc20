"""Processes that exchange messages, and stamps for large logs."""
