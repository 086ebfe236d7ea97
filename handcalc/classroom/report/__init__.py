"""The report of a class, and fresh sheets for the steps that went wrong."""
