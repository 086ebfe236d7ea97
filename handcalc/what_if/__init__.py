"""A calculation as it would be with another scaling, mask, temperature or order, or without a part."""
