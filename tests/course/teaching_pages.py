"""How the pages of docs/teaching are read."""


def rows_of(text, heading):
    """The rows of the table under a heading, without its head."""
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
