"""The gaps of chapter 10."""
