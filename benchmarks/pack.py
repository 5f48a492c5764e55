"""A pack of generated cards, once in the language and once as YAML with a JSON Schema: the peer's input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

IN_ONE_FILE = 2_500
"""The number of cards in a file, which may have 20,000 lines (`bounds.FILE_LINES`)."""
FAMILIES = ("blade", "club", "chain", "pistol", "smg", "rifle", "shotgun")
DICE = ("green", "yellow", "orange", "red", "black")
MANNERS = ("melee", "ranged")
EFFECTS = (
    ("Push target", {"do": "push", "of": "target"}),
    ("Bleed target", {"do": "bleed", "of": "target"}),
    ("Stun target", {"do": "stun", "of": "target"}),
    ("Impair target", {"do": "impair", "of": "target"}),
    ("Poison target", {"do": "poison", "of": "target"}),
)
"""A statement of the language, with its YAML data."""

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["id", "kind", "title", "family", "hands", "attacks"],
        "properties": {
            "id": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"},
            "kind": {"const": "weapon"},
            "title": {
                "type": "object",
                "additionalProperties": False,
                "required": ["en", "fr"],
                "properties": {"en": {"type": "string", "minLength": 1}, "fr": {"type": "string", "minLength": 1}},
            },
            "family": {"enum": list(FAMILIES)},
            "hands": {"type": "integer", "minimum": 0, "maximum": 2},
            "attacks": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["manner", "die", "damage"],
                    "properties": {
                        "manner": {"enum": ["melee", "off-melee", "ranged"]},
                        "die": {"enum": list(DICE)},
                        "damage": {"type": "integer", "minimum": 0},
                        "on-hit": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["do", "of"],
                                "properties": {
                                    "do": {"enum": [data["do"] for _, data in EFFECTS]},
                                    "of": {"const": "target"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def cards(count: int, first: int = 0, copies: int | None = None) -> str:
    """Return `count` weapon cards, numbered from `first`, as one file of the language.

    `copies`: the number of copies on each card; None: the cards do not give it.
    """
    several = [] if copies is None else [f"  copies: {copies}"]
    lines = ["use far-cry-beyond", ""]
    for n in range(first, first + count):
        effect = EFFECTS[n % len(EFFECTS)][0]
        lines += [
            f'weapon bench-{n} "Specimen {n}":',
            f'  fr: "Spécimen {n}"',
            f"  family: {FAMILIES[n % len(FAMILIES)]}",
            f"  hands: {n % 2 + 1}",
            *several,
            f"  attack: {MANNERS[n % 2]}, {DICE[n % len(DICE)]}, {n % 4}",
            f"    On-hit: {effect}",
            "",
        ]
    return "\n".join(lines)


def write_cards(folder: Path, count: int, copies: int | None = None) -> list[Path]:
    """Write the cards into files of a folder, and return these. `copies`: see `cards`."""
    files = []
    for first in range(0, count, IN_ONE_FILE):
        files.append(folder / f"pack{first}.fcb")
        files[-1].write_text(cards(min(IN_ONE_FILE, count - first), first, copies), encoding="utf-8")
    return files


def yaml_cards(count: int) -> str:
    """Return the same cards as YAML."""
    lines: list[str] = []
    for n in range(count):
        effect = EFFECTS[n % len(EFFECTS)][1]
        lines += [
            f"- id: bench-{n}",
            "  kind: weapon",
            "  title:",
            f'    en: "Specimen {n}"',
            f'    fr: "Spécimen {n}"',
            f"  family: {FAMILIES[n % len(FAMILIES)]}",
            f"  hands: {n % 2 + 1}",
            "  attacks:",
            f"  - manner: {MANNERS[n % 2]}",
            f"    die: {DICE[n % len(DICE)]}",
            f"    damage: {n % 4}",
            "    on-hit:",
            f"    - do: {effect['do']}",
            f"      of: {effect['of']}",
        ]
    return "\n".join(lines) + "\n"
