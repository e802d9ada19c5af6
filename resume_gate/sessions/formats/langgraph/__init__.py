"""LangGraph's checkpoints in SQLite."""
