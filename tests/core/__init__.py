"""Tests of the pure core: events, scan, recovery, plan, replay, bounds, drive, decisions."""
