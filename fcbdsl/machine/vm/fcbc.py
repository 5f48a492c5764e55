"""The saved form of a program (`.fcbc`): canonical JSON with its version and hash. Nothing unverified is loaded."""

from __future__ import annotations

import json
from typing import Any

from fcbdsl.base import versions
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import serialization
from fcbdsl.machine.vm.program import FORMAT, Program, content_hash, hash_of, program_from_content

MOST_BYTES = 16 << 20
DEEPEST = 24
"""Deepest nesting of lists and objects in a file."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that contains no valid program, and the reason."""

    reason: str


def dump(program: Program) -> bytes:
    """Return the file of a program: the same program gives the same bytes."""
    return file_and_hash(program)[0]


@collector_paused()
def file_and_hash(program: Program) -> tuple[bytes, str]:
    """Return the file of a program, and the hash of its content; both are computed in one pass."""
    parts = {name: serialization.canonical(value) for name, value in program.content().items()}
    seal = hash_of(parts)
    head = {"format": serialization.canonical(FORMAT), "hash": serialization.canonical(seal)}
    return serialization.join_json_object({**head, "program": serialization.join_json_object(parts)}) + b"\n", seal


@collector_paused()
def load_fcbc(data: bytes, sound: bool = False) -> Program | Refused:
    """Read a file; return a program that may run, or the reason why it is refused. Any content is safe.

    `sound`: a file with exactly these bytes has been verified before, so it is not verified again.
    """
    if len(data) > MOST_BYTES:
        return Refused(f"it is larger than {MOST_BYTES} bytes")
    if sound:
        content = json.loads(data)
        return program_from_content(content["program"], content["hash"])
    from fcbdsl.machine.vm.verify.verifier import verify_program  # slow to import, like the schema

    content = _parse(data)
    if isinstance(content, Refused):
        return content
    if not isinstance(content, dict) or set(content) != {"format", "hash", "program"}:
        return Refused("it is not a compiled program")
    if content["format"] != FORMAT:
        return Refused(versions.refusal(content["format"], FORMAT))
    try:
        program = program_from_content(content["program"], str(content["hash"]))
    except serialization.Mismatch as error:
        return Refused(_misshapen(content["program"]) or str(error))
    if content_hash(program.content()) != content["hash"]:
        return Refused("its content does not have the hash it states: it is damaged")
    findings = verify_program(program)
    if findings:
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        return Refused(f"{findings[0]}{more}")
    return program


def program_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file."""
    inner = serialization.record_schema(Program)
    properties = {"format": {"const": FORMAT}, "hash": {"type": "string"}, "program": {"$ref": "#/$defs/Program"}}
    return {
        "$schema": inner["$schema"],
        "title": "A compiled program",
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
        "$defs": inner["$defs"],
    }


def _parse(data: bytes) -> Any | Refused:
    """Read JSON; refuse excessive depth, numbers that are too long or not whole, and duplicate names."""
    if _depth(data) > DEEPEST:
        return Refused("it is nested too deeply")
    hooks: dict[str, Any] = {"parse_float": _no_fraction, "parse_constant": _no_fraction, "object_pairs_hook": _once}
    if b"0" * LONG in data.translate(_DIGITS_ALIKE):  # checking each number is slow
        hooks["parse_int"] = _short_int
    try:
        return json.loads(data.decode("utf-8"), **hooks)
    except UnicodeDecodeError:
        return Refused("it is not UTF-8 text")
    except ValueError as error:
        return Refused(f"it is not the JSON of a program: {error}")


def _depth(data: bytes) -> int:
    """Return the deepest nesting of brackets outside texts, at most one more than allowed."""
    depth = deepest = 0
    inside = escaped = False
    for byte in data.translate(None, delete=_PLAIN):
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > DEEPEST:
                return deepest
        elif byte in b"]}":
            depth -= 1
    return deepest


_PLAIN = bytes(set(b"0123456789,:- \n\r\t"))
"""Bytes that open, close or escape nothing."""


def _no_fraction(text: str) -> Any:
    raise ValueError(f"the number {text[:20]} is not whole")


LONG = 18
"""More digits than any number of a program has."""
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)


def _short_int(text: str) -> int:
    if len(text) >= LONG:
        raise ValueError(f"the number {text[:20]}… is too large")
    return int(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return out


def _misshapen(content: Any) -> str:
    """Return the first objection of the JSON Schema; empty if there is none, or no jsonschema (`fcbdsl-player`)."""
    try:
        import jsonschema  # only here: starting up must not wait for it
    except ModuleNotFoundError:
        return ""

    plain = jsonschema.Draft202012Validator.VALIDATORS["items"]

    def items(validator: Any, rule: Any, instance: Any, parent: Any) -> Any:
        """Pass lists of plain numbers at once; a code has thousands."""
        if rule == serialization.INTEGER and serialization.all_ints(instance):
            return ()
        return plain(validator, rule, instance, parent)

    extend: Any = jsonschema.validators.extend
    checker = extend(jsonschema.Draft202012Validator, {"items": items})
    validator = checker(program_schema())
    error = next(validator.iter_errors({"format": FORMAT, "hash": "", "program": content}), None)
    return "" if error is None else f"{error.json_path}: {error.message[:200]}"
