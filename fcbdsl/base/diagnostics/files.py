"""Mistakes in a project's own files."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class BadProjectFile(Diagnostic):
    code = "FCB0803"
    title = "Invalid project file `fcb.toml`"
    cause = "The project file is not valid: {what}."
    help = (
        "Keys: `language`, `name`, `title`, `games`, `paths`, `tests`, `rules`, `mutation`, `languages`, "
        "`translations`. Tables: `[variants]`, `[severity]`, `[coverage]`, `[wins]`."
    )
    explanation = """
        `[variants]` gives each variant a value, `[severity]` makes a warning an `error`, a `warning` or `off`, and
        `[coverage]` has `at-least`. `[wins]` gives missions a target win rate, such as `55%..75%`. With `games`, write
        `[variants.GAME]` and `[wins.GAME]`.
    """
    bad = """
        name = "my-pack"
        path = ["cards"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """


class BadProjectSyntax(BadProjectFile):
    """A project file that is not TOML."""

    help = 'Each line is `key = value`. A text stands in quotes: `name = "my-pack"`; a list in brackets: `["a", "b"]`.'


class MissingPath(Diagnostic):
    code = "FCB0804"
    title = "Path in `fcb.toml` that does not exist"
    cause = "`{key}` in the project file names `{name}`, which does not exist."
    help = "Correct the path, or remove it. Paths begin at the folder of the project file."
    explanation = """
        fcb cannot check, play or print the files of a folder that is not there. Only the default folders (`cards`,
        `missions` and `tests`) may be missing.
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
    help = "{cure}"
    explanation = """
        fcb reads files that end in `.fcb` in the folders of `paths` and `tests`, and in `systems` and `packs`. It skips
        names that begin with a dot, and the folder `__MACOSX`.
    """
    bad = """
        # fcb.toml
        language = 2
        name = "ghosts"
        # cards/cards.fcb
        mark gate
        # extras/ghost.fcb
        mark door
    """
    good = """
        # fcb.toml
        language = 2
        name = "ghosts"
        # cards/cards.fcb
        mark gate
        # cards/ghost.fcb
        mark door
    """


class UnportableName(Diagnostic):
    code = "FCB0824"
    severity = "warning"
    title = "File name that other computers cannot have"
    cause = "Other computers cannot have the file name `{name}`: {why}."
    help = "Rename the file."
    explanation = """
        Windows and macOS ignore capitals in file names. If two names differ only in capitals, one file is lost
        when somebody unpacks or clones the project. Windows also reserves names such as `con`, and signs such as `:`.
    """
    bad = """
        # fcb.toml
        language = 2
        name = "ghosts"
        # cards/ghost.fcb
        mark gate
        # cards/Ghost.fcb
        mark door
    """
    good = """
        # fcb.toml
        language = 2
        name = "ghosts"
        # cards/ghost.fcb
        mark gate
        # cards/more-ghosts.fcb
        mark door
    """


class UnusedSystem(Diagnostic):
    code = "FCB0821"
    severity = "warning"
    title = "System or pack that no file uses"
    cause = "No file uses `{name}`, so no game contains it."
    help = "Write `use {name}` in a file of `cards` or `missions`, or remove it from the project."
    explanation = """
        fcb reads a system or pack when a file uses it. It checks the others one by one, and reports their errors as
        warnings. Missions and printed pages are not checked.
    """
    bad = """
        # fcb.toml
        language = 2
        name = "tides"
        # systems/flood.fcb
        system flood "Flood":
          languages: en
        # systems/ebb.fcb
        system ebb "Ebb":
          languages: en
        # cards/cards.fcb
        use flood
    """
    good = """
        # fcb.toml
        language = 2
        name = "tides"
        # systems/ebb.fcb
        system ebb "Ebb":
          languages: en
        # cards/cards.fcb
        use ebb
    """


class UnsaidLanguage(Diagnostic):
    code = "FCB0805"
    severity = "warning"
    title = "Missing language version in `fcb.toml`"
    cause = "The project file gives no version of the language; fcb assumes {current}."
    help = "Add the line `language = {current}`. If an older fcb wrote the project, run `fcb migrate`."
    explanation = """
        Some versions of the language change what a line means. With the version, a later fcb knows that it must migrate
        the project first. `fcb help changes` lists the changes.
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
    title = "Project in an older version of the language"
    cause = "The project uses version {version} of the language; this fcb reads version {current}."
    help = "Run `fcb migrate` to update the files; `fcb migrate --check` shows the changes first."
    explanation = """
        `fcb help changes` lists what each version of the language changes.
    """
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
    title = "Project in a newer version of the language"
    cause = "The project uses version {version} of the language; this fcb reads version {current}."
    help = "Install a newer fcb, or correct the number."
    explanation = """
        An older fcb cannot know what a newer version of the language means.
    """
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
    cause = "The game has no text in `{code}`; it has {known}."
    help = "{way}"
    explanation = """
        The game, or a file of translations in the project, must have each language of `languages`. `fcb i18n export de
        -o translations/de.po` writes a file with every text to translate. `fcb help translating` lists the languages
        whose grammar fcb knows.
    """
    bad = "# reported at `fcb.toml`"
    good = "# reported at `fcb.toml`"


class NotMigrated(Diagnostic):
    code = "FCB0808"
    severity = "warning"
    title = "Change that `fcb migrate` cannot make"
    cause = "`fcb migrate` cannot rewrite this: {why}."
    help = "Change it by hand, then run `fcb migrate` again. `fcb help changes` shows examples."
    explanation = """
        An old line can have two meanings in the new version of the language. Only the author knows the right one.
    """
    bad = "# found by `fcb migrate` alone"
    good = "# found by `fcb migrate` alone"


class RefusedProgram(Diagnostic):
    code = "FCB0809"
    title = "Compiled program over a limit"
    cause = "fcb cannot run the compiled program: {finding}."
    help = "Make it smaller: fewer copies, a smaller map, a shorter effect."
    explanation = """
        fcb verifies each program before it runs. Most often a size or a cost is over its limit. If the message names no
        limit, it is a bug in fcb.
    """
    bad = "# found by `fcb check` in what it compiles"
    good = "# found by `fcb check` in what it compiles"


class UnreadableFile(Diagnostic):
    code = "FCB0812"
    title = "Unreadable file"
    cause = "fcb cannot read this file: {why}."
    help = "Replace it by an ordinary file of at most 4 MB; a source has at most 20,000 lines without comments."
    explanation = """
        fcb reads ordinary files only, and limits their size, so that a pack from a stranger cannot block it.
    """
    bad = "# found in folders alone"
    good = "# found in folders alone"


class UnlistedProblems(Diagnostic):
    code = "FCB0823"
    title = "More problems than a report lists"
    cause = "This report leaves out {errors} more errors and {warnings} more warnings."
    help = "Correct the problems above, then check again."
    explanation = """
        A report for tools lists the first 2,000 problems. This one counts the others, and points at the first of them.
    """
    bad = "# found in projects with thousands of problems"
    good = "# found in projects with thousands of problems"


class OutsideProject(Diagnostic):
    code = "FCB0813"
    title = "Path that leads outside the project"
    cause = "`{name}` leads out of the project's folder, so fcb does not read it."
    help = "Move the file into the project. To check files elsewhere, name them: `fcb check PATHS`."
    explanation = """
        Without this rule a stranger's pack could show your other files through a path or a link.
    """
    bad = """
        name = "my-pack"
        paths = ["../elsewhere"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """
