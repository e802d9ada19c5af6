"""Tests of what rows mean: lanes, scan, statuses, plan, replay, bounds."""
