"""The examples in the docstrings of the package."""

import doctest
import inspect
from collections.abc import Iterator
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


DOCS = dict(
    found
    for name in ["__doc__", *tak_engine.__all__]
    for found in ([(name, tak_engine.__doc__)] if name == "__doc__" else documented(name, getattr(tak_engine, name)))
    if ">>>" in (found[1] or "")
)


@pytest.mark.parametrize("name", DOCS)
def test_examples(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(DOCS[name], dict(vars(tak_engine)), name, None, 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)


def test_public_items_are_documented() -> None:
    bare = [name for name in tak_engine.__all__ if name not in ("WHITE", "BLACK", "Color") and not getattr(tak_engine, name).__doc__]
    assert not bare and len(DOCS) >= 30
