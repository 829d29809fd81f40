"""Training, from a settings file to the weights of a policy."""
