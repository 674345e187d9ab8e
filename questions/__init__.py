"""The bank: what is asked, and what is known about it."""
