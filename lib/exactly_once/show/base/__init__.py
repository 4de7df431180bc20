"""What all pictures share: a `Picture`, its style sheet, and the checks of what can be shown."""
