"""Readers of the sessions that other agents leave: each makes RuntimeEvents, none decides."""
