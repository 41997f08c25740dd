"""These stories are for `make test-clients`, which names the client; a plain run does not collect them."""

import os

collect_ignore = [] if os.environ.get("CCC_TEST_CLIENT") else ["test_main_stories.py"]
