"""The storm: many runs, many kills, and a count of what was done twice, lost or stuck."""
