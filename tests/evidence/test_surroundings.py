"""What a machine lacks that no edit can give."""

from __future__ import annotations

from ccc.evidence.surroundings import wants
from tests.tables import each

LACKING = """
dial tcp 127.0.0.1:5432: connect: connection refused
Error: PAY_SANDBOX_KEY is not set
KeyError: key not found: "GEO_KEY"
RuntimeError: Found no NVIDIA driver on your system.
License checkout failed. License Manager Error -15
Error: browserType.launch: Executable doesn't exist at /root/.cache/chrome
libGL.so.1: cannot open shared object file: No such file or directory
com.android.builder.testing.api.DeviceException: No connected devices!
botocore.exceptions.NoCredentialsError: Unable to locate credentials
"""
OWN = """
ModuleNotFoundError: No module named 'app.cart'
KeyError: 'name'
AssertionError: expected 2, got 1
TypeError: device is not a function
error TS2304: Cannot find name 'foo'.
"""


@each("line", LACKING.strip().split("\n"))
def test_what_no_edit_can_give_is_known(line: str) -> None:
    assert wants(f"some output\n{line}\n1 failed")


@each("line", OWN.strip().split("\n"))
def test_what_an_edit_can_give_is_a_failure(line: str) -> None:
    assert not wants(f"some output\n{line}\n1 failed")
