"""The examples in the docstrings of the package, in its README and in its manual."""

import doctest
import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tak_engine


def documented(name: str, item: Any) -> Iterator[tuple[str, str]]:
    """The docstrings of a public item and of what it has."""
    if inspect.getdoc(item):
        yield name, inspect.getdoc(item) or ""
    if inspect.isclass(item):
        for member, value in vars(item).items():
            if not member.startswith("_") and (text := inspect.getdoc(value)):
                yield f"{name}.{member}", text


PROGRAM = os.environ.get("TAK_ENGINE", str(Path(__file__).parents[3] / "target/debug/tak-engine"))
PAGES = {"README": Path(__file__).parents[1] / "README.md", "manual": Path(__file__).parents[3] / "docs/python.md"}
TEXTS = [("the package", tak_engine.__doc__ or "")] + [(name, page.read_text("utf-8")) for name, page in PAGES.items()]
TEXTS += [found for name in tak_engine.__all__ for found in documented(name, getattr(tak_engine, name))]
DOCS = {name: text for name, text in TEXTS if ">>>" in text}


@pytest.mark.parametrize("name", DOCS)
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "TeiEngine.popen(" in DOCS[name]:
        if not Path(PROGRAM).exists() and "CI" not in os.environ:
            pytest.skip("the program is not built")
        monkeypatch.setenv("PATH", str(Path(PROGRAM).parent), prepend=os.pathsep)
    test = doctest.DocTestParser().get_doctest(DOCS[name], dict(vars(tak_engine)), name, None, 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)


def test_examples_have_types(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    for name, text in DOCS.items():
        # Without the errors that examples show.
        code = "".join(example.source for example in doctest.DocTestParser().get_examples(text) if not example.exc_msg)
        (tmp_path / f"{name.replace('.', '_').replace(' ', '_')}.py").write_text(f"from tak_engine import *\n{code}")
    said, _, status = mypy.run(["--python-executable", sys.executable, "--cache-dir", os.devnull, str(tmp_path)])
    assert status == 0, said


def test_public_items_are_documented() -> None:
    values = {"WHITE", "BLACK", "Color", "__version__"}
    bare = [name for name in tak_engine.__all__ if name not in values and not getattr(tak_engine, name).__doc__]
    for item in filter(inspect.isclass, map(vars(tak_engine).get, tak_engine.__all__)):
        own = [(name, value) for name, value in vars(item).items() if callable(value) or inspect.isdatadescriptor(value)]
        bare += [name for name, value in own if name[0] != "_" and not inspect.getdoc(value)]
    assert not bare and len(DOCS) >= 30 and DOCS.keys() >= PAGES.keys()
