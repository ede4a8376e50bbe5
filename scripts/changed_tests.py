"""Print the test files and folders for what has changed since the last commit, or in it.

`tests/` mirrors the source folders; `scripts/test --fast` runs these. Without git: all of tests/.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
#: Run after any change.
ALWAYS = ("tests/repository/test_architecture.py",)
#: Folders that have their tests elsewhere too.
ALSO = {
    "uci": ["core"],
    "xboard": ["core"],
    "kernel": ["search", "perft"],
    "scripts": ["repository"],
}


def changed() -> list[Path]:
    """Paths that differ from the last commit, or, if none do, from the one before it."""
    for since in ("HEAD", "HEAD~1"):
        commands = [["git", "diff", "--name-only", since]]
        commands.append(["git", "ls-files", "--others", "--exclude-standard"])
        names: list[str] = []
        for command in commands:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            names += done.stdout.splitlines()
        if names:
            return [Path(name) for name in names]
    return []


def tests_of(path: Path) -> list[Path]:
    """Test files and folders for a source file; none for what has no tests."""
    if path.parts[0] == "tests":
        return [ROOT / path] if path.name.startswith("test_") else []
    folders = [part for part in path.parent.parts if part != "ryugi_engine"]
    if path.suffix != ".py":
        return []
    named = TESTS.joinpath(*folders) / f"test_{path.stem}.py"
    if named.exists():
        return [named]
    folder = folders[0] if folders else "commands"
    return [TESTS / name for name in (folder, *ALSO.get(folder, ())) if (TESTS / name).is_dir()]


def main() -> None:
    paths = {test for path in changed() for test in tests_of(path) if test.exists()}
    chosen = [path for path in sorted(paths) if not paths.intersection(path.parents)]
    print(*(path.relative_to(ROOT) for path in chosen), *ALWAYS)


if __name__ == "__main__":
    main()
