"""How fast everything is, measured on this machine."""
