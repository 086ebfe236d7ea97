"""In a notebook without widgets the explorer in its frame acts: a number that is clicked is explained."""

import html

import pytest

import handcalc as hc
from handcalc.foundation import extras


@pytest.mark.slow
def test_a_number_that_is_clicked_in_the_frame_is_explained(open_text, monkeypatch):
    monkeypatch.setattr(extras, "has_extra", lambda _: False)
    page = open_text(hc.explore(hc.examples.self_attention())._repr_html_())
    frame = page.frame_locator("iframe")
    frame.locator('[data-step="Z"][data-row="1"][data-column="0"]').first.click()
    arithmetic = "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    frame.get_by_text(arithmetic).first.wait_for()
    assert 'pip install "handcalc[notebook]"' in html.unescape(page.inner_text("body"))
