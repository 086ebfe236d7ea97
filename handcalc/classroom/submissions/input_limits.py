"""How large what is handed in may be: far more than anybody writes, and little enough to read at once."""

MEGABYTE = 1_000_000
MOST_BYTES = 20 * MEGABYTE  # of a file, and of a file in a .zip
MOST_PACKED_BYTES = 10_000 * MEGABYTE  # that a .zip unpacks to, with those in it; one file at a time
MOST_FILES = 200_000  # of a folder; of a .zip, a tenth
MOST_PACKED_FILES = 20_000
LONGEST_LIST = 10 * MEGABYTE  # of the files in a .zip: it is in memory as a whole
MOST_RATIO = 200  # how many times as large a packed file may become
DEEPEST_FOLDER = 20
DEEPEST_ARCHIVE = 2  # Moodle packs one .zip for all, with those of the learners in it
MOST_VALUES = 1_000_000  # of a notebook's JSON, pictures and outputs among them
MOST_LINES = 1_000_000  # of a log or a table
MOST_LINE = 100_000  # letters of a line in a table
MOST_CELLS = 5_000
MOST_CELL_LETTERS = 200_000
MOST_LETTERS = 1_000_000  # of all cells with code
MOST_NUMBERS = 10_000  # of one answer
MOST_LOOKED_AT = 200_000  # parts of expressions in a cell, and all that the names in them stand for
MOST_LOOKED_AT_IN_ALL = 5_000_000
DEEPEST_EXPRESSION = 100
DEEPEST_LIST = 4
MOST_TEXT = 100_000  # letters of one answer
MOST_CODES = 1_000  # different ones in a file that are looked at, if they are none of the class
MOST_SENTENCES = 20  # about one sheet
LONGEST_NAME = 200  # letters of a step's name, with its block's
