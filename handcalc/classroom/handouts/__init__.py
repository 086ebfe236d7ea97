"""What a class is given: sheets and keys on paper, notebooks, links."""
