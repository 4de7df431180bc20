"""The gaps of chapter 05."""
