"""Variants, and their settings by the system, the project, a mission or a test; later ones take precedence."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.declarations import Switch
from fcbdsl.language.model.declaring.blocks import names_listed
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.lines import head_atoms, keyword_of
from fcbdsl.language.syntax.tree import Line, Word


def declare_variants(context: Context) -> None:
    """Declare all variants. The first value is the default; a system's setting comes before the project's."""
    switches = context.model.switches
    for declaration in context.index.of("variant"):
        values = names_listed(context, declaration) or [""]
        switches[declaration.id] = Switch(declaration.id, values, declaration.span, name=declaration.named())
    chosen: dict[str, int] = {}
    for declaration in context.index.of("system"):
        for line in declaration.line.block:
            if keyword_of(line) == "variant":
                override(context, line, chosen)
    for name, value in context.switches.items():
        switch = switches.get(name)
        if switch is None:
            context.unknown(settings(context.switches), "variant", name, switches)
        elif value not in switch.values:
            context.unknown(settings(context.switches), f"value of the variant `{name}`", value, switch.values)
        else:
            chosen[name] = switch.values.index(value)
    for name, number in chosen.items():
        switches[name].set_to = number


def override(context: Context, line: Line, into: dict[str, int]) -> None:
    """Read ``variant NAME is VALUE``: the setting of a switch by a system, a mission or a test."""
    head = [atom for atom in head_atoms(line) if isinstance(atom, Word)]
    if head and head[0].text == "given":
        head = head[1:]
    words = [word.text for word in head]
    if len(words) != 4 or words[2] != "is" or line.head is not None:
        context.malformed(line.span, "the setting of a variant", "variant NAME is VALUE")
        return
    setting = chosen_value(context, line, head[1], head[3])
    if setting is not None:
        into[setting[0]] = setting[1]


def chosen_value(context: Context, line: Line, name: Word, value: Word) -> tuple[str, int] | None:
    """Return a variant with the number of one of its values, as ``VARIANT is VALUE`` names them; None if there is none
    such (reported)."""
    switch = context.model.switches.get(name.text)
    if switch is None:
        context.unknown(line.span_of(name), "variant", name.text, context.model.switches)
    elif value.text not in switch.values:
        context.unknown(line.span_of(value), f"value of `{switch.id}`", value.text, switch.values)
    else:
        return switch.id, switch.values.index(value.text)
    return None


def settings(switches: Mapping[str, str]) -> Span:
    """Return a span for problems of a project's settings: the list of them."""
    text = "".join(f'{name} = "{value}"\n' for name, value in switches.items())
    return Span(Source("fcb.toml [variants]", text), 0, 0)
