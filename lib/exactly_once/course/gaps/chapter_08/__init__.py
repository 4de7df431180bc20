"""The gaps of chapter 08."""
