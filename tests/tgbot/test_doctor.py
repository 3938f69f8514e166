"""`goat doctor` says of each part in a line how it is and what to do, and never shows a secret."""

import io
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientTimeout, web
from aiohttp.test_utils import TestServer

from db import embedded
from tgbot import doctor, settings
from tgbot.doctor import Finding

TOKEN = "123456789:AAE-token-of-a-test"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BOT = {"id": 123456789, "is_bot": True, "username": "goat_bot", "can_join_groups": True}


class Telegram:
    """Answers getMe and getWebhookInfo as a test wants."""

    def __init__(self) -> None:
        self.me: dict[str, Any] = {"ok": True, "result": BOT}
        self.info: dict[str, Any] = {"url": "", "pending_update_count": 0}
        self.status = 200
        self.text: str | None = None
        app = web.Application()
        app.router.add_get(f"/bot{TOKEN}/getMe", self.get_me)
        app.router.add_get(f"/bot{TOKEN}/getWebhookInfo", self.get_webhook_info)
        self.server = TestServer(app)

    async def get_me(self, _: web.Request) -> web.Response:
        if self.text is not None:
            return web.Response(text=self.text, status=self.status)
        return web.json_response(self.me, status=self.status)

    async def get_webhook_info(self, _: web.Request) -> web.Response:
        return web.json_response({"ok": True, "result": self.info})


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    stub = Telegram()
    await stub.server.start_server()
    yield stub
    await stub.server.close()


class Doctor:
    """Examines with the variables of a test; nothing else of the environment counts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, telegram: Telegram, folder: Path) -> None:
        self.monkeypatch = monkeypatch
        for name in settings.Settings.model_fields:
            monkeypatch.delenv(name.upper(), raising=False)
        self.set(BOT_TOKEN=TOKEN, TELEGRAM_API_URL=str(telegram.server.make_url("/")), DATA_DIR=str(folder))

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self.monkeypatch.setenv(name, value)

    async def __call__(self, subject: str) -> Finding:
        findings = await doctor.examine(settings.load(), NOW)
        assert all(TOKEN not in str(finding) and "\n" not in str(finding) for finding in findings)
        (found,) = [finding for finding in findings if finding.subject == subject]
        return found


@pytest.fixture
def examine(monkeypatch: pytest.MonkeyPatch, telegram: Telegram, tmp_path: Path) -> Doctor:
    return Doctor(monkeypatch, telegram, tmp_path)


async def test_a_good_token_is_told_with_its_bot(examine: Doctor) -> None:
    found = await examine("token")
    assert (found.good, found.text) == (True, "it is @goat_bot's")


async def test_a_missing_token(examine: Doctor) -> None:
    examine.monkeypatch.delenv("BOT_TOKEN")
    found = await examine("token")
    assert not found.good
    assert "BOT_TOKEN is missing" in found.text


async def test_a_token_that_telegram_does_not_know(examine: Doctor, telegram: Telegram) -> None:
    telegram.status = 401
    telegram.me = {"ok": False, "error_code": 401, "description": "Unauthorized"}
    found = await examine("token")
    assert not found.good
    assert "copy it again from @BotFather" in found.text


async def test_a_bot_that_may_not_join_groups(examine: Doctor, telegram: Telegram) -> None:
    telegram.me = {"ok": True, "result": BOT | {"can_join_groups": False}}
    found = await examine("token")
    assert not found.good
    assert "/setjoingroups" in found.text


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (200, "<html>hello</html>", "what answers there is no Bot API server"),
        (502, "bad gateway", "what answers there is no Bot API server"),
        (500, '{"ok": false, "description": "Internal Server Error"}', "500 Internal Server Error"),
        (200, "[]", "200"),
        (200, '{"ok": true, "result": true}', "200"),
    ],
)
async def test_an_odd_answer_is_told_and_the_server_put_in_doubt(
    examine: Doctor, telegram: Telegram, status: int, text: str, said: str
) -> None:
    telegram.status, telegram.text = status, text
    found = await examine("token")
    assert not found.good
    assert found.text.startswith(f"Telegram doesn't answer ({said}")
    assert found.text.endswith("correct TELEGRAM_API_URL")


async def test_no_answer_at_all(examine: Doctor) -> None:
    examine.set(TELEGRAM_API_URL="http://127.0.0.1:1")
    assert not (await examine("token")).good


# The webhook, as Telegram reports it.

ADDRESS = "http://goat.example.org"


async def test_long_polling_needs_no_webhook(examine: Doctor, telegram: Telegram) -> None:
    telegram.info["pending_update_count"] = 3
    found = await examine("webhook")
    assert (found.good, found.text) == (True, "none is set, as long polling needs it; 3 updates wait")
    telegram.info["url"] = "https://old.example.org/webhook"
    found = await examine("webhook")
    assert not found.good
    assert "https://old.example.org/webhook" in found.text


async def test_a_webhook_that_is_not_set_yet_will_be(examine: Doctor) -> None:
    examine.set(WEBHOOK_URL=ADDRESS)
    found = await examine("webhook")
    assert found.good
    assert "`goat run` will tell Telegram to send to http://goat.example.org/webhook" in found.text


async def test_a_webhook_that_points_elsewhere(examine: Doctor, telegram: Telegram) -> None:
    examine.set(WEBHOOK_URL=ADDRESS)
    telegram.info["url"] = "https://old.example.org/webhook"
    found = await examine("webhook")
    assert not found.good
    assert "start `goat run`" in found.text


@pytest.mark.parametrize(
    ("complaint", "advice"),
    [
        ("SSL error {error:0A000086:SSL routines::certificate verify failed}", "Renew the certificate"),
        ("Wrong response from the webhook: 403 Forbidden", "give all the same"),
        ("Wrong response from the webhook: 404 Not Found", "pass /webhook on"),
        ("Wrong response from the webhook: 502 Bad Gateway", "is `goat run` running"),
        ("Failed to resolve host: Name or service not known", "DNS"),
        ("Connection refused", "firewall"),
        ("Connection timed out", "firewall"),
        ("Something new", "logs"),
    ],
)
async def test_what_telegram_complains_of_comes_with_advice(
    examine: Doctor, telegram: Telegram, complaint: str, advice: str
) -> None:
    examine.set(WEBHOOK_URL=ADDRESS)
    telegram.info |= {
        "url": f"{ADDRESS}/webhook",
        "last_error_message": complaint,
        "last_error_date": int((NOW - timedelta(minutes=5)).timestamp()),
        "pending_update_count": 7,
    }
    found = await examine("webhook")
    assert not found.good
    assert f"5 min ago: {complaint}; 7 updates wait" in found.text
    assert advice in found.text


async def test_an_old_complaint_is_no_complaint(examine: Doctor, telegram: Telegram) -> None:
    examine.set(WEBHOOK_URL=ADDRESS)
    telegram.info |= {
        "url": f"{ADDRESS}/webhook",
        "last_error_message": "Connection refused",
        "last_error_date": int((NOW - timedelta(hours=2)).timestamp()),
    }
    assert (await examine("webhook")).text == f"Telegram sends to {ADDRESS}/webhook and has no complaint"


# The database.


async def test_a_migrated_database(examine: Doctor, database: str) -> None:
    examine.set(DATABASE_URL=database)
    found = await examine("database")
    assert found.good
    assert "PostgreSQL 18" in found.text
    assert (await examine("schema")).good


async def test_an_unmigrated_database(examine: Doctor, empty_database: str) -> None:
    examine.set(DATABASE_URL=empty_database)
    found = await examine("schema")
    assert not found.good
    assert "run `goat migrate`" in found.text


async def test_a_database_that_is_not_there(examine: Doctor) -> None:
    examine.set(DATABASE_URL="postgresql://goat:topsecret@127.0.0.1:1/goat")
    found = await examine("database")
    assert not found.good
    assert "127.0.0.1:1/goat refuses the connection" in found.text
    assert "topsecret" not in found.text


async def test_an_embedded_database_that_does_not_exist_yet_is_not_made(
    examine: Doctor, tmp_path: Path
) -> None:
    found = await examine("database")
    assert found.good
    assert f"makes it in {tmp_path}/postgres" in found.text
    assert not embedded.exists(tmp_path / "postgres")


async def test_the_embedded_database_of_a_running_goat_is_looked_at(
    examine: Doctor, postgres: embedded.Server
) -> None:
    examine.set(DATA_DIR=str(postgres.folder.parent))
    found = await examine("database")
    assert found.good
    assert found.text.startswith(f"embedded in {postgres.folder}, PostgreSQL 18")


# Where the webhook listens.


async def test_a_free_port(examine: Doctor) -> None:
    examine.set(WEBHOOK_URL=ADDRESS, PORT="0")
    assert (await examine("port")).good


async def test_a_port_that_another_program_has(examine: Doctor) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0)
        examine.monkeypatch.setattr(doctor, "PATIENCE", ClientTimeout(total=0.2))
        examine.set(WEBHOOK_URL=ADDRESS, PORT=str(other.getsockname()[1]))
        found = await examine("port")
    assert not found.good
    assert "is taken by another program" in found.text


async def test_a_port_on_which_a_goat_serves(examine: Doctor) -> None:
    async def health(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    app = web.Application()
    app.router.add_get("/health", health)
    async with TestServer(app) as server:
        examine.set(WEBHOOK_URL=ADDRESS, PORT=str(server.port))
        found = await examine("port")
        assert (found.good, found.text) == (True, f"a goat serves on 127.0.0.1:{server.port}")


async def test_an_address_of_another_machine(examine: Doctor) -> None:
    examine.set(WEBHOOK_URL=ADDRESS, HOST="192.0.2.1")
    found = await examine("port")
    assert not found.good
    assert "is no address of this machine: correct HOST" in found.text


async def test_a_host_that_is_no_address_at_all(examine: Doctor) -> None:
    examine.set(WEBHOOK_URL=ADDRESS, HOST="host.invalid")
    found = await examine("port")
    assert not found.good
    assert "correct HOST" in found.text


# The command as a whole.


def test_wrong_settings_are_told_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "x")
    monkeypatch.setenv("BOT_TOKEN", "topsecret")
    out = io.StringIO()
    assert doctor.main(out) == 1
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert all(line.startswith("WRONG  settings") for line in lines)
    assert "topsecret" not in out.getvalue()


def test_the_status_tells_whether_anything_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def well(*_: object) -> list[Finding]:
        return [Finding("token", True, "it is fine")]

    for name in settings.Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setattr(doctor, "examine", well)
    out = io.StringIO()
    assert doctor.main(out) == 0
    assert out.getvalue() == "ok     settings  every variable can be read\nok     token     it is fine\n"
