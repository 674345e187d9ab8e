"""What answers tell: plain Python with numpy, no Django, no clock, no randomness."""
