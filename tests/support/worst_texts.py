"""What readers of foreign text can be attacked with, and how long they take for it.

Every regular expression of the source is found by a walk of its syntax trees, and so is how it is
used; what is bad for it follows from the expression itself.
"""

from __future__ import annotations

import ast
import importlib
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as sre_parser  # type: ignore[import-not-found]
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.support.effort import effort
from tests.support.helpers import ROOT

FOLDERS = ("ryugi_engine", "uci", "xboard", "variants")
METHODS = {"match", "fullmatch", "search", "sub", "subn", "findall", "finditer", "split"}
#: What cannot be read off the source: a game's own expression (the test has them all), and one of
#: the contract's, which an author has held against his own drawings.
UNKNOWN = {"game.move_shape", "self.move_shape", "wanted"}
#: Letters of the longest text.
MEGABYTE: int = effort(250_000, 1_000_000)
#: A text four times as long may take so many times as long; below so many seconds no one looks.
RATIO, NOTICED = 8, 0.1
#: Seconds after which a reader is stopped.
PATIENCE = 2.0
#: Bytes of memory a letter: lists of small tuples take sixty, a step kept for backtracking 300.
MEMORY = 90

Reader = Callable[[Any], object]
#: The beginning of a text, what is repeated, the end.
Attack = tuple[str, str, str]
#: Where an expression is used, its text and flags, and the method that is called.
Use = tuple[str, str | bytes, int, str]


# ---- the expressions of the source --------------------------------------------------------------


def modules() -> Iterator[tuple[str, Path]]:
    """Name and file of every module."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name != "__main__.py":
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                yield name.removesuffix(".__init__"), path


def value(node: ast.expr, module: object) -> Any:
    return eval(compile(ast.Expression(node), "source", "eval"), vars(module))


def uses() -> list[Use]:
    """Where each expression is used, its text and flags, and the method that is called."""
    results: list[Use] = []
    for name, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not any(
            isinstance(node, ast.Attribute) and node.attr in METHODS for node in ast.walk(tree)
        ):
            continue
        module = importlib.import_module(name)
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
                continue
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            known = vars(module).get(node.value.id)
            if isinstance(known, re.Pattern) and node.attr in METHODS:
                results.append((where, known.pattern, known.flags, node.attr))
        if "re" in names:
            results += direct_uses(tree, module, path)
    return results


def direct_uses(tree: ast.AST, module: object, path: Path) -> Iterator[Use]:
    """The uses as ``re.match(PATTERN, text)``; an expression that is not known fails."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        whose, method = node.func.value, node.func.attr
        if not (
            isinstance(whose, ast.Name) and whose.id == "re" and method in METHODS | {"compile"}
        ):
            continue
        where = f"{path.relative_to(ROOT)}:{node.lineno}"
        output = ast.unparse(node.args[0])
        if output in UNKNOWN:
            continue
        try:
            pattern = value(node.args[0], module)
        except NameError:
            pytest.fail(f"{where}: a pattern must be a constant of its module: {output}")
        if method != "compile":
            rest = [*node.args[1:], *(word.value for word in node.keywords)]
            flags = [ast.unparse(one) for one in rest if ast.unparse(one).startswith("re.")]
            yield where, pattern, sum(int(getattr(re, f[3:])) for f in flags), method
        elif isinstance(pattern, str) and pattern:
            # a compiled one that is used at once: re.compile(...).search
            yield where, pattern, 0, "match"


# ---- what to attack an expression with ----------------------------------------------------------

LETTERS = "aA1 \t\n\"'[](){}<>/\\%-+.,;:=_x@#*!?\x1bé"


def members(items: Any) -> list[str]:
    """Some letters of a class."""
    one = re.compile(class_text(items))
    results = [letter for letter in LETTERS if one.fullmatch(letter)]
    results += [
        chr(av[0] if op is sre.RANGE else av) for op, av in items if op in (sre.LITERAL, sre.RANGE)
    ]
    return [letter for letter in dict.fromkeys(results) if one.fullmatch(letter)][:6] or ["a"]


def class_text(items: Any) -> str:
    """A class of letters as text."""
    categories = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
    text = ""
    for op, av in items:
        if op is sre.NEGATE:
            text += "^"
        elif op is sre.LITERAL:
            text += re.escape(chr(av))
        elif op is sre.RANGE:
            text += f"{re.escape(chr(av[0]))}-{re.escape(chr(av[1]))}"
        else:
            kind = str(av).removeprefix("CATEGORY_")
            shorthand = categories[kind.removeprefix("NOT_")]
            text += shorthand.upper() if kind.startswith("NOT_") else shorthand
    return f"[{text}]"


REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def example(sequence: Any, groups: dict[int, str]) -> str:
    """A short text that an expression takes, lookarounds aside."""
    text = ""
    for op, av in sequence:
        if op is sre.LITERAL:
            text += chr(av)
        elif op is sre.NOT_LITERAL:
            text += "a" if av != ord("a") else "b"
        elif op is sre.ANY:
            text += "a"
        elif op is sre.IN:
            text += members(av)[0]
        elif op is sre.BRANCH:
            text += example(av[1][0], groups)
        elif op is sre.SUBPATTERN:
            groups[av[0]] = example(av[3], groups)
            text += groups[av[0]]
        elif op in REPEATS:
            text += example(av[2], groups) * max(av[0], min(av[1], 1))
        elif op is sre.ATOMIC_GROUP:
            text += example(av, groups)
        elif op is sre.GROUPREF:
            text += groups.get(av, "")
    return text


def samples(sequence: Any, groups: dict[int, str]) -> list[str]:
    """Short texts that an expression takes, one for each of its alternatives."""
    op, av = sequence[0]
    if len(sequence) == 1 and op is sre.IN:
        return members(av)
    if len(sequence) == 1 and op is sre.BRANCH:
        return [sample for branch in av[1] for sample in samples(branch, groups)]
    if len(sequence) == 1 and op is sre.SUBPATTERN:
        return samples(av[3], groups)
    if len(sequence) == 1 and op in (sre.ANY, sre.NOT_LITERAL):
        return list("a \"'}x1")
    return [example(sequence, groups)]


def repeats(sequence: Any, begin: str, groups: dict[int, str]) -> Iterator[tuple[str, str]]:
    """(what leads to it, what it takes) of every repetition without an end."""
    for item in sequence:
        op, av = item
        if op in REPEATS:
            if av[1] > 50:
                yield from ((begin, sample) for sample in samples(av[2], groups))
            yield from repeats(av[2], begin, groups)
        elif op is sre.BRANCH:
            for branch in av[1]:
                yield from repeats(branch, begin, groups)
        elif op is sre.SUBPATTERN:
            yield from repeats(av[3], begin, groups)
        elif op is sre.ATOMIC_GROUP:
            yield from repeats(av, begin, groups)
        begin += example([item], groups)


def attacks(pattern: str, flags: int) -> list[Attack]:
    """(beginning, what is repeated, end) of the texts that an expression may do worst with."""
    tree = sre_parser.parse(pattern, flags & ~re.DEBUG)
    groups: dict[int, str] = {}
    whole = example(tree, groups)
    result = list(repeats(tree, "", groups))
    result += [(begin, whole) for begin in {begin for begin, _ in result}]
    result += [("", whole[:end]) for end in range(1, min(len(whole), 24) + 1)]
    result += [("", whole + " "), ("", whole + "\n")]
    result += [("", letter) for letter in {*"a1 A\"'\n", *filter(str.isprintable, pattern)}]
    pairs = [pair for pair in dict.fromkeys(result) if pair[1]]
    return [(*pair, end) for pair in pairs for end in ("", "\n!")]


# ---- measuring ----------------------------------------------------------------------------------


class TooLong(Exception):
    """A reader has been stopped."""


def stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def seconds(read: Reader, text: Any) -> float:
    """CPU time that a reader takes for a text, at most PATIENCE."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        read(text)
    except TooLong:
        return PATIENCE
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - begun


def text_of(attack: Attack, letters: int) -> str:
    begin, middle, end = attack
    return begin + middle * (letters // len(middle)) + end


def worse(read: Reader, attack: Attack, sizes: list[int]) -> tuple[str, float]:
    """What is wrong with a reader's time as a text grows fourfold, "" if nothing; the last time."""
    before = 0.0
    for letters in sizes:
        text = text_of(attack, letters)
        taken = seconds(read, text)
        if before and NOTICED < taken < PATIENCE and taken > RATIO * before:
            taken = min(taken, seconds(read, text))  # somebody may have been in the way
        if taken >= PATIENCE or (before and taken > max(NOTICED, RATIO * before)):
            output = "".join(f"{part!r} " for part in attack)
            return f"{output}{letters} letters: {taken:.2f} s, a quarter: {before:.2f} s", taken
        before = taken
    return "", before


def memory(read: Reader, text: Any) -> float:
    """Bytes that a reader has at most, by the letters of the text."""
    tracemalloc.start()
    try:
        read(text)
        return tracemalloc.get_traced_memory()[1] / len(text)
    finally:
        tracemalloc.stop()


def faults(read: Reader, attacks: Iterable[Attack], sizes: list[int]) -> list[str]:
    """What is wrong with a reader: its slowest attacks are a megabyte long."""
    result, times = [], []
    for attack in attacks:
        wrong, taken = worse(read, attack, sizes)
        if wrong:
            return [wrong]
        times.append((taken, attack))
        if (size := memory(read, text_of(attack, sizes[-2]))) > MEMORY:
            result.append(f"{attack}: {size:.0f} bytes a letter")
    for _, attack in sorted(times)[-2:]:
        result.append(worse(read, attack, [MEGABYTE // 4, MEGABYTE])[0])
    return [output for output in result if output]


def reader(pattern: str | bytes, flags: int, method: str) -> Reader:
    """How an expression is used."""
    compiled: re.Pattern[Any] = re.compile(pattern, flags)
    if method in ("sub", "subn"):
        return lambda text: compiled.sub("", text)
    if method == "finditer":
        return lambda text: sum(1 for _ in compiled.finditer(text))
    call: Reader = getattr(compiled, method)
    return call
