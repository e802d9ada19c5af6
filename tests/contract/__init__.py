"""Tests of what crosses between processes: requests, options, outcomes, decisions."""
