from __future__ import annotations

from ccc.evidence.shell_status import runs
from ccc.evidence.trying import Shows, shown_by, shown_by_tool, went_wrong
from tests.tables import each

SHOWN = {
    Shows.NOTHING: """
git commit -am x && git push
git add -A; git status
cp a b
mv a b && rm c
mkdir -p x && chmod +x y
ls -la | grep x
find . -name x
cat a.py | head
sed -i s/a/b/ a.py
echo done
npm install
npx prettier --write .
cargo fmt
go mod tidy
dotnet restore
docker ps
node --version
pytest --collect-only
gh pr create --fill
systemctl daemon-reload
python -c "open('a','w').write('x')"
""",
    Shows.SYNTAX: """
python -m py_compile a.py
bash -n x.sh
node --check a.js
php -l x.php
""",
    Shows.SOMETHING: """
python app.py
./prog
curl -s localhost:8000
npm start
docker compose up -d
python -c "import app; app.run()"
gh run watch
psql -c 'select 1'
unknown-thing --go
""",
    Shows.CHECK: """
pytest -q
npm run build
cd x && go vet ./...
uv run mypy src
git bisect run make test
""",
}


@each("shows, line", [(shows, line) for shows, table in SHOWN.items() for line in table.strip().split("\n")])
def test_what_a_command_can_show(shows: Shows, line: str) -> None:
    assert shown_by(runs(line)) is shows


def test_a_commit_shows_what_its_hook_wrote() -> None:
    commit = runs("git commit -m 'add tests'")
    assert shown_by(commit, "[main 1a2b3c4] add tests\n 1 file changed") is Shows.NOTHING
    assert shown_by(commit, "pytest......Passed\n[main 1a2b3c4] add tests") is Shows.CHECK


def test_looking_tools_show_nothing_and_unknown_ones_may() -> None:
    assert shown_by_tool("Read") is shown_by_tool("mcp__fs__read_file") is Shows.NOTHING
    assert shown_by_tool("Agent") is shown_by_tool("mcp__playwright__browser_click") is Shows.SOMETHING


@each(
    "output, code, wrong",
    [
        ("HTTP/1.1 500 Internal Server Error\nx", 0, True),
        ("Traceback (most recent call last):\nKeyError: 1", 1, True),
        ("all 500 rows imported", 0, False),
        ("Error: connect ECONNREFUSED 127.0.0.1", 1, False),
        ("Traceback (most recent call last):", 124, False),
        ("usage: x", 2, False),
    ],
)
def test_a_run_that_did_not_work_says_so(output: str, code: int, wrong: bool) -> None:
    assert bool(went_wrong(output, code)) is wrong
