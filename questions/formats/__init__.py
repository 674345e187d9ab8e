"""Text on one side, domain items on the other; no database.

``yaml_bank`` is the bank's own format, for people who write questions and for git.
"""
