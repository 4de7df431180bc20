"""The gaps of chapter 09."""
