"""What axe-core holds against a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from lab import DRAWN
from playwright.sync_api import Page

CORE = Axe()
# To look at the colours of each text takes seconds where there are many: the rules in two parts.
COLOURS = {"runOnly": ["color-contrast"]}
ALL_BUT_COLOURS = {"rules": {"color-contrast": {"enabled": False}}}
# Of the findings only what is broken seriously, and how many rules have looked at anything at all.
RUN = """async (options) => {
  const { violations, passes } = await axe.run(document, options);
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const line = (id, { html, failureSummary }) => `${id}: ${html.slice(0, 120)}: ${failureSummary}`;
  const told = ({ id, nodes }) => nodes.map((node) => line(id, node));
  return [violations.length + passes.length, serious.flatMap(told)];
}"""


def violations(page: Page, **options: Any) -> list[str]:
    """What axe-core holds for serious or critical; options are those of axe.run."""
    page.evaluate(DRAWN)  # else axe-core takes every text for hidden
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(CORE.axe_script)
    count, broken = page.evaluate(RUN, {"resultTypes": ["violations"], "preload": False} | options)
    assert count, "axe has looked at nothing"
    return broken
