"""The rules of the bank: plain Python, no Django, no clock, no randomness."""
