"""The person's side: what is shown, refused and recorded."""
