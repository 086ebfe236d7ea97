"""What a matrix remembers of its making, and calculations put together of matrices."""
