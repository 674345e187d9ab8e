"""Reads across the tables of analytics."""
