"""What the browser keeps until it is in the file: rubbish under the same name does not stop practice."""

import json

import pytest

OPENED = """({ outbox }, stored) => {
  const kept = { text: stored };
  globalThis.localStorage = {
    getItem: () => kept.text,
    setItem: (_, text) => { kept.text = text; },
    removeItem: () => { kept.text = null; },
  };
  try {
    const box = new outbox.Outbox("file", "code");
    const found = box.entries;
    box.add("E", 1, 0, "2");
    box.confirm({ E: { "0,0": "1" } });
    return [found, kept.text];
  } finally {
    delete globalThis.localStorage;
  }
}"""


@pytest.mark.parametrize(
    "rubbish", ["null", "3", '"x"', "[]", "[1]", "{", '{"a": "1"}', '{"E,0": "1"}', '{"E,0,0": 5}', None]
)
def test_rubbish_is_passed_over(node, rubbish):
    assert node(OPENED, rubbish) == [[], json.dumps({"E,1,0": "2"}, separators=(",", ":"))]


def test_what_waits_is_there_again_until_the_file_has_it(node):
    stored = {"E,0,0": "1", "a,b\u2028,2,3": "x", "bad": "4", "__proto__,0,0": "7"}
    found, kept = node(OPENED, json.dumps(stored))
    assert found == [["E", 0, 0, "1"], ["a,b\u2028", 2, 3, "x"], ["__proto__", 0, 0, "7"]]
    assert json.loads(kept) == {"a,b\u2028,2,3": "x", "__proto__,0,0": "7", "E,1,0": "2"}
