"""Mistakes in a project's own files."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class BadProjectFile(Diagnostic):
    code = "FCB0803"
    title = "Project file not understood"
    cause = "The project file can't be used as it is: {what}."
    help = (
        "It may say `language`, `name`, `title`, `games`, `paths`, `tests`, `rules`, `mutation`, `languages`, "
        "`translations`, `[variants]` with a value for each variant, or `[variants.GAME]` for one of several games, "
        "`[severity]` with `error`, `warning` or `off` for codes of warnings, `[coverage]` with `at-least`, and "
        "`[wins]` (or `[wins.GAME]`) with bands such as `55%..75%` for missions."
    )
    bad = """
        name = "my-pack"
        path = ["cards"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """


class MissingPath(Diagnostic):
    code = "FCB0804"
    title = "A path of the project that does not exist"
    cause = "There is no `{name}` in the project, which `{key}` of the project file names."
    help = "Paths are seen from the folder of the project file. Correct the path, or leave it out."
    explanation = """
        What `paths`, `tests` and `rules` name must be there: of a folder that is misspelt nothing would be checked,
        played or printed, and nobody would be told. What they would be without the key (`cards`, `missions` and
        `tests`) may be missing.
    """
    bad = """
        name = "my-pack"
        paths = ["crads"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """


class SkippedFile(Diagnostic):
    code = "FCB0822"
    severity = "warning"
    title = "File that fcb skips"
    cause = "fcb skips this file: {why}."
    help = "Move it to `cards`, `missions` or `tests`, name its folder in `paths` of the project file, or delete it."
    explanation = """
        fcb reads the files that end in `.fcb` in the folders that `paths` and `tests` name, and in `systems` and
        `packs`. It skips names that begin with a dot and the folder `__MACOSX`.
    """
    bad = "# extras/ghost.fcb, in a project whose paths are `cards` and `missions`"
    good = "use core  # in cards/ghost.fcb"


class UnusedSystem(Diagnostic):
    code = "FCB0821"
    severity = "warning"
    title = "System or pack that no file uses"
    cause = "No file uses `{name}`, so fcb did not check it."
    help = "Write `use {name}` in a file of `cards` or `missions`, or remove it from the project."
    explanation = """
        fcb reads a system or a pack when a file uses it. A project that uses no system at all is checked with all of
        its own systems; else those that no file uses are left out.
    """
    bad = "# systems/ebb.fcb, and no file with `use ebb`"
    good = "use core  # the system's name, in a file of cards"


class UnsaidLanguage(Diagnostic):
    code = "FCB0805"
    severity = "warning"
    title = "No version of the language"
    cause = "The project file does not say in which version of the language the project is written: {current} is taken."
    help = "Add a line `language = {current}`; a project written for an older fcb is brought there by `fcb migrate`."
    explanation = """
        The language changes, and some changes give old lines another meaning. With its version in the project file, a
        later fcb knows that the sources must be migrated first, instead of playing another game than was written.
        `docs/changes.md` tells what has changed from version to version.
    """
    bad = """
        name = "my-pack"
    """
    good = """
        language = 2
        name = "my-pack"
    """


class OldLanguage(Diagnostic):
    code = "FCB0806"
    title = "Written in an older version of the language"
    cause = "The project is written in version {version} of the language; this fcb reads version {current}."
    help = "`fcb migrate` rewrites what has changed since, and shows it; `fcb migrate --check` only shows it."
    bad = """
        language = 1
        name = "my-pack"
    """
    good = """
        language = 2
        name = "my-pack"
    """


class NewLanguage(Diagnostic):
    code = "FCB0807"
    title = "Written in a version of the language that is not known"
    cause = "The project is written in version {version} of the language; this fcb reads version {current}."
    help = "Use an fcb that reads version {version}, or correct the number."
    bad = """
        language = 99
        name = "my-pack"
    """
    good = """
        language = 2
        name = "my-pack"
    """


class UnavailableLanguage(Diagnostic):
    code = "FCB0818"
    title = "Language that the game does not have"
    cause = "The game has no words in `{code}`; it has {known}."
    help = "{way}"
    explanation = """
        Each language that `languages` lists must be one that the game has, or one for which the project has a file of
        translations. `fcb i18n export de -o translations/de.po` writes such a file with every text to translate. fcb
        itself must know the grammar of the language, too; `docs/translating.md` lists the languages.
    """
    bad = "# reported at `fcb.toml`"
    good = "# reported at `fcb.toml`"


class NotMigrated(Diagnostic):
    code = "FCB0808"
    severity = "warning"
    title = "A place that must be migrated by a person"
    cause = "This can't be rewritten without knowing what is meant: {why}."
    help = "Change it by hand, then run `fcb migrate` again; `docs/changes.md` shows before and after."
    bad = "# found by `fcb migrate` alone"
    good = "# found by `fcb migrate` alone"


class RefusedProgram(Diagnostic):
    code = "FCB0809"
    title = "The compiled program is refused"
    cause = "What is compiled of this may not run: {finding}."
    help = "Programs are bounded: make fewer or smaller things of it."
    explanation = """
        Every program is verified before it runs. What the verifier refuses most often is a bound: a map that is too
        large, too many things, a cost that is too high. If no bound is named, it is a bug in fcb.
    """
    bad = "# found by `fcb check` in what it compiles"
    good = "# found by `fcb check` in what it compiles"


class UnreadableFile(Diagnostic):
    code = "FCB0812"
    title = "A file that is not read"
    cause = "This file is not read: {why}."
    help = "Files are ordinary files of at most four million bytes, sources of at most 20,000 lines without comments."
    bad = "# found in folders alone"
    good = "# found in folders alone"


class UnlistedProblems(Diagnostic):
    code = "FCB0823"
    title = "More problems than a report lists"
    cause = "{errors} more errors and {warnings} more warnings are not listed."
    help = "Correct those that are listed, then check again."
    explanation = """
        A report for tools lists the first 2,000 problems, by file and place. This one counts the others, and its place
        is that of the first of them.
    """
    bad = "# found in projects with thousands of problems"
    good = "# found in projects with thousands of problems"


class OutsideProject(Diagnostic):
    code = "FCB0813"
    title = "Something that lies outside of the project"
    cause = "`{name}` leads out of the project's folder, and is not read."
    help = "Put it into the project. To look at files from elsewhere, name them: `fcb check PATHS`."
    explanation = """
        A project is what lies in its folder. Whoever takes over a project from others should not have files of his own
        read, and shown in messages, because a path or a link in it says so.
    """
    bad = """
        name = "my-pack"
        paths = ["../elsewhere"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """
