"""Size limits of submissions: far more than anybody writes, and little enough to read at once."""

MEGABYTE = 1_000_000
MAX_FILE_BYTES = 20 * MEGABYTE  # of a file, and of a file in a .zip
MAX_UNPACKED_BYTES = 10_000 * MEGABYTE  # that a .zip unpacks to, with those in it; one file at a time
MAX_FILES = 200_000  # of a folder; of a .zip, a tenth
MAX_PACKED_FILES = 20_000
MAX_ZIP_LIST_BYTES = 10 * MEGABYTE  # of the files in a .zip: it is in memory as a whole
MAX_UNPACK_RATIO = 200  # how many times as large a packed file may become
MAX_FOLDER_DEPTH = 20
MAX_ARCHIVE_DEPTH = 2  # Moodle packs one .zip for all, with those of the learners in it
MAX_JSON_VALUES = 1_000_000  # of a notebook's JSON, pictures and outputs among them
MAX_LINES = 1_000_000  # of a log or a table
MAX_LINE_LETTERS = 100_000  # letters of a line in a table
MAX_CELLS = 5_000
MAX_CELL_LETTERS = 200_000
MAX_CODE_LETTERS = 1_000_000  # of all cells with code
MAX_ANSWERED_STEPS = 1_000  # of one dictionary of answers
MAX_LIST_DEPTH = 4
MAX_FOREIGN_CODES = 1_000  # different ones in a file that are looked at, if they are none of the class
MAX_SENTENCES = 20  # about one sheet
