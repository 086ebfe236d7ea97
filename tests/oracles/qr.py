"""Oracle of QR codes: read without segno; ISO/IEC 18004, byte mode, versions 1 to 6, no wrong bit mended."""

FORMAT_MASK = 0b101010000010010
LEVELS = {0b01: "L", 0b00: "M", 0b11: "Q", 0b10: "H"}
DATA = {  # version and level: bytes of data in each block (table 9)
    (1, "L"): [19], (1, "M"): [16], (1, "Q"): [13], (1, "H"): [9],
    (2, "L"): [34], (2, "M"): [28], (2, "Q"): [22], (2, "H"): [16],
    (3, "L"): [55], (3, "M"): [44], (3, "Q"): [17, 17], (3, "H"): [13, 13],
    (4, "L"): [80], (4, "M"): [32, 32], (4, "Q"): [24, 24], (4, "H"): [9] * 4,
    (5, "L"): [108], (5, "M"): [43, 43], (5, "Q"): [15, 15, 16, 16], (5, "H"): [11, 11, 12, 12],
    (6, "L"): [68, 68], (6, "M"): [27] * 4, (6, "Q"): [19] * 4, (6, "H"): [15] * 4,
}  # fmt: skip
MASKS = [
    lambda i, j: (i + j) % 2, lambda i, j: i % 2, lambda i, j: j % 3, lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2, lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2, lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
]  # fmt: skip


def text_of(modules):
    """What a code says, by its rows of "0" and "1"."""
    size = len(modules)
    version = (size - 17) // 4
    assert {len(row) for row in modules} == {size}
    assert size == 17 + 4 * version
    _assert_finders(modules, size)
    level, mask = _format(modules)
    bits = [
        int(modules[i][j]) ^ (MASKS[mask](i, j) == 0) for i, j in _way(size) if not _is_fixed(i, j, version)
    ]
    words = [int("".join(map(str, bits[k : k + 8])), 2) for k in range(0, len(bits) - 7, 8)]
    return _said(_in_order(words, DATA[version, level]))


def _assert_finders(modules, size):
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for i, j in ((0, 0), (0, size - 7), (size - 7, 0)):
        assert [row[j : j + 7] for row in modules[i : i + 7]] == finder
    assert modules[6][8 : size - 8] == ("10" * size)[: size - 16]


def _format(modules):
    """The level of correction and the mask; its ten check bits must be right."""
    across = [*range(6), 7, 8]
    read = [modules[8][j] for j in across] + [modules[i][8] for i in (7, 5, 4, 3, 2, 1, 0)]
    word = int("".join(read), 2) ^ FORMAT_MASK
    rest = word
    for place in range(14, 9, -1):
        rest ^= (rest >> place & 1) * (0b10100110111 << (place - 10))
    assert rest == 0
    return LEVELS[word >> 13], word >> 10 & 7


def _way(size):
    """Up and down in pairs of columns, from the right; the column of the timing pattern is left out."""
    rights = [*range(size - 1, 6, -2), 5, 3, 1]
    for count, right in enumerate(rights):
        rows = range(size - 1, -1, -1) if count % 2 == 0 else range(size)
        for i in rows:
            yield i, right
            yield i, right - 1


def _is_fixed(i, j, version):
    size = 17 + 4 * version
    corner = (i < 9 and j < 9) or (i < 9 and j >= size - 8) or (i >= size - 8 and j < 9)
    middle = size - 7
    aligned = version > 1 and abs(i - middle) <= 2 and abs(j - middle) <= 2
    return corner or i == 6 or j == 6 or aligned


def _in_order(words, sizes):
    """The data of each block after the other; on the code they take turns."""
    blocks = [[] for _ in sizes]
    waiting = iter(words)
    for turn in range(max(sizes)):
        for block, size in zip(blocks, sizes, strict=True):
            if turn < size:
                block.append(next(waiting))
    return [word for block in blocks for word in block]


def _said(words):
    bits = "".join(f"{word:08b}" for word in words)
    assert bits[:4] == "0100"  # bytes
    count = int(bits[4:12], 2)
    return bytes(int(bits[12 + 8 * k : 20 + 8 * k], 2) for k in range(count)).decode()
