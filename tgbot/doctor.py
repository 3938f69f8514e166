"""`goat doctor`: asks everything that the bot depends on, and says of each in a line how it is and what to do."""

import asyncio
import contextlib
import errno
import json
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TextIO

import aiohttp

from db import embedded, migrate
from db.errors import OperatorError
from db.pool import connect, explained, where
from tgbot import settings
from tgbot.database import embedded_folder, looked_at
from tgbot.settings import Settings, SettingsError

PATIENCE = aiohttp.ClientTimeout(total=10)
RECENT = timedelta(hours=1)  # an older complaint of Telegram's about our webhook says nothing about today


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. `good` is False for what must be mended before the bot can work."""

    subject: str
    good: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok   ' if self.good else 'WRONG'}  {self.subject:<9} {' '.join(self.text.split())}"


class Refused(Exception):
    """Telegram's or the network's answer to a call; `str()` holds neither token nor address."""

    def __init__(self, text: str, code: int = 0) -> None:
        super().__init__(text)
        self.code = code


def main(out: TextIO) -> int:
    """Prints the findings; 0 when all is good, else 1."""
    try:
        loaded = settings.load()
    except SettingsError as error:
        findings = [Finding("settings", False, line) for line in error.lines]
    else:
        findings = [Finding("settings", True, "every variable can be read")]
        findings += asyncio.run(examine(loaded, datetime.now(UTC)))
    for finding in findings:
        out.write(f"{finding}\n")
    return 0 if all(finding.good for finding in findings) else 1


async def examine(loaded: Settings, now: datetime) -> list[Finding]:
    findings = [finding async for finding in _telegram(loaded, now)]
    findings += [finding async for finding in _database(loaded)]
    if loaded.webhook_url is not None:
        findings.append(await _listening(loaded))
    return findings


async def _telegram(loaded: Settings, now: datetime) -> AsyncIterator[Finding]:
    if loaded.bot_token is None:
        text = "BOT_TOKEN is missing: get a token from @BotFather, or try `goat play`, which needs none"
        yield Finding("token", False, text)
        return
    async with aiohttp.ClientSession(timeout=PATIENCE) as session:
        try:
            me = await _call(session, loaded, "getMe")
        except Refused as error:
            yield Finding("token", False, _why_no_bot(error, loaded))
            return
        joins = me.get("can_join_groups", True)
        text = (
            f"it is @{me.get('username')}'s"
            if joins
            else (
                f"@{me.get('username')} may not join groups, where the tables are: see @BotFather's /setjoingroups"
            )
        )
        yield Finding("token", joins, text)
        try:
            info = await _call(session, loaded, "getWebhookInfo")
        except Refused as error:
            yield Finding("webhook", False, f"Telegram doesn't tell ({error}): try again")
            return
        yield _webhook(loaded, info, now)


def _why_no_bot(error: Refused, loaded: Settings) -> str:
    if error.code in (401, 404):
        return "Telegram doesn't know this token: copy it again from @BotFather (/mybots, API Token)"
    server = "" if loaded.telegram_api_url == settings.TELEGRAM else " or correct TELEGRAM_API_URL"
    return f"Telegram doesn't answer ({error}): check this machine's network{server}"


def _webhook(loaded: Settings, info: dict[str, Any], now: datetime) -> Finding:
    at, wanted = info.get("url") or None, loaded.webhook_address
    waiting = int(info.get("pending_update_count", 0))
    queue = f"; {waiting} updates wait" if waiting else ""
    if wanted is None:
        if at is None:
            return Finding("webhook", True, f"none is set, as long polling needs it{queue}")
        return Finding(
            "webhook",
            False,
            f"Telegram sends to {at}, and WEBHOOK_URL is not set: set it, or start `goat run`, which removes it",
        )
    if at is None:
        return Finding(
            "webhook", True, f"not set yet: `goat run` will tell Telegram to send to {wanted}{queue}"
        )
    if at != wanted:
        return Finding(
            "webhook",
            False,
            f"Telegram sends to {at}, and WEBHOOK_URL means {wanted}: start `goat run`, which corrects it",
        )
    complaint, since = info.get("last_error_message"), int(info.get("last_error_date", 0))
    age = now - datetime.fromtimestamp(since, UTC)
    if complaint and age < RECENT:
        minutes = max(0, int(age.total_seconds() // 60))
        return Finding(
            "webhook",
            False,
            f"Telegram could not deliver to {at} {minutes} min ago: {complaint}{queue}. {_advice(str(complaint))}",
        )
    return Finding("webhook", True, f"Telegram sends to {at} and has no complaint{queue}")


def _advice(complaint: str) -> str:
    """What to do about a `last_error_message`."""
    text = complaint.lower()
    for words, advice in (
        (("certificate", "ssl"), "Renew the certificate and serve its whole chain"),
        (("403",), "Another process set another WEBHOOK_SECRET: give all the same and restart them"),
        (("404",), f"Let the web server pass {settings.WEBHOOK_PATH} on to goat"),
        (
            ("502", "503", "504"),
            "The web server doesn't reach goat: is `goat run` running, are HOST and PORT the same?",
        ),
        (("resolve", "host"), "Correct the name in WEBHOOK_URL or its DNS record"),
        (("refused", "timed out", "timeout"), "Open the port in the firewall and start the web server"),
    ):
        if any(word in text for word in words):
            return advice
    return "See the logs of the web server and of goat"


async def _call(session: aiohttp.ClientSession, loaded: Settings, method: str) -> dict[str, Any]:
    """A Bot API method without parameters. Raises Refused, whose words never hold the address: the token is in it."""
    try:
        async with session.get(f"{loaded.telegram_api_url}/bot{loaded.token}/{method}") as response:
            body = json.loads(await response.read())
            status = response.status
    except TimeoutError:
        raise Refused("no answer within 10 seconds") from None
    except aiohttp.ClientConnectorError as error:
        raise Refused(error.os_error.strerror or "no connection") from None
    except aiohttp.ClientError as error:
        raise Refused(type(error).__name__) from None
    except ValueError:
        raise Refused("what answers there is no Bot API server") from None
    if not isinstance(body, dict) or not body.get("ok") or not isinstance(body.get("result"), dict):
        description = body.get("description", "") if isinstance(body, dict) else ""
        raise Refused(f"{status} {description}".strip(), status)
    result: dict[str, Any] = body["result"]
    return result


async def _database(loaded: Settings) -> AsyncIterator[Finding]:
    folder = embedded_folder(loaded)
    try:
        if loaded.database_url is None and not embedded.exists(folder):
            made = f"embedded; the first `goat run` or `goat migrate` makes it in {folder}"
            yield Finding("database", True, made)
            return
        with looked_at(loaded.database_url, folder) as dsn:
            connection = await connect(dsn)
            try:
                place = f"embedded in {folder}" if loaded.database_url is None else where(dsn)
                version = await explained(dsn, connection.fetchval("SHOW server_version"))
                yield Finding("database", True, f"{place}, PostgreSQL {str(version).split()[0]}")
                yield await _migrations(dsn, connection)
            finally:
                await connection.close()
    except OperatorError as error:
        yield Finding("database", False, str(error))


async def _migrations(dsn: str, connection: Any) -> Finding:
    try:
        state = await explained(dsn, migrate.check(connection))
    except OperatorError as error:
        return Finding("schema", False, str(error))
    if state.is_newer:
        return Finding(
            "schema", True, f"revision {state.current} is newer than this goat: update it when you can"
        )
    return Finding("schema", True, f"revision {state.current}, as this goat needs it")


async def _listening(loaded: Settings) -> Finding:
    """Whether HOST and PORT are free, or a goat serves there already."""
    place = f"{loaded.host}:{loaded.port}"
    try:
        with _free(loaded.host, loaded.port):
            return Finding("port", True, f"{place} is free")
    except OSError as error:
        if error.errno == errno.EADDRINUSE and await _is_goat(loaded):
            return Finding("port", True, f"a goat serves on {place}")
        reason = {
            errno.EADDRINUSE: "is taken by another program: stop that, or set PORT to another",
            errno.EACCES: "may not be used by this user: set PORT to 1024 or more",
            errno.EADDRNOTAVAIL: "is no address of this machine: correct HOST",
        }.get(error.errno or 0, f"can't be used ({error.strerror}): correct HOST and PORT")
        return Finding("port", False, f"{place} {reason}")


@contextlib.contextmanager
def _free(host: str, port: int) -> Iterator[None]:
    family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, number) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        yield


async def _is_goat(loaded: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(loaded.host, loaded.host)  # noqa: S104 - compared only
    try:
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as session,
            session.get(f"http://{host}:{loaded.port}{settings.HEALTH_PATH}") as response,
        ):
            return (await response.text()).strip() in ("ok", "no database")
    except (aiohttp.ClientError, TimeoutError, ValueError):
        return False
