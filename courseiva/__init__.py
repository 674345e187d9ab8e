"""Wiring: no models, no rules, imported by nobody."""
