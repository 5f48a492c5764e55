"""``fcb fmt``."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.records import dataclass
from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic

STDIN = Path("-")


@click.command("fmt", epilog="Example: fcb fmt --check cards/")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, allow_dash=True, path_type=Path))
@click.option(
    "--check", "only_look", is_flag=True, help="List the files that would change, and exit with 1 if there are any."
)
@click.option("--diff", "shown", is_flag=True, help="Show the changes as a diff, and exit with 1 if there are any.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], only_look: bool, shown: bool) -> None:
    """Format files. This sets indentation, spaces, blank lines, comments and drawings.

    The meaning and the comments of a file stay the same. fcb reports a file with syntax errors and does not change
    it. PATHS defaults to all files of the project; hidden folders are skipped. `-` reads standard input and writes
    to standard output.
    """
    if STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` is standard input; give no other paths with it.")
        ctx.exit(_piped(only_look, shown))
    files = [_laid_out(path) for path in _files(paths)]
    common.report([problem for file in files for problem in file.problems])
    changed = [file for file in files if file.after != file.before]
    for file in changed:
        if shown:
            click.echo(file.diff(), nl=False)
        elif only_look:
            click.echo(f"Would change {file.name}.")
        else:
            file.write()
            click.echo(f"Changed {file.name}.")
    broken = sum(bool(file.problems) for file in files)
    done = "would change" if only_look or shown else "changed"
    sums = f"{common.count(len(changed), 'file')} {done}, {len(files) - len(changed) - broken} already formatted"
    click.echo(f"{sums}{f', {broken} with syntax errors' if broken else ''}.", err=True)
    ctx.exit(PROBLEMS if broken or (changed and (only_look or shown)) else FINE)


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """A file (or standard input) before and after formatting, with the problems that prevent it."""

    name: str
    before: str
    after: str
    problems: tuple[Diagnostic, ...] = ()

    def write(self) -> None:
        """Write the file atomically."""
        from fcbdsl.base.files import source_path, write_atomically

        write_atomically(source_path(Path(self.name)), self.after.encode())

    def diff(self) -> str:
        """Return the changed lines, before and after."""
        before, after = (text.splitlines(keepends=True) for text in (self.before, self.after))
        rows = difflib.unified_diff(before, after, self.name, self.name)
        return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _piped(only_look: bool, shown: bool) -> int:
    """Format standard input."""
    from fcbdsl.base import bounds

    data = sys.stdin.buffer.read(bounds.FILE_BYTES + 1)
    if len(data) > bounds.FILE_BYTES:
        common.leave_with(f"Standard input has more than {bounds.FILE_BYTES:,} bytes.")
    file = _of_bytes("<stdin>", data)
    if file.problems:
        common.report(file.problems, err=True)
        return PROBLEMS
    if shown:
        click.echo(file.diff(), nl=False)
    elif not only_look:
        click.echo(file.after.encode(), nl=False)
    return PROBLEMS if (only_look or shown) and file.after != file.before else FINE


def _laid_out(path: Path) -> _LaidOut:
    """Format a file."""
    from fcbdsl.base import bounds
    from fcbdsl.base.diagnostics.files import OutsideProject, UnreadableFile
    from fcbdsl.base.files import CannotRead, LinkLeadsOut, read_regular, source_path
    from fcbdsl.base.source import Source, Span

    name = path.as_posix()
    try:
        return _of_bytes(name, read_regular(source_path(path), bounds.FILE_BYTES))
    except LinkLeadsOut:
        return _LaidOut(name, "", "", (OutsideProject(Span(Source(name, ""), 0, 0), name=name),))
    except CannotRead as error:
        return _LaidOut(name, "", "", (UnreadableFile(Span(Source(name, ""), 0, 0), why=error),))


def _of_bytes(name: str, data: bytes) -> _LaidOut:
    """Format the bytes of a file. Its line ends become those of the first line, and a byte-order mark is removed."""
    from fcbdsl.language.syntax.decoding import read_source
    from fcbdsl.language.syntax.formatting import CannotFormat, format_source

    source, problems = read_source(name, data)
    if source is None:
        return _LaidOut(name, "", "", tuple(problems))
    before = data.decode()
    try:
        after = format_source(source)
    except CannotFormat as mistakes:
        return _LaidOut(name, before, before, mistakes.problems)
    windows = data.find(b"\r\n") >= 0 and data.find(b"\n") == data.find(b"\r\n") + 1
    return _LaidOut(name, before, after.replace("\n", "\r\n") if windows else after)


def _files(paths: Sequence[Path]) -> list[Path]:
    """Return the files to format."""
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.project.paths import fcb_files
    from fcbdsl.project.project import own_files, projects_of

    if not paths:
        common.scope()
        here = Path.cwd()
        files = own_files(projects_of((), Problems()))
        return [path.relative_to(here) if path.is_relative_to(here) else path for path in files]
    files = [file for path in paths for file in fcb_files([path]) if not _hidden(file.relative_to(path))]
    return list(dict.fromkeys(files))


def _hidden(path: Path) -> bool:
    """Return whether a path leads through a hidden folder (the history, data of a tool) or to an installed package."""
    return any(part.startswith(".") or part in ("site-packages", "node_modules") for part in path.parts)
