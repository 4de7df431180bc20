"""The gaps of chapter 04."""
