"""Views. Each one reads the record and the layout, and knows no formula by name."""
