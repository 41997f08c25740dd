"""What kind of file a path names: code that can be tried, other code, configuration, a document, a test.

Rule: pure; by the name alone, and for a script without an ending by its first line.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ccc.base.patterns import pattern


def _endings(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Languages for which a test, a build or at least a run is at hand wherever they are written.
RUNNABLE = _endings(
    """
    py pyx pyi js jsx mjs cjs ts tsx mts cts vue svelte astro go rs c h cc cpp cxx c++ hpp hh hxx m mm java kt kts
    scala sc groovy rb php swift cs fs fsx vb dart lua pl pm r jl ex exs erl hrl hs lhs ml mli elm clj cljs cljc nim zig
    d v cr pas f f90 f95 asm s sh bash zsh fish awk tcl rkt scm lisp el sol cu coffee hx raku ada adb vala gleam
    """
)
_OTHER_CODE = _endings(
    """
    ipynb sql html htm xhtml css scss sass less styl pug jade ejs erb hbs mustache twig liquid jinja j2 haml slim razor
    cshtml jsp ps1 psm1 bat cmd vbs vim proto thrift graphql gql glsl vert frag hlsl wgsl metal cl nix cmake mk gradle
    bzl rego applescript ino pde gd qml sv svh vhd vhdl
    """
)
# Of these what a machine runs or builds; the rest is looked at.
_EXECUTED = _endings(
    """
    ipynb sql ps1 psm1 bat cmd vbs proto thrift glsl vert frag hlsl wgsl metal cl nix cmake mk gradle bzl rego ino pde
    gd sv svh vhd vhdl
    """
)
_DOCUMENTS = _endings("md mdx rst adoc txt tex org pdf docx csv tsv log png jpg jpeg gif svg webp ico license")
_CODE_NAMES = pattern(
    r"(?i)^(?:GNU)?makefile$|^dockerfile|^containerfile|\.dockerfile$|^(?:rake|vagrant|jenkins|just|pod|fast)file$"
    r"|^cmakelists\.txt$|^build(?:\.bazel)?$|^sconstruct$"
)
_DOCUMENT_NAMES = pattern(
    r"(?i)^(?:readme|license|licence|copying|notice|authors|changelog|changes|todo|contributing)\b"
)
_TESTS = pattern(
    r"(?:^|/)(?:tests?|__tests__|specs?|e2e|testing)/|(?:^|/)(?:test_[^/]*|conftest)\.\w+$"
    r"|[^/]*(?:[_.-](?:tests?|spec|e2e)|Tests?|Spec|IT)\.\w+$"
)


def is_code(path: str, content: str = "") -> bool:
    """Whether this is a source file: configuration and documents are not, a script without an ending is."""
    name = _name(path)
    if ending(path) in RUNNABLE or ending(path) in _OTHER_CODE or _CODE_NAMES.search(name):
        return True
    return "." not in name and content.startswith("#!")


def is_runnable(path: str) -> bool:
    return ending(path) in RUNNABLE


def is_executed(path: str) -> bool:
    """Whether it is other code that something runs or builds, where whatever does may not be at hand."""
    return ending(path) in _EXECUTED or bool(_CODE_NAMES.search(_name(path)))


def is_document(path: str) -> bool:
    """Whether nothing that runs or builds reads it."""
    return not is_code(path) and (ending(path) in _DOCUMENTS or bool(_DOCUMENT_NAMES.search(_name(path))))


def is_test(path: str) -> bool:
    return is_code(path) and bool(_TESTS.search(path.replace("\\", "/")))


def ending(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).suffix.lstrip(".").lower()


def same(one: str, other: str) -> bool:
    """Whether both name one file, as far as the shorter of them tells."""
    first, second = (re.split(r"[\\/]+", path.strip().removeprefix("./")) for path in (one, other))
    short, long = sorted((first, second), key=len)
    return bool(short[-1]) and long[-len(short) :] == short


def _name(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name
