"""The gaps of chapter 02."""
