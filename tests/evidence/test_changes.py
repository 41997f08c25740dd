from __future__ import annotations

from ccc.evidence.changes import Change, Pair, change_of, pairs
from tests.tables import each

CODE, LITERALS, PROSE, NONE = Change.CODE, Change.LITERALS, Change.PROSE, Change.NONE


@each(
    "path, old, new, change",
    [
        ("a.py", "x = 1", "x = 1", NONE),
        ("a.py", "# one\nx = f()", "# two\nx = f()", PROSE),
        ("a.py", "x = f()  # one", "x = f()  # two", PROSE),
        ("a.tsx", "<b>Save</b>", "<b>Save all</b>", LITERALS),
        ("a.tsx", "<b>Hello {name}, hi</b>", "<b>Hello {name}, welcome</b>", LITERALS),
        ("a.tsx", '<div className="w-4">', '<div className="w-8 p-2">', LITERALS),
        ("a.tsx", "width={200}", "width={240}", LITERALS),
        ("a.tsx", "<b>Save</b>", "<b onClick={go}>Save</b>", CODE),
        ("a.tsx", "Submit order", "Place order", LITERALS),
        ("a.tsx", "return 1", "return 2", CODE),
        ("a.py", "LIMIT = 1", "LIMIT = 9", LITERALS),
        ("a.py", "retries = 3", "retries = 5", LITERALS),
        ("a.py", "i = 0", "i = 1", CODE),
        ("a.py", "if n > 3:", "if n > 4:", CODE),
        ("a.py", "return 1", "return 2", CODE),
        ("a.py", "range(1, n)", "range(0, n)", CODE),
        ("a.js", "setTimeout(f, 500)", "setTimeout(f, 800)", LITERALS),
        ("a.py", 'say("hi")', 'say("hello")', LITERALS),
        ("a.py", 'if s == "a":', 'if s == "b":', CODE),
        ("a.py", 'x["a"]', 'x["b"]', CODE),
        ("a.py", '{"a": 1}', '{"b": 1}', CODE),
        ("a.ts", 'import x from "./a"', 'import x from "./b"', CODE),
        ("a.py", 'f"{a} items"', 'f"{a} things"', LITERALS),
        ("a.py", 'f"{a} items"', 'f"{b} items"', CODE),
        ("a.py", 'run("SELECT a FROM t")', 'run("SELECT b FROM t")', CODE),
        ("a.go", 'fmt.Printf("%d rows", n)', 'fmt.Printf("%s rows", n)', CODE),
        ("a.py", "x = True", "x = False", CODE),
        ("a.jsx", "歡營光臨", "歡迎光臨", LITERALS),
        ("a.py", "Привет", "Здравствуйте", LITERALS),
        ("a.py", "alpha", "beta", CODE),
        ("a.swift", ".font(.title2)", ".font(.title)", LITERALS),
        ("a.kt", "fontWeight = FontWeight.Medium", "fontWeight = FontWeight.Bold", LITERALS),
        ("a.kt", "Modifier.padding(8.dp)", "Modifier.padding(16.dp)", LITERALS),
        ("a.kt", "state = State.Open", "state = State.Closed", CODE),
        ("a.py", "a.font(x)", "b.font(x)", CODE),
    ],
)
def test_an_edit_is_weighed_by_the_kinds_of_its_tokens(path: str, old: str, new: str, change: Change) -> None:
    assert change_of(path, [Pair(old, new)]) is change


def test_a_new_file_of_texts_alone_is_a_document_whatever_its_ending() -> None:
    assert change_of("p.ts", [Pair(None, "export const P = `" + "Be kind. " * 50 + "`\n")]) is LITERALS
    assert change_of("p.ts", [Pair(None, "export const f = (a) => a + 1\n")]) is CODE
    assert change_of("p.sh", [Pair(None, "# nothing\n")]) is CODE


def test_whoever_made_the_tool_its_edits_are_read() -> None:
    assert pairs({"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}]}) == (Pair("a", "b"),)
    assert pairs({"relative_path": "a.py", "body": "x"}) == (Pair(None, "x"),)
    assert pairs({"element": "Save"}) == ()
