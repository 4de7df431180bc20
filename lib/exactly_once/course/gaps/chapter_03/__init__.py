"""The gaps of chapter 03."""
