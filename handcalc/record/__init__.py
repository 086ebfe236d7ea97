"""The record: matrices that remember their making, and calculations made of them."""
