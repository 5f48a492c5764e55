"""Counts of unclear wording in texts that people read: idioms, clauses as subject, and long sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from imports import nodes_of

ROOT = Path(__file__).resolve().parents[2]
LONG = 30
"""Words of the longest sentence that is not counted as long."""
LEAST = 5
"""Words of the shortest sentence that is counted."""
IDIOMS = re.compile(
    r"\b(?:stands?|stood)\b(?! (?:up|in for|by|out|alone))"
    r"|\b(?:lies|lay|lying)\b|\b(?:tells?|told)\b|\b(?:says?|said)\b"
    r"|\b(?:nobody|whoever|whatever|whichever)\b|\botherwise\b|\banew\b|\bby lot\b|\bcomes? to\b"
    r"|\bof (?:its|their|one's|his|our|your|a) own\b|\bunless (?:said|named)\b|\bis meant\b|\b(?:he|him|his)\b",
    re.IGNORECASE,
)
OPENING = re.compile(r"^(?:What|Who|Whoever|Whatever|Which|Of|The same) (?!is |are |does |do )")
STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*', re.DOTALL
)
"""A string or a comment of Python. Matching strings first keeps a `#` inside them from being read as a comment."""
GENERATED = {"diagnostics.md", "bytecode.md", "cli.md"}
"""Pages that are made from the code; the texts in the code are counted instead, or separately."""


@dataclass(frozen=True)
class Figures:
    """Counts over one kind of text."""

    sentences: int
    idioms: int
    long: int

    def rates(self) -> tuple[float, float]:
        """Return idioms per 100 sentences, and the share of long sentences in percent."""
        whole = max(self.sentences, 1)
        return round(100 * self.idioms / whole, 1), round(100 * self.long / whole, 1)


def count(sentences: Iterable[str]) -> Figures:
    """Return the figures of some sentences."""
    seen = list(sentences)
    idioms = sum(len(IDIOMS.findall(sentence)) + bool(OPENING.match(sentence)) for sentence in seen)
    return Figures(len(seen), idioms, sum(len(sentence.split()) > LONG for sentence in seen))


def split(paragraph: str) -> Iterator[str]:
    """Yield the sentences of a paragraph."""
    text = re.sub(r"\s+", " ", paragraph).strip()
    for sentence in re.split(r"(?<=[.!?:]) +(?=[A-Z`*(])", text):
        if len(sentence.split()) >= LEAST:
            yield sentence


def of_markdown(text: str) -> Iterator[str]:
    """Yield the sentences of a page: paragraphs, items of lists and cells of tables, without code."""
    text = re.sub(r"^```.*?^```$", "\n\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)", text):
        if block.lstrip().startswith("#"):
            block = block.partition("\n")[2]
        if block.lstrip().startswith("|"):
            for cell in re.split(r"[|\n]", block):
                yield from split(cell)
        else:
            yield from split(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block))


def docstrings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the sentences of all docstrings among the nodes of a module, those of its attributes included."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for paragraph in re.split(r"\n\s*\n", node.value.value):
                yield from split(paragraph)


def comments(source: str) -> Iterator[str]:
    """Yield the sentences of the comments of a module."""
    for token in STRING_OR_COMMENT.findall(source):
        if token.startswith("#"):
            yield from split(token.lstrip("# "))


def help_texts() -> Iterator[str]:
    """Yield the sentences of the help of every command: its description and its options."""
    import click

    from fcbdsl.cli.main import cli

    def below(command: click.Command, context: click.Context) -> Iterator[str]:
        for paragraph in re.split(r"\n\s*\n", command.help or ""):
            yield from split(paragraph)
        for option in command.params:
            yield from split(getattr(option, "help", None) or "")
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from below(inner, click.Context(inner, parent=context, info_name=name))

    yield from below(cli, click.Context(cli, info_name="fcb"))


def texts() -> dict[str, Figures]:
    """Return the figures of each kind of text of the project."""
    pages = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in GENERATED]
    pages += [page for name in ("cookbook", "language") for page in sorted((ROOT / "docs" / name).glob("*.md"))]
    modules = sorted((ROOT / "fcbdsl").rglob("*.py"))
    tests = sorted((ROOT / "tests").rglob("*.py"))

    def read(paths: Iterable[Path]) -> Figures:
        return count(sentence for path in paths for sentence in of_markdown(path.read_text(encoding="utf-8")))

    return {
        "docs": read(pages),
        "top": read(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
        "changelog": read([ROOT / "CHANGELOG.md"]),
        "diagnostics": read([ROOT / "docs" / "diagnostics.md"]),
        "help": count(help_texts()),
        "docstrings": count(text for path in modules for text in docstrings(nodes_of(path))),
        "comments": count(text for path in modules for text in comments(path.read_text(encoding="utf-8"))),
        "tests": count(
            text
            for path in tests
            for text in (*docstrings(nodes_of(path)), *comments(path.read_text(encoding="utf-8")))
        ),
    }
