"""The description of an engine of a match: command, protocol, options, time control.

Source: the keys of ``cutechess-cli -engine``.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError, did_you_mean
from ryugi_engine.files import reading
from ryugi_engine.text.numbers import whole

_PROTOCOLS = {"uci": "uci", "xboard": "xboard", "cecp": "xboard"}
_RESTARTS = ("auto", "on", "off")
#: The keys of an engine; ``option.NAME`` is another.
KEYS = (
    *("name", "cmd", "dir", "proto", "variant", "tc", "st", "nodes", "depth"),
    *("margin", "level", "ponder", "restart"),
)


class SpecError(UserError):
    """What is wrong with an engine's description, in one line."""


@dataclass(frozen=True)
class EngineSpec:
    """An engine as the user describes it; "" and None for what is left out."""

    #: The command line, as a shell splits it.
    cmd: str = ""
    name: str = ""
    #: The folder that it is started in.
    dir: str = ""
    #: ``uci`` or ``xboard``.
    proto: Annotated[str, "uci", "xboard"] = "uci"
    #: What the engine calls the game.
    variant: str = ""
    #: Sent in this order, before the variant is.
    options: tuple[tuple[str, str], ...] = ()
    #: None: the match's.
    control: TimeControl | None = None
    ponder: bool = False
    #: Whether it is started for every game; auto: where it cannot be used again.
    restart: Annotated[str, *_RESTARTS] = "auto"

    @property
    def argv(self) -> list[str]:
        """The command and its arguments; SpecError if there is none."""
        try:
            argv = shlex.split(self.cmd)
        except ValueError as error:
            raise SpecError(f"'{self.cmd}': {error}") from None
        if not argv:
            raise SpecError(f"engine '{self.label[:60]}': its command line is empty")
        return argv

    @property
    def label(self) -> str:
        """A name for messages, before the engine has reported its own."""
        return self.name or self.cmd

    def to_json(self) -> dict[str, Any]:
        """Plain data that ``typed.read`` reads."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["options"] = [list(option) for option in self.options]
        data["control"] = None if self.control is None else vars(self.control)
        return data


class _SpecBuilder:
    """Collects an engine's keys; a later value replaces an earlier one."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._options: dict[str, str] = {}

    def add(self, key: str, value: str) -> None:
        if key == "level":
            key = "option.Level"  # what this engine calls it
        if key.startswith("option."):
            name = key[len("option.") :]
            self._options.pop(name, None)  # the place in the order is the last one's
            self._options[name] = value
        elif key in KEYS:
            self._values[key] = value
            if key in ("tc", "st"):  # one over the other, like a key over itself
                self._values.pop("st" if key == "tc" else "tc", None)
        else:
            near = did_you_mean(key[:40].partition(".")[0], [*KEYS, "option"])
            known = near or f"it is none of {', '.join(KEYS)}, option.NAME"
            raise SpecError(f"engine: unknown key '{key[:40]}', {known}")

    def spec(self) -> EngineSpec:
        values = self._values
        label = values.get("name") or values.get("cmd", "")
        try:
            return EngineSpec(
                cmd=values.get("cmd", ""),
                name=values.get("name", ""),
                dir=values.get("dir", ""),
                proto=_one_of("proto", values.get("proto", "uci"), tuple(_PROTOCOLS)),
                variant=values.get("variant", ""),
                options=tuple(self._options.items()),
                control=_control(values),
                ponder=_one_of("ponder", values.get("ponder", "off"), ("on", "off")) == "on",
                restart=_one_of("restart", values.get("restart", "auto"), _RESTARTS),
            )
        except ValueError as error:
            raise SpecError(f"engine '{label[:60]}': {error}") from None


def _one_of(key: str, value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise ValueError(f"{key}: '{value[:40]}' is none of {', '.join(choices)}")
    return _PROTOCOLS.get(value, value) if key == "proto" else value


def _control(values: Mapping[str, str]) -> TimeControl | None:
    """Return the time control of an engine's own keys; None if it has none."""
    limits = [key for key in ("nodes", "depth") if key in values]
    if "st" in values:
        control = TimeControl.read(f"st={values['st']}")
    elif "tc" in values:
        control = TimeControl.read(values["tc"])
    elif limits:
        control = TimeControl.read("inf")
    elif "margin" in values:
        raise ValueError("margin stands beside tc or st")
    else:
        return None
    for key in limits:
        control = control.limited(key, values[key])
    if "margin" in values:
        try:
            control = replace(control, margin=whole(values["margin"], 0, 600_000) / 1000)
        except UserError as error:
            raise UserError(f"margin: {error}") from None
    if not control.bounded:
        raise ValueError("without a clock it needs nodes= or depth=")
    return control


def _value(value: object) -> str:
    """Return a TOML or JSON value as the protocols write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _split(arguments: Iterable[str]) -> list[tuple[str, str]]:
    """Keys and values of ``key=value`` arguments."""
    pairs = []
    for word in arguments:
        key, equals, value = word.partition("=")
        if word in ("ponder",):
            value = "on"
        elif not equals:
            raise SpecError(f"engine: '{word[:60]}' is not like key=value")
        pairs.append((key, value))
    return pairs


def _is_plain(arguments: Sequence[str]) -> bool:
    """Return whether the arguments are one plain command line, not keys."""
    key = arguments[0].partition("=")[0]
    return len(arguments) == 1 and not (
        "=" in arguments[0] and (key in KEYS or key.startswith("option."))
    )


def _of_file(path: Path) -> tuple[list[tuple[str, str]], list[list[tuple[str, str]]]]:
    """Return the keys for all engines and those of each engine in a TOML file."""
    try:
        data = tomllib.loads(reading.read_text(path, reading.MAX_SETTINGS))
    except OSError as error:
        raise SpecError(reading.fault(path, error)) from None
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{path}: {error}") from None

    def pairs(table: object, where: str) -> list[tuple[str, str]]:
        if not isinstance(table, dict):
            raise SpecError(f"{path}: {where} is not a table")
        results = []
        for key, value in table.items():
            if key in ("option", "options"):
                if not isinstance(value, dict):
                    raise SpecError(f"{path}: {where}: {key} is not a table")
                results += [(f"option.{name}", _value(v)) for name, v in value.items()]
            elif isinstance(value, dict | list):
                raise SpecError(f"{path}: {where}: '{key}' is not a word or a number")
            elif key in ("ponder", "restart") and isinstance(value, bool):
                results.append((key, "on" if value else "off"))
            else:
                results.append((key, _value(value)))
        return results

    for key in data:
        if key not in ("each", "engine"):
            raise SpecError(f"{path}: '{key[:40]}' is neither each nor engine")
    engines = data.get("engine", [])
    if not isinstance(engines, list):
        raise SpecError(f"{path}: engines begin with [[engine]]")
    each = pairs(data.get("each", {}), "each")
    return each, [pairs(t, f"engine {n}") for n, t in enumerate(engines, start=1)]


def read_engines(
    given: Sequence[Sequence[str]], each: Sequence[str] = (), path: Path | None = None
) -> list[EngineSpec]:
    """Return the engines of ``--engine``, ``--each`` and ``--engines``; SpecError for a fault.

    A lone word that is no ``key=value`` is a UCI engine's command line.
    """
    common = _split(each)
    of_file: list[list[tuple[str, str]]] = []
    if path is not None:
        file_each, of_file = _of_file(path)
        common = file_each + common
    described = [
        [("cmd", arguments[0])] if _is_plain(arguments) else _split(arguments)
        for arguments in given
    ]
    specs = []
    for pairs in (*described, *of_file):
        builder = _SpecBuilder()
        for key, value in [*common, *pairs]:
            builder.add(key, value)
        spec = builder.spec()
        _ = spec.argv
        if spec.dir and not Path(spec.dir).is_dir():
            raise SpecError(f"engine '{spec.label[:60]}': dir: there is no folder '{spec.dir}'")
        specs.append(spec)
    return specs
