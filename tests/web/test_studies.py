"""Studies that the page starts: their process, their files, and who gets their pages."""

from __future__ import annotations

import asyncio
import functools
import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ryugi_engine.games.groups import DEFAULT
from ryugi_engine.web import study_process
from ryugi_engine.web.own_file import OwnFile
from ryugi_engine.web.requests import Request
from ryugi_engine.web.studies import Studies
from ryugi_engine.web.table import Table
from tests.support.board_page import WebServer
from tests.support.helpers import patient
from tests.support.page_socket import connected

#: A game that is soon over.
TINY = """\
[tiny]
title = "{title}"
files = 5
ranks = 5
pieces = {{ K = "K", R = "R", P = "fmWfcF" }}
start = "r1k1r/ppppp/5/PPPPP/R1K1R w - - 0 1"
"""
#: Games that are over at once.
QUICK = ("--nodes", "20", "40", "60", "--rounds", "1", "--threads", "1")
ENDLESS = ("--nodes", "20", "40", "60", "--threads", "1")


class Asked:
    """A page without a socket."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.came = threading.Condition()

    def send(self, message: dict[str, Any]) -> None:
        with self.came:
            self.messages.append(message)
            self.came.notify_all()


class Desk:
    """Studies of the games of a folder, and a page that asks for them."""

    def __init__(self, folder: Path, more: tuple[str, ...]) -> None:
        self.folder, self.file = folder, folder / "variants.toml"
        table = Table(folder, DEFAULT, None, "")
        self.page = Asked()
        table.room.audience.add(self.page)
        self.studies = Studies(table.room, OwnFile(self.file, print), more)

    def ask(self, what: str, **given: Any) -> dict[str, Any]:
        """Ask for something, and return the answer."""
        before = len(self.page.messages)
        getattr(self.studies, f"do_{what}")(self.page, Request(given))
        with self.page.came:
            return self.page.came.wait_for(
                lambda: next((m for m in self.page.messages[before:] if m["type"] == "study"), {}),
                patient(30),
            )

    def over(self, variant: str = "tiny") -> dict[str, Any]:
        """Wait until no study runs; return what there is."""
        end = time.monotonic() + patient(90)
        while (now := self.ask("study", variant=variant))["running"]:
            assert time.monotonic() < end, now
            time.sleep(0.1)
        return now

    def get(self, address: str) -> bytes | None:
        """The content of a page by its address."""
        _, _, secret, name = address.split("/")
        return self.studies.page(secret, name)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "variants.toml").write_text(TINY.format(title="Tiny"))
    desk = Desk(tmp_path, QUICK)
    yield desk
    desk.studies.end()


def test_a_study_of_an_own_game(desk: Desk) -> None:
    """Its page is served to who knows the address; a changed game begins another study."""
    assert desk.ask("study", variant="tiny")["address"] == ""
    begun = desk.ask("beginstudy", variant="tiny", minutes=5)
    assert (begun["fault"], begun["running"]) == ("", {"game": "tiny", "title": "Tiny"})
    first = desk.over()
    assert first["fault"] == ""
    assert first["spent"] > 0
    assert b"<title>Study of Tiny</title>" in (desk.get(first["address"]) or b"")
    _, _, secret, name = first["address"].split("/")
    for wrong in (secret[:-1], secret + "x", "", "\u00e4"):
        assert desk.studies.page(wrong, name) is None
    for other in ("variants.toml", name.replace(".html", ".games"), f"../{name}", f"x/{name}"):
        assert desk.studies.page(secret, other) is None
    # another server goes on with it
    again = Desk(desk.folder, (*QUICK[:-3], "2", "--threads", "1"))
    assert again.ask("study", variant="tiny")["spent"] == first["spent"]
    (journal,) = desk.folder.glob("study-*.games")
    before = journal.read_text()
    again.ask("beginstudy", variant="tiny", minutes=30)
    more = again.over()
    assert more["fault"] == ""
    assert journal.read_text().startswith(before)
    assert len(journal.read_text()) > len(before)
    desk.file.write_text(TINY.format(title="Small"))
    changed = desk.ask("study", variant="tiny")
    assert (changed["title"], changed["spent"], changed["address"]) == ("Small", 0.0, "")
    desk.ask("beginstudy", variant="tiny", minutes=5)
    changed = desk.over()
    assert b"<title>Study of Small</title>" in (desk.get(changed["address"]) or b"")
    assert len([*desk.folder.glob("study-tiny-*.games")]) == 2
    assert journal.exists()


def test_one_at_a_time_and_stopped(tmp_path: Path) -> None:
    (tmp_path / "variants.toml").write_text(TINY.format(title="Tiny"))
    desk = Desk(tmp_path, ENDLESS)
    desk.ask("beginstudy", variant="tiny", minutes=120)
    try:
        for variant in ("tiny", "chess"):
            refused = desk.ask("beginstudy", variant=variant, minutes=5)
            assert refused["fault"] == "a study of Tiny is running: stop it first"
        end = time.monotonic() + patient(60)
        while not desk.ask("study", variant="tiny")["spent"]:
            assert time.monotonic() < end
            time.sleep(0.05)
        (process,) = [desk.studies._running]
        assert process is not None
        assert os.getpriority(os.PRIO_PROCESS, process.process._process.pid) >= 15
        desk.studies.do_stopstudy(desk.page, Request({}))
        stopped = desk.over()
        assert stopped["fault"] == ""
        assert b"<title>Study of Tiny</title>" in (desk.get(stopped["address"]) or b"")
    finally:
        desk.studies.end()


def test_faults_are_one_line(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for variant, minutes, fault in (
        ("nothing", 5, "unknown variant 'nothing'"),
        ("tiny", 7, "a study takes 5, 30, 120 minutes"),
    ):
        answer = desk.ask("beginstudy", variant=variant, minutes=minutes)
        assert fault in answer["fault"]
        assert answer["running"] is None

    def no_larger_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    popen = functools.partial(subprocess.Popen, preexec_fn=no_larger_files)
    with monkeypatch.context() as limits:
        limits.setattr(study_process.subprocess, "Popen", popen)
        desk.ask("beginstudy", variant="tiny", minutes=5)
    full = desk.over()
    (journal,) = desk.folder.glob("study-*.games")
    assert full["fault"] == f"{journal}: File too large"
    desk.ask("beginstudy", variant="tiny", minutes=5)  # there is room again: it goes on
    assert desk.over()["fault"] == ""
    journal.write_text("something else")
    desk.ask("beginstudy", variant="tiny", minutes=5)
    assert "is not games of a study" in desk.over()["fault"]
    desk.file.write_text("[tiny]\nfiles = = 3")
    assert "the file of your own games:2: " in desk.ask("study", variant="tiny")["fault"]


def processes_of(journal: Path) -> list[Path]:
    """The processes whose command names a file."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(journal) in path.read_bytes():
                found.append(path)
        except OSError:
            continue  # it has just ended
    return found


@pytest.mark.parametrize("kill", [False, True], ids=["ended", "killed"])
def test_it_ends_with_the_server(kill: bool, tmp_path: Path) -> None:
    """Its page needs the address from the socket, and runs in a sandbox."""
    home = tmp_path / "home"
    own = home / "ryugi-engine" / "variants.toml"
    own.parent.mkdir(parents=True)
    own.write_text(TINY.format(title="Tiny"))
    server = WebServer(home, "--variant", "gorogo")

    async def run() -> Path:
        async with connected(server) as page:
            begun = await page("beginstudy", "study", variant="tiny", minutes=5)
            assert begun["fault"] == ""
            end = time.monotonic() + patient(90)
            while not (await page("study", "study", variant="tiny"))["spent"]:
                assert time.monotonic() < end
                await asyncio.sleep(0.1)
            (journal,) = own.parent.glob("study-*.games")
            if kill:
                return journal
            await page("stopstudy", "studied")
            while (now := await page("study", "study", variant="tiny"))["running"]:
                assert time.monotonic() < end
                await asyncio.sleep(0.1)
            await page("beginstudy", "study", variant="tiny", minutes=30)
            async with aiohttp.ClientSession() as session:
                address = f"http://{server.host}{now['address']}"
                async with session.get(address) as answer:
                    assert answer.status == 200
                    assert "Study of Tiny" in await answer.text()
                    policy = answer.headers["Content-Security-Policy"]
                    assert policy.startswith("sandbox allow-scripts allow-downloads; default-src")
                    assert answer.headers["X-Content-Type-Options"] == "nosniff"
                async with session.get(address, headers={"Host": "evil.example"}) as answer:
                    assert answer.status == 403
                async with session.get(address.replace("/study/", "/study/x")) as answer:
                    assert answer.status == 404
            return journal

    journal = asyncio.run(run())
    assert processes_of(journal)
    if kill:
        server.errors()
    else:
        assert server.stop() == "ryugi-engine: interrupted\n"
    end = time.monotonic() + patient(20)
    while processes_of(journal):
        assert time.monotonic() < end
        time.sleep(0.05)
