"""ccc.json, and starting claude with one of its providers."""
