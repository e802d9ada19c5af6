"""What the project says of itself is true."""
