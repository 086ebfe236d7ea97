"""Oracle of heads switched off: the answer with all of them and without each, in plain loops."""

import loops
from paper import Known
from paper_translation import highest


def ablation(s):
    heads = [name.removesuffix(".Z") for name in s if name.endswith(".Z")]
    written = {head: s.write(f"{head}.O", loops.product(s[f"{head}.W_O"], s[f"{head}.Z"])) for head in heads}
    for off in (None, *heads):
        name = f"without_{off}" if off else "all_heads"
        R = s["x"]
        for head in heads:
            R = R if head == off else loops.add(R, written[head])
        s.write(f"{name}.R", R)
        logits = s.write(f"{name}.logits", loops.product(s["W_U"], R))
        s.write(f"{name}.letter", highest(logits))


TOPICS = {"ablation": ablation}


KNOWN = (
    Known("rows-from-zero", "letter", lambda see, right: [[right[0][0] - 1]]),
    Known("number-for-its-row", "letter", lambda see, _: [[max(row[0] for row in see("logits"))]]),
    Known(
        "lowest-for-highest",
        "letter",
        lambda see, _: [[1 + min(range(3), key=lambda i: see("logits")[i][0])]],
    ),
)
