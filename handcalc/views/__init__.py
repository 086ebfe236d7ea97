"""What people look at. Each view reads the record and the layout, and knows no formula by name."""
