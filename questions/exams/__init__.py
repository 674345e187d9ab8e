"""Sitting down: mock exams and practice, one machinery.

A nested app with a label and tables of its own, as the bank is written by a few people
slowly and sittings by many people every few seconds. docs/decisions/0003 argues it.
"""
