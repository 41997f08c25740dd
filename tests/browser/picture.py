"""Makes docs/images/report.png: python -m tests.browser.picture

Only when the page looks different: the picture is kept in the repository, not made by a test.
"""

from __future__ import annotations

import tempfile
from datetime import UTC
from pathlib import Path

from ccc.showing.report import page, words
from tests.browser import sample
from tests.browser.chromium import chromium

PICTURE = Path(__file__).parent.parent.parent / "docs" / "images" / "report.png"
WIDTH, HEIGHT = 920, 2150  # from the request to the first review that sends the agent back


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        root = Path(folder)
        sample.sample().write(root / "ccc", root / "transcript.jsonl")
        told = page.gather(root / "ccc", sample.SESSION, transcripts=root)
        (root / "report.html").write_text(page.render(told, words.words("en", UTC), made=sample.BEGUN.timestamp()))
        shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        shown.goto((root / "report.html").as_uri())
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        shown.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
