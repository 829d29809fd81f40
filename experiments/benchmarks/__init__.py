"""Speed on this machine. Read bench (the command) and figures; the other files measure one thing each."""
