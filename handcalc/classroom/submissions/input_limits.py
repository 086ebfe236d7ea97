"""Size limits of submissions: far more than anybody writes, and little enough to read at once."""

MEGABYTE = 1_000_000
MAX_FILE_BYTES = 20 * MEGABYTE  # of a file, and of a file in a .zip
MAX_UNPACKED_BYTES = 10_000 * MEGABYTE  # unpacked from a .zip, nested ones included; one file at a time
MAX_FILES = 200_000  # of a folder; of a .zip, a tenth
MAX_PACKED_FILES = 20_000
MAX_ZIP_LIST_BYTES = 10 * MEGABYTE  # of the list of files in a .zip, which is in memory as a whole
MAX_UNPACK_RATIO = 200  # the size of a packed file, unpacked, in times its own
MAX_FOLDER_DEPTH = 20
MAX_ARCHIVE_DEPTH = 2  # Moodle packs one .zip for all, with the learners' own in it
MAX_JSON_VALUES = 1_000_000  # of a notebook's JSON, pictures and outputs among them
MAX_LINES = 1_000_000  # of a log or a table
MAX_LINE_LETTERS = 100_000  # letters of a line in a table
MAX_CELLS = 5_000
MAX_CELL_LETTERS = 200_000
MAX_CODE_LETTERS = 1_000_000  # of all cells with code
MAX_ANSWERED_STEPS = 1_000  # of one dictionary of answers
MAX_LIST_DEPTH = 4
MAX_FOREIGN_CODES = 1_000  # different codes looked at in a file, if none is of the class
MAX_SENTENCES = 20  # about one sheet
