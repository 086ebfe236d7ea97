"""The map of a calculation: a block diagram drawn from the record, never by hand.

`plan.plan` reads the record (`tree`, `siblings`) and lays it out once (`layout`, `columns`, `ranks`, `level`,
`routes`); `svg.svg` and `figure.figure` draw what it found, `page` for pages of every width.
"""
