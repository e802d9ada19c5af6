"""Tests of the resume gate."""
