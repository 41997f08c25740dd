from __future__ import annotations

from ccc.evidence.checks_known import Kind, kind_of, kind_of_task
from ccc.evidence.shell_status import runs
from tests.tables import each


def kinds(command: str) -> list[Kind]:
    return [kind for run in runs(command) if (kind := kind_of(run.words))]


CHECKS = {
    Kind.TEST: """
pytest -q
python -m pytest tests/
python3.11 -m unittest discover
./.venv/bin/pytest
uv run --with x pytest -q
coverage run -m pytest
npm test
npm t
npm run test:unit -- --watch=false
yarn test
yarn workspace web test
pnpm -r test
bun test
npx vitest
node --test
node test/foo.test.js
node_modules/.bin/jest
go test ./...
go test -run TestX ./pkg
cargo test
cargo +nightly test
make test
ctest --test-dir build
mvn -q test
./mvnw -B verify
./gradlew :app:testDebugUnitTest
dotnet test
xcodebuild -scheme X test
./vendor/bin/phpunit
php artisan test
bundle exec rspec
bin/rails test
rake spec
mix test
tox -e py311
docker compose exec web pytest
docker run --rm -v x:y img go test ./...
kubectl exec pod -- pytest
./run_tests.sh
bash scripts/test.sh
python test_foo.py
python tests/run.py
python manage.py test
just test
nx test app
mise run test
mise run test:ci
npx playwright test
./build/unit_tests
hatch test
npm run check
""",
    Kind.BUILD: """
npm run build
pnpm --filter web build
yarn build
go build ./cmd/x
cargo build --release
make
make -C build -j 8
make -j8 all
make hello.o
cmake --build build
gradle assemble
swift build
gcc -o a a.c
g++-12 -std=c++20 a.cpp
javac A.java
php -l x.php
docker build .
docker compose build
bash -n x.sh
./scripts/build.sh
turbo run build
python -m py_compile a.py
find . -name '*.py' -exec python -m py_compile {} +
sbt compile
""",
    Kind.LINT: """
poetry run ruff check .
ruff .
npx --yes eslint src
npm --prefix web run lint
yarn --cwd web lint
go vet ./...
cargo clippy --all
golangci-lint run
pre-commit run -a
mise run lint
flutter analyze
shellcheck x.sh
terraform validate
nx run app:lint
make lint-all
""",
    Kind.TYPES: """
npx tsc --noEmit
pnpm tsc
bun run typecheck
$VENV/bin/python -m mypy src
git ls-files | xargs mypy
deno check x.ts
vendor/bin/phpstan analyse
cargo check
npm run type-check
""",
}
NO_CHECKS = """
echo pytest
pip install pytest
npm install jest
npm ci
npm start
npm run dev
npm run format
npm run format:check
npm run
npm view jest
prettier --check .
black --check .
ruff format --check .
cargo fmt --check
gofmt -l .
mise run fmt
go run .
cargo run
python app.py
python -c "import pytest"
node index.js
pytest --version
pytest --collect-only -q
go version
make clean
make run
make install
make fmt
make -n test
which pytest
command -v pytest
grep -rn "go test" .
git commit -m "run go test"
git log --grep pytest
cat test_foo.py
ls tests/
rm -rf build
./app
./build/app
cmake -S . -B build
docker ps
docker compose up -d
docker run --name test img
docker exec db psql -c 'select make'
sudo apt install make
curl localhost/test
cd tests
sed -i s/a/b/ tests/x.py
vim Makefile
./scripts/deploy.sh
python scripts/latest.py
python contest.py
python check_balance.py
terraform plan
test -f x
[ -f x ]
go mod tidy
uv sync
uv pip install pytest
git checkout test
head test.py
sh -c 'echo make test'
pre-commit install
webpack serve
ninja clean
go install example.com/tool@latest
""".strip().split("\n")


@each("command, kind", [(line, kind) for kind, lines in CHECKS.items() for line in lines.strip().split("\n")])
def test_checks_are_known_by_their_kind(command: str, kind: Kind) -> None:
    assert kind in kinds(command)


@each("command", NO_CHECKS)
def test_what_is_no_check_is_none(command: str) -> None:
    assert kinds(command) == []


def test_a_task_is_judged_by_its_name() -> None:
    assert kind_of_task("test:unit") is Kind.TEST
    assert kind_of_task("type-check") is Kind.TYPES
    assert kind_of_task("format:check") is None
    assert kind_of_task("latest") is None
