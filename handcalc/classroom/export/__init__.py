"""Points for the gradebooks of learning platforms."""
