"""The rules of sitting down: plain Python, no Django, no clock, no randomness."""
