"""Writes of analytics."""
