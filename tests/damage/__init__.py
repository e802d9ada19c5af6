"""Damage of every kind to small ledgers: a legal prefix's plan or an error, never another meaning."""
