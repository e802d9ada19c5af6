"""Tests of what a row is."""
