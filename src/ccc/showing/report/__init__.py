"""The report as a page: what happened, what was changed, and the markup that shows it."""
