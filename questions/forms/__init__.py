"""What people send to the bank: visitors' searches and reports, the desk's words."""

from questions.forms.visitors import ProblemForm, SearchForm

__all__ = ["ProblemForm", "SearchForm"]
