"""Options of print, and their contradictions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.records import dataclass
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.pieces.piece import COPIES
from fcbdsl.print.press.imposition import BACKS, CUTS, Laying
from fcbdsl.print.press.pdfx import NoProfile, profile_in
from fcbdsl.print.press.shops import shops

FORMS = ("pdf", "png", "html", "tts")
ON_SCREENS = ("html", "tts")
"""Forms that are no sheets of paper."""
INKS = ("full", "save")
"""Whether everything is drawn in color or, to save ink, in outline on white paper."""
SIGHTS = ("gray", "deutan")
"""Proofs that show pages as a gray printer prints them, and as color-blind players see them."""
THICKNESS = 0.32
"""Default thickness of a card in millimeters: for 300 g per square meter."""
DPI = 300
"""Default resolution of pictures, as print shops require."""
DEFAULT_BLEED = 3.0
"""Default bleed of one-up pages, in millimeters."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a print. Lengths are in millimeters.

    `bleed`: None chooses the largest that fits. `offset`: the shift of backs to the right and down. `one_up`: a page
    for each side of each piece, for print shops. `shop`: the print shop whose requirements replace the other options.
    `proof`: draw the cut and the safe zone. `sight`: one of `SIGHTS`; the pages have the colors that such a viewer
    sees. `ink`: one of `INKS`. `prepress`: print words in black ink only, and report the ink coverage. `profile`: the
    ICC profile of the printing press, for PDF/X-4. `cut_paths`: write paths for cutting machines beside the sheets.
    `boxes`, `dividers`: print deck boxes and dividers, for cards of a `thickness` in sleeves with a film of thickness
    `sleeve`.
    """

    paper: str = "a4"
    copies: str = "game"
    backs: str = "long"
    cut: str = "butt"
    bleed: float | None = None
    offset: tuple[float, float] = (0.0, 0.0)
    dpi: int = DPI
    one_up: bool = False
    shop: str = ""
    proof: bool = False
    sight: str = ""
    ink: str = "full"
    prepress: bool = False
    profile: Path | None = None
    cut_paths: bool = False
    boxes: bool = False
    dividers: bool = False
    thickness: float = THICKNESS
    sleeve: float = 0.0

    def laying(self) -> Laying:
        """Return how pieces are placed on paper. Landscape sheets have no room for the marks of cutting machines."""
        return Laying(papers()[self.paper], self.backs, self.cut, self.bleed, self.offset, across=not self.cut_paths)


def refusals(options: Options, form: str) -> Iterator[str]:
    """Yield the unknown and contradictory choices, in words."""
    plain = Options()
    for value, choices, what in (
        (form, FORMS, "form"),
        (options.paper, tuple(papers()), "paper"),
        (options.copies, COPIES, "number of copies"),
        (options.backs, BACKS, "way of printing backs"),
        (options.cut, CUTS, "cut"),
        (options.ink, INKS, "amount of ink"),
        (options.sight, ("", *SIGHTS), "proof"),
    ):
        if value not in choices:
            yield f"There is no {what} {value!r}. There are: {', '.join(choices)}."
    if not options.boxes and (options.thickness, options.sleeve) != (plain.thickness, plain.sleeve):
        yield "--thickness and --sleeve are for --boxes."
    if options.sight and (form != "png" or options.shop):
        yield f"--proof {options.sight} makes pictures to look at: use it with --to png and without --shop."
    if options.prepress and form != "pdf":
        yield f"--prepress is for PDF, not for {form.upper()}: pictures and pages of the web are in RGB."
    if options.profile is not None:
        yield from _of_press(options, options.profile)
    if options.shop:
        yield from _of_shop(options, form)
    elif options.dpi != DPI and form != "png":
        yield f"--dpi is for PNG, not for {form.upper()}, which has no pixels."
    on_sheets = {
        "--backs": options.backs != plain.backs,
        "--cut": options.cut != plain.cut,
        "--offset": options.offset != plain.offset,
        "--paper": options.paper != plain.paper,
        "--cut-paths": options.cut_paths,
        "--boxes": options.boxes,
        "--dividers": options.dividers,
    }
    given = [name for name, is_given in on_sheets.items() if is_given]
    if form in ON_SCREENS:
        given += ["--bleed"] * (options.bleed is not None) + ["--one-up"] * options.one_up + ["--proof"] * options.proof
        given += ["--ink"] * (options.ink != plain.ink)
        if given:
            yield f"{given[0]} is about sheets of paper, which {form.upper()} has not."
    elif options.one_up:
        if given:
            yield f"--one-up makes a page for each side of each piece: there is nothing for {given[0]} to say."
    elif options.cut_paths and options.backs == "fold":
        yield "--cut-paths is for sheets that lie flat; those of --backs fold are cut when they are glued."
    elif options.offset != plain.offset and options.backs in ("none", "fold"):
        yield f"--offset moves the backs of sheets that are printed on both sides; --backs {options.backs} has none."


def _of_press(options: Options, profile: Path) -> Iterator[str]:
    """Yield the contradictions to the ICC profile, and why the file is no profile."""
    if not options.prepress:
        yield "--profile is that of the press for --prepress."
    elif not (options.one_up or options.shop):
        yield "--profile makes PDF/X-4, whose pages say where they are cut: take --one-up or --shop, too."
    try:
        profile_in(profile)
    except (NoProfile, OSError) as error:
        yield f"`{profile.name}` can't be the profile of a press: {error}."


def _of_shop(options: Options, form: str) -> Iterator[str]:
    """Yield the unknown choices and contradictions of a shop."""
    shop = shops().get(options.shop)
    if shop is None:
        near = suggest(options.shop, list(shops()))
        hint = f"Did you mean {near}?" if near else f"There are: {', '.join(shops())}."
        yield f"There is no shop {options.shop!r}. {hint}"
        return
    if form != shop.form:
        yield f"{shop.title} takes {shop.form.upper()}, not {form.upper()}."
    plain = Options()
    for name in (
        "paper",
        "copies",
        "backs",
        "cut",
        "bleed",
        "offset",
        "dpi",
        "one_up",
        "cut_paths",
        "boxes",
        "dividers",
    ):
        if getattr(options, name) != getattr(plain, name):
            yield f"--shop says how {shop.title} prints: there is nothing for --{name.replace('_', '-')} to say."
