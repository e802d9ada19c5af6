"""Tests on a real Temporal server: gates, agent runs, worker, embedded server, online commands."""
