"""Options between Python values and the text of the compiled core ("true", "3", "0.5", "[0, 2]", "gat")."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any


def to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(to_text(entry) for entry in value) + "]"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def to_map(options: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """{"lower": {"own": 2}, "heads": 4} → {"lower.own": "2", "heads": "4"}"""
    texts: dict[str, str] = {}
    for name, value in options.items():
        if isinstance(value, Mapping):
            texts.update(to_map(value, f"{prefix}{name}."))
        else:
            texts[prefix + name] = to_text(value)
    return texts


def to_overrides(options: Mapping[str, Any], prefix: str = "") -> list[str]:
    """{"data": {"points": 100}} → ["data.points=100"], as words of the command."""
    words: list[str] = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            words += to_overrides(value, f"{prefix}{name}.")
        else:
            text = json.dumps(os.fspath(value)) if isinstance(value, (str, os.PathLike)) else to_text(value)
            words.append(f"{prefix}{name}={text}")
    return words


def to_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def to_values(texts: Mapping[str, str]) -> dict[str, Any]:
    """The inverse of to_map, nested again."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        *sections, leaf = name.split(".")
        place = values
        for section in sections:
            place = place.setdefault(section, {})
        place[leaf] = to_value(text)
    return values


def describe(texts: Mapping[str, str], defaults: Mapping[str, str]) -> str:
    """``heads=2, activation=tanh``: what differs from the defaults."""
    return ", ".join(f"{name}={text}" for name, text in texts.items() if defaults.get(name) != text)
