"""The flight recorder: events and recorders."""
