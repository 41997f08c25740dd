"""Write the labelled cases as files for `ccc eval`: `python -m tests.eval FOLDER`; without FOLDER those that ship."""

from __future__ import annotations

import json
import sys
import tempfile
import uuid
import zipfile
from pathlib import Path

from ccc.trial import evaluation
from tests.eval import clients, may_stop, must_go_on

VERSION = "2.1.325"


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for case in (*must_go_on.CASES, *may_stop.CASES):
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, case.id))
        (folder / f"{case.id}.jsonl").write_bytes(resumable(clients.transcript(case, VERSION), session))
        listed.append({"id": case.id, "label": case.label, "session_id": session})
    (folder / "cases.json").write_text(json.dumps(listed, indent=1))


def ship(path: Path) -> None:
    """The same cases as one file, which the same cases make the same."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        write(Path(folder))
        for each in sorted(Path(folder).iterdir()):
            info = zipfile.ZipInfo(each.name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, each.read_bytes())


def resumable(transcript: bytes, session: str) -> bytes:
    """The transcript with ids that the client follows: one session, each line the child of the one before."""
    lines, parent = [], None
    for number, text in enumerate(transcript.splitlines()):
        line = {**json.loads(text), "sessionId": session}
        if "uuid" in line:
            own = str(uuid.uuid5(uuid.UUID(session), str(number)))
            line |= {
                "uuid": own,
                "parentUuid": parent,
                "timestamp": f"2026-11-16T00:{number // 60:02}:{number % 60:02}.000Z",
            }
            parent = own
        lines.append(json.dumps(line, ensure_ascii=False))
    return "\n".join(lines).encode() + b"\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        write(Path(sys.argv[1]))
    else:
        ship(evaluation.OWN_CASES)
