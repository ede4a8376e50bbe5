"""Small random kernels that read known fields: conditions, loops, variables assigned again."""

from __future__ import annotations

import random
from collections.abc import Sequence

#: Fields of the rules that a kernel reads; of ``row`` there are three elements.
FIELDS = ("drops", "walls", "turns")
ROW = "row"
_OPERATORS = ("+", "-", "&", "|", "^", "==", "!=", "<", "<=", ">")
#: Levels of conditions; of loops there is one less.
_DEEPEST = 3


class Writer:
    """Writes the text of one kernel of the arguments ``rules, x, y``."""

    def __init__(self, source: random.Random, helpers: Sequence[str]) -> None:
        self._source, self._helpers = source, helpers
        self._lines: list[str] = []
        self._names = 0

    def text(self, name: str, statements: int) -> str:
        """Return a function's text; it returns a number."""
        self._lines.append(f"def {name}(rules, x, y):")
        known = self._block(["x", "y"], statements, 1, False)
        total = " + ".join(dict.fromkeys(known))
        self._write(1, f"return {total}")
        return "\n".join(self._lines)

    def _write(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _new(self) -> str:
        self._names += 1
        return f"v{self._names}"

    def _field(self) -> str:
        chosen = self._source.choice((*FIELDS, ROW))
        return (
            f"rules.{chosen}[{self._source.randrange(3)}]" if chosen == ROW else f"rules.{chosen}"
        )

    def _value(self, known: list[str], depth: int = 2) -> str:
        """Return an expression of variables that have a value."""
        source = self._source
        kind = source.randrange(9) if depth else source.randrange(4)
        one, two = (self._value(known, depth - 1) if kind > 3 else "" for _ in range(2))
        return [
            lambda: str(source.randrange(3)),
            lambda: source.choice(known),
            lambda: source.choice(known),
            self._field,
            lambda: f"({one} {source.choice(_OPERATORS)} {two})",
            lambda: f"({one} {source.choice(('and', 'or'))} {two})",
            lambda: f"(not {one})",
            lambda: f"({one} if {self._value(known, depth - 1)} else {two})",
            lambda: self._call(one, two),
        ][kind]()

    def _call(self, one: str, two: str) -> str:
        name = self._source.choice((*self._helpers, "Pair"))
        return f"{self._pair(one)}.value" if name == "Pair" else f"{name}(rules, {one}, {two})"

    def _pair(self, value: str) -> str:
        """Return a pair of the rules and a number, which is not a bool."""
        return f"Pair(rules, {self._field() if self._source.random() < 0.3 else value + ' + 0'})"

    def _assigned(self, known: list[str]) -> str:
        """Return an expression whose result is small."""
        return f"({self._value(known)}) & 7"

    def _block(self, known: list[str], statements: int, depth: int, loop: bool) -> list[str]:
        """Write statements; return the variables that have a value after them."""
        known = list(known)
        for _ in range(statements):
            self._source.choice((self._again, self._if, self._or, self._for, self._while))(
                known, depth, loop
            )
            if loop and self._source.random() < 0.2:
                self._write(depth, f"if {self._value(known)}:")
                self._write(depth + 1, self._source.choice(("break", "continue")))
        return known

    def _again(self, known: list[str], depth: int, loop: bool) -> None:
        name = self._source.choice([*known, self._new()])
        self._write(depth, f"{name} = {self._assigned(known)}")
        known.append(name)

    def _if(self, known: list[str], depth: int, loop: bool) -> None:
        if depth > _DEEPEST:
            self._again(known, depth, loop)
            return
        ends = []
        for number in range(self._source.randrange(1, 4)):
            self._write(depth, f"{'elif' if number else 'if'} {self._value(known)}:")
            ends.append(self._block(known, 1, depth + 1, loop))
        if self._source.random() < 0.6:
            self._write(depth, "else:")
            ends.append(self._block(known, 1, depth + 1, loop))
            known += sorted(set.intersection(*map(set, ends)) - set(known))
        elif self._source.random() < 0.2:
            self._write(depth, f"if {self._value(known)}:")
            self._write(depth + 1, f"return {self._value(known)} + 0")

    def _or(self, known: list[str], depth: int, loop: bool) -> None:
        """Write a variable that is assigned where a field says so, and used there."""
        name, field = self._new(), self._field()
        kind = self._source.randrange(3)
        if kind == 0:
            self._write(depth, f"{name} = {field} == 1 or {self._source.choice(known)}")
            known.append(name)
        elif kind == 1:
            self._write(depth, f"{name} = {self._pair(self._value(known))}")
            self._write(depth, f"if {field}:")
            self._write(depth + 1, f"{name} = {self._pair(self._value(known))}")
            self._write(depth, f"x = ({name}.value + {name}.rules.turns) & 7")
            return
        else:
            self._write(depth, f"if {field}:")
            self._write(depth + 1, f"{name} = {self._assigned(known)}")
            self._write(depth, f"if {field}:")
            self._write(depth + 1, f"y = {name}")
            return
        self._write(depth, f"if not {name}:")
        self._write(depth + 1, f"{name} = {self._assigned(known)}")

    def _for(self, known: list[str], depth: int, loop: bool) -> None:
        if depth >= _DEEPEST:
            self._again(known, depth, loop)
            return
        name = self._new()
        self._write(depth, f"for {name} in range({self._assigned(known)}):")
        self._block([*known, name], 2, depth + 1, True)

    def _while(self, known: list[str], depth: int, loop: bool) -> None:
        if depth >= _DEEPEST:
            self._again(known, depth, loop)
            return
        name = self._new()
        self._write(depth, f"{name} = 0")
        self._write(depth, f"while {name} < 3 and {self._value(known)}:")
        self._write(depth + 1, f"{name} += 1")
        self._block(known, 2, depth + 1, True)
        known.append(name)
