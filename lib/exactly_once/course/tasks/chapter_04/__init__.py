"""The exercises of chapter 04: what crashes leave, and handlers that leave less."""
