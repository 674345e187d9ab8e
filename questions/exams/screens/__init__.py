"""Read models of the pages of a sitting: they prepare, and decide nothing."""
