"""Templates of packs: a small part of Jinja2 that can only write text, with bounded steps and output.

The allowed syntax is listed: text, values, conditions, loops over data, assignments and a few filters. There are no
macros, includes, imports or calls, and loops can't grow a value. So the cost of a template is bounded by its length and
the number of its steps. Jinja's own sandbox is a second line of defense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.print import MisdrawnFace
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.content import Layout
from fcbdsl.print.pieces.pictures import Unusable, picture_path, read_beside

TEMPLATE = "template"
"""The key of a layout that names a template."""
MOST_TEMPLATE = 64 * 1024
MOST_STEPS = 10_000
MOST_WRITTEN = 512 * 1024
MOST_TEXT = 10_000
MOST_NUMBER = 1_000_000_000
DEEPEST = 40
LONGEST_RANGE = 1_000

_TREE = ("Template", "Output", "TemplateData", "For", "If", "CondExpr", "Name", "Const", "Getattr", "Getitem", "Filter")
_TESTS = ("Test", "Compare", "Operand", "And", "Or", "Not", "Neg", "Pos", "Tuple", "List", "Keyword")
SUMS = frozenset(("+", "-", "*", "/", "//", "%"))
ALLOWED = frozenset((*_TREE, *_TESTS, "Assign", "Call"))
"""The syntax nodes of Jinja that a template may have; a call may only be of `range`."""


@dataclass(frozen=True, slots=True)
class BadTemplate(Exception):
    """A problem in a template, and its line, from 1."""

    why: str
    line: int

    def __str__(self) -> str:
        return self.why


class TemplateProgram:
    """A template that was read and is within its bounds; `fill` fills it."""

    def __init__(self, environment: Any, template: Any, budget: _Budget) -> None:
        self._environment = environment
        self._template = template
        self._budget = budget

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the template filled with plain data; words in it are escaped for XML. Raise BadTemplate if that
        fails."""
        self._budget.reset()
        written: list[str] = []
        size = 0
        try:
            for piece in self._template.generate(values):
                self._budget.step()
                size += len(piece)
                if size > MOST_WRITTEN:
                    raise _Refused(f"it writes more than {MOST_WRITTEN:,} characters")
                written.append(piece)
        except Exception as error:  # any exception is the template's fault
            raise BadTemplate(_explanation(error), _line(error)) from error
        return "".join(written)


class _Refused(Exception):
    """A forbidden act of a template."""


class _Budget:
    """The remaining steps of a template."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def reset(self) -> None:
        self.left = MOST_STEPS

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Refused(f"it takes more than {MOST_STEPS:,} steps")


@lru_cache(maxsize=64)
def read_template(text: str) -> TemplateProgram:
    """Read a template. Raise BadTemplate if it is not allowed."""
    from jinja2 import TemplateSyntaxError

    if len(text) > MOST_TEMPLATE:
        raise BadTemplate(f"it is longer than {MOST_TEMPLATE:,} characters", 1)
    budget = _Budget()
    environment = _environment(budget)
    try:
        tree = environment.parse(text)
        _check(tree)
        code = environment.compile(tree)
    except TemplateSyntaxError as error:
        raise BadTemplate(error.message or "it can't be read", error.lineno) from error
    except (RecursionError, MemoryError, SyntaxError) as error:
        raise BadTemplate("it is nested too deeply", 1) from error
    except (ValueError, OverflowError) as error:  # raised by numbers that Python doesn't read
        raise BadTemplate("it has a number with too many digits", _line_of_digits(text)) from error
    template = environment.template_class.from_code(environment, code, environment.globals)
    return TemplateProgram(environment, template, budget)


def _line_of_digits(text: str) -> int:
    """Return the line of the longest number of a text."""
    longest = max(re.finditer(r"\d[\d_]*", text), key=lambda match: len(match[0]))
    return text.count("\n", 0, longest.start()) + 1


def _check(tree: Any) -> None:
    """Refuse forbidden syntax, and make loops count their steps."""
    from jinja2 import nodes

    todo: list[tuple[Any, int]] = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        name = type(node).__name__
        if depth > DEEPEST:
            raise BadTemplate("it is nested too deeply", node.lineno)
        if name not in ALLOWED and not (isinstance(node, nodes.BinExpr) and node.operator in SUMS):
            raise BadTemplate(f"there is no `{_WORDS.get(name, name.lower())}` in templates", node.lineno)
        if isinstance(node, nodes.Call) and not (
            isinstance(node.node, nodes.Name) and node.node.name == "range" and not (node.kwargs or node.dyn_args)
        ):
            raise BadTemplate("nothing can be called but `range`", node.lineno)
        if isinstance(node, nodes.Filter) and (node.name not in FILTERS or node.dyn_args or node.dyn_kwargs):
            raise BadTemplate(f"there is no filter `{node.name}`", node.lineno)
        if isinstance(node, nodes.Test) and node.name not in TESTS:
            raise BadTemplate(f"there is no test `{node.name}`", node.lineno)
        if isinstance(node, nodes.For):
            if node.recursive:
                raise BadTemplate("no loop can go through itself", node.lineno)
            todo.append((node.iter, depth + 1))
            todo += [
                (child, depth + 1) for child in (*node.body, *node.else_, node.target, node.test) if child is not None
            ]
            node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)
            continue
        todo += [(iter_child_node, depth + 1) for iter_child_node in node.iter_child_nodes()]


_WORDS = {"Pow": "**", "Concat": "~", "FilterBlock": "filter", "AssignBlock": "set … endset", "Dict": "{…}"}
"""The names of syntax nodes in templates."""


# ── data for templates ─────────────────────────────────────────────────────────────────────────


def _upper(text: str) -> str:
    return str(text).upper()


def _lower(text: str) -> str:
    return str(text).lower()


def _round(number: float, digits: int = 0) -> float:
    if digits not in range(10):  # rounding to a large power of ten would compute that power
        raise _Refused("numbers are rounded to 0 to 9 digits behind the point")
    return round(number, digits) if digits else round(number)


FILTERS: dict[str, Callable[..., Any]] = {
    "upper": _upper, "lower": _lower, "length": len, "round": _round, "int": int, "abs": abs,
}  # fmt: skip
TESTS = ("defined", "odd", "even")


def _range(*bounds: int) -> range:
    numbers = range(*bounds)
    if len(numbers) > LONGEST_RANGE:
        raise _Refused(f"a range has {LONGEST_RANGE:,} numbers at most")
    return numbers


def _bounded(value: Any) -> Any:
    """Return a sum, if it is within the bounds."""
    if (isinstance(value, str) and len(value) <= MOST_TEXT) or (
        isinstance(value, int | float) and abs(value) <= MOST_NUMBER
    ):
        return value
    raise _Refused("a sum is too large")


def _environment(budget: _Budget) -> Any:
    """Return an environment that contains only what is defined here."""
    from jinja2 import StrictUndefined
    from jinja2.runtime import LoopContext
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def written(value: Any) -> Any:
        """Return a value to write: only words and numbers."""
        budget.step()
        if isinstance(value, StrictUndefined | str):
            return value
        if isinstance(value, float):
            return f"{value:.4f}".rstrip("0").rstrip(".")
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise _Refused("only words and numbers can be written")

    def counted(things: Iterable[Any]) -> Iterator[Any]:
        """Yield the items of a loop, counting a step for each."""
        if not isinstance(things, str | list | tuple | range | StrictUndefined):
            raise _Refused("a loop goes through lists alone")
        for thing in things:
            budget.step()
            yield thing

    class Bounded(ImmutableSandboxedEnvironment):
        intercepted_binops = SUMS

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            words = isinstance(left, str) and isinstance(right, str) and operator == "+"
            if not words and not (isinstance(left, int | float) and isinstance(right, int | float)):
                raise _Refused(f"`{operator}` is for numbers")
            return _bounded(super().call_binop(context, operator, left, right))

        def getattr(self, obj: Any, attribute: str) -> Any:
            return self.getitem(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            if isinstance(obj, LoopContext) and argument in ("index", "index0", "first", "last", "length"):
                return getattr(obj, argument)
            if isinstance(obj, Mapping) and isinstance(argument, str) and argument in obj:
                return obj[argument]
            if isinstance(obj, list | tuple) and isinstance(argument, int) and -len(obj) <= argument < len(obj):
                return obj[argument]
            return obj if isinstance(obj, StrictUndefined) else self.undefined(f"`{argument}`")

    environment = Bounded(autoescape=True, undefined=StrictUndefined, finalize=written, keep_trailing_newline=True)
    environment.filters = {**FILTERS, "counted": counted}
    environment.tests = {name: environment.tests[name] for name in TESTS}
    environment.globals = {"range": _range}
    return environment


# ── errors ─────────────────────────────────────────────────────────────────────────────────────


def _explanation(error: Exception) -> str:
    from jinja2 import UndefinedError

    if isinstance(error, _Refused):
        return str(error)
    if isinstance(error, UndefinedError):
        return "it uses an unknown name: " + re.sub(r"^'(.*)' is undefined$", r"`\1`", str(error.message))
    if isinstance(error, ZeroDivisionError):
        return "it divides by zero"
    return f"it can't be filled ({error})"


def _line(error: BaseException) -> int:
    """Return the line of the template at which an exception occurred; Jinja puts it into the traceback."""
    line, frame = 1, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == "<template>":
            line = frame.tb_lineno
        frame = frame.tb_next
    return line


# ── files ──────────────────────────────────────────────────────────────────────────────────────


def template_of(layout: Layout) -> Source:
    """Return the template that a layout names. Raise Unusable."""
    named = " ".join(layout.settings[TEMPLATE][0])
    data = read_beside(named, layout.place(TEMPLATE, 0), MOST_TEMPLATE)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unusable("it is not UTF-8") from error
    return Source(picture_path(named, layout.place(TEMPLATE, 0)).as_posix(), text.replace("\r\n", "\n"))


def template_problems(layout: Layout) -> Iterator[Diagnostic]:
    """Yield why the template of a layout can't be used for any card."""
    related = (Related(layout.place(TEMPLATE, 0), "it is named here"),)
    try:
        source = template_of(layout)
        read_template(source.text)
    except Unusable as error:
        yield MisdrawnFace(layout.place(TEMPLATE, 0), card=f"any {layout.kind}", why=str(error))
    except BadTemplate as bad:
        yield MisdrawnFace(span_in(source, bad.line), card=f"any {layout.kind}", why=bad.why, related=related)


def span_in(source: Source, line: int) -> Span:
    """Return the span of a line of a template, without its indentation."""
    lines = source.text.split("\n")
    line = max(1, min(line, len(lines)))
    start = sum(len(before) + 1 for before in lines[: line - 1])
    text = lines[line - 1]
    blanks = len(text) - len(text.lstrip())
    return Span(source, start + blanks, start + max(len(text.rstrip()), blanks))
