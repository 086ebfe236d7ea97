"""The queue of sheets to mark, and the processes that mark them."""
