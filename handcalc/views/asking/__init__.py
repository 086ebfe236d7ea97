"""What a question is asked on: a module for each kind, for the page and for readers without a kernel."""
