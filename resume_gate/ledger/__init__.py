"""Where rows lie (contract section 3)."""
