"""JSON Schemas of the kinds of a game: the valid records of a definition."""

from __future__ import annotations

from fcbdsl.language.model.declarations import Field, Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.tools.exchange.content_records import NAMED, SOURCE_LANGUAGE, fields_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAME = r"^[^\W\d][\w]*(-[\w]+)*$"
"""The pattern of a name."""


def kind_schema(kind: Kind, model: Model) -> dict[str, object]:
    """Return the schema (JSON Schema 2020-12) of the records of a kind.

    Fields with behavior or computed values aren't data: a record gives them in `lines`, as a source does. Since it may
    give any other field there too, no field is required.
    """
    languages = dict.fromkeys([SOURCE_LANGUAGE, *model.languages])  # the first is that of the title beside the name
    titles = {language: {"type": "string", "minLength": 1} for language in languages}
    title = {"type": "object", "properties": titles, "required": [SOURCE_LANGUAGE], "additionalProperties": False}
    fields = {name: _of_field(field, model) for name, field in fields_of(kind).items() if _is_data(field)}
    return {
        "$schema": DIALECT,
        "title": kind.name.title.get(SOURCE_LANGUAGE, kind.id),
        "type": "object",
        "properties": {
            "kind": {"const": kind.id},
            "id": {"type": "string", "pattern": NAME},
            "title": title,
            "head": {"type": "string", "pattern": "^[^\\n:;#]*$"},
            "fields": {"type": "object", "properties": fields, "additionalProperties": False},
            "lines": {"type": "array", "items": {"type": "string", "minLength": 1}},
        },
        "required": ["kind", "id", "title"],
        "additionalProperties": False,
    }


def _is_data(field: Field) -> bool:
    return field.type.base in (*NAMED, "number", "flag", "text")


def _of_field(field: Field, model: Model) -> dict[str, object]:
    schema = _of_value(field, model)
    described: dict[str, object] = {"type": "array", "items": schema, "minItems": 1} if field.type.many else schema
    texts = [text for text in (field.name.title.get(SOURCE_LANGUAGE), field.doc) if text]
    return described | ({"description": ": ".join(texts)} if texts else {})


def _of_value(field: Field, model: Model) -> dict[str, object]:
    match field.type.base:
        case "number":
            bounds = {"minimum": field.low, "maximum": field.high}
            return {"type": "integer", **{name: value for name, value in bounds.items() if value is not None}}
        case "flag":
            return {"type": "boolean"}
        case "text":
            return {"type": "string"}
        case "enum" if field.type.name in model.enums:
            return {"enum": list(model.enums[field.type.name].values)}
    return {"type": "string", "pattern": NAME}
