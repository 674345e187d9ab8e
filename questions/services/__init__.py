"""Writes: each function is one act, in one transaction, with its event."""
