"""What a teacher hands out: worksheets for paper and their keys, notebooks to fill."""
