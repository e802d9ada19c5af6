"""Tests of the person's side: refusals, and the two appends that are not an agent's."""
