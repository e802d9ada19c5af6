"""Tests of the rooms and of what each may know."""
