"""The questions of the lessons, asked before their answers are seen."""
