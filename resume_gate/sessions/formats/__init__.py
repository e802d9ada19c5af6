"""One module a format, a folder where it takes more than one."""
