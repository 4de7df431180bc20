"""The gaps of chapter 07."""
