"""Tests of the readers of the sessions that other agents leave."""
