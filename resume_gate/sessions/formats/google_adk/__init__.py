"""Google ADK's sessions."""
