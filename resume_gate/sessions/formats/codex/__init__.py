"""Codex CLI's rollouts."""
