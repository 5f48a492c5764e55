"""Reads all shipped content and plays it; prints which reader and which machine did that, and the results' digests.

`benchmarks.compiled` compares a compiled build with its sources by these digests.
"""

from __future__ import annotations

from benchmarks.compiled import games, readings


def all_digests() -> list[str]:
    """Return the digests of all shipped games, each checked and compiled once: of what is read, then of games."""
    from fcbdsl.language.compiler import lower
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.project.project import check_loaded, load_all

    out = []
    for loader in load_all():
        model, problems = check_loaded(loader)
        model.lent = ()  # the systems beside the build are not the project's own: problems would have other places
        program = lower(model)
        out += readings.digests(model, problems, program)
        out += games.digests(Image(program), most=games.MOST_DECISIONS)
    return out


if __name__ == "__main__":
    from fcbdsl.language.model import check
    from fcbdsl.machine.vm import game

    print(check.__file__, game.__file__, *all_digests())
