"""The folder of a class: its register, its numbers, its tables, and who may change them."""
