"""The Bot API over HTTP: /bot<token>/<method>, as an ordinary bot library calls it."""

import asyncio
import json
import re
import time
from typing import Any

import aiohttp
from aiohttp import web

from tgbot.sandbox import schema
from tgbot.sandbox.delivery import Delivery
from tgbot.sandbox.errors import Refused, bad_request
from tgbot.sandbox.faults import BAD_GATEWAY, Fault, Faults
from tgbot.sandbox.limits import Limits
from tgbot.sandbox.methods import METHODS
from tgbot.sandbox.methods.updates import allowed_updates
from tgbot.sandbox.schema import Upload
from tgbot.sandbox.world import World

Raw = dict[str, Any]
Uploads = dict[str, Upload]

MAX_BODY = 50 * 1024 * 1024
LONGEST_SILENCE = 600.0
_NOT_BY_WEBHOOK = ("setwebhook", "deletewebhook", "close", "logout")


class Api:
    """Answers the bot's calls. `faults` and `limits` are free to be set by tests and by the page."""

    def __init__(self, world: World, faults: Faults, limits: Limits, retry_unit: float = 1.0) -> None:
        self.world = world
        self.faults = faults
        self.limits = limits
        self.delivery = Delivery(world, self.webhook_reply, retry_unit)
        self.stopping = asyncio.Event()

    def routes(self) -> list[web.RouteDef]:
        path = r"/bot{token:[^/]*}/{method:[^/]*}"
        return [web.get(path, self.handle), web.post(path, self.handle)]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        token, method = request.match_info["token"], request.match_info["method"]
        started, at = time.perf_counter(), self.world.now()
        raw: Raw = {}
        fault: Fault | None = None
        answer: dict[str, Any] = {}
        try:
            self.check_token(token)
            raw, uploads = await self.parsed(request)
            fault = self.faults.take(method, chat_of(raw))
            if fault is not None:
                self.world.emit("faults")
                if fault.kind in ("timeout", "delay"):
                    await self.wait(fault)
                if refusal := fault.refusal():
                    raise refusal
            if fault is None or fault.kind in ("drop", "delay"):
                answer = {"ok": True, "result": await self.call(method, raw, uploads)}
        except Refused as refused:
            answer = refused.answer()
        self.record(method, raw, answer, fault, started, at)
        return self.respond(request, answer, fault)

    def check_token(self, token: str) -> None:
        if not re.fullmatch(r"[0-9]+:[A-Za-z0-9_-]+", token):
            raise Refused(404, "Not Found")
        if token != self.world.bot.token:
            raise Refused(401, "Unauthorized")

    @staticmethod
    async def parsed(request: web.Request) -> tuple[Raw, Uploads]:
        try:
            return await read_body(request)
        except UnicodeDecodeError:
            raise bad_request("strings must be encoded in UTF-8") from None
        except ValueError:  # aiohttp's word for a multipart body that is none
            raise bad_request("can't parse the request's body") from None

    async def wait(self, fault: Fault) -> None:
        """Until the fault's delay is over, or the sandbox stops."""
        pause = LONGEST_SILENCE if fault.kind == "timeout" else fault.seconds
        try:
            await asyncio.wait_for(self.stopping.wait(), pause)
        except TimeoutError:
            return

    def respond(
        self, request: web.Request, answer: dict[str, Any], fault: Fault | None
    ) -> web.StreamResponse:
        if fault is not None and fault.kind in ("timeout", "drop"):
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=499)
        if fault is not None and fault.kind == "502":
            return web.Response(status=502, text=BAD_GATEWAY, content_type="text/html")
        headers = {}
        if "retry_after" in answer.get("parameters", {}):
            headers["Retry-After"] = str(answer["parameters"]["retry_after"])
        return web.json_response(answer, status=answer.get("error_code", 200), headers=headers)

    async def call(self, method: str, raw: Raw, uploads: Uploads) -> Any:
        """One call, checked against the documented fields, the limits and the world. Raises Refused."""
        name = schema.canonical(method)
        params = schema.checked(name, raw, uploads)
        chat_id = params.get("chat_id")
        self.limits.count(name, chat_id if isinstance(chat_id, int) else None)
        if name == "getUpdates":
            hook = self.world.data.webhook
            hook.allowed_updates = allowed_updates(params, hook.allowed_updates)
            return await self.delivery.get_updates(params)
        return METHODS[name](self.world, params)

    def record(
        self, method: str, raw: Raw, answer: dict[str, Any], fault: Fault | None, started: float, at: float
    ) -> None:
        silent = fault is not None and fault.kind in ("timeout", "502")
        self.world.emit(
            "call",
            method=method,
            chat_id=chat_of(raw),
            ok=answer.get("ok", False) and not (fault and fault.kind == "drop"),
            code=502 if fault and fault.kind == "502" else 0 if silent else answer.get("error_code", 200),
            description=f"fault: {fault.kind}" if fault else answer.get("description"),
            ms=round((time.perf_counter() - started) * 1000, 1),
            at=at,
            body={key: f"<{len(v.data)} bytes>" if isinstance(v, Upload) else v for key, v in raw.items()},
            answer=answer,
        )

    async def webhook_reply(self, response: aiohttp.ClientResponse) -> None:
        """A webhook may answer with a method to call; Telegram calls it and tells nobody how it went."""
        try:
            raw, uploads = await read_reply(response)
        except Refused:
            return  # whatever the bot's server says beside 2xx and a call is not Telegram's concern
        method = str(raw.pop("method", ""))
        if not method or method.lower() in _NOT_BY_WEBHOOK or method.lower().startswith("get"):
            return
        started, at = time.perf_counter(), self.world.now()
        try:
            answer = {"ok": True, "result": await self.call(method, raw, uploads)}
        except Refused as refused:
            answer = refused.answer()
        self.record(method, raw, answer, None, started, at)


def chat_of(raw: Raw) -> int | None:
    given = str(raw.get("chat_id", ""))
    return int(given) if re.fullmatch(r"-?[0-9]{1,18}", given) else None


async def read_body(request: web.Request) -> tuple[Raw, Uploads]:
    """Parameters from the query, and from a JSON, urlencoded or multipart body."""
    raw: Raw = dict(request.query)
    if not request.can_read_body:
        return raw, {}
    if request.content_type == "application/json":
        return raw | json_object(await request.text()), {}
    uploads: Uploads = {}
    if request.content_type == "multipart/form-data":
        parts = await read_parts(aiohttp.MultipartReader(request.headers, request.content))
        for name, value in parts.items():
            if isinstance(value, Upload):
                uploads[name] = value
            raw[name] = value
    elif request.content_type == "application/x-www-form-urlencoded":
        raw |= {name: str(value) for name, value in (await request.post()).items()}
    return without_attachments(raw, uploads), uploads


async def read_reply(response: aiohttp.ClientResponse) -> tuple[Raw, Uploads]:
    if response.content_type == "application/json":
        text = await response.text()
        return (json_object(text) if text.strip() else {}), {}
    if response.content_type == "multipart/form-data":
        raw = await read_parts(aiohttp.MultipartReader(response.headers, response.content))
        uploads = {name: value for name, value in raw.items() if isinstance(value, Upload)}
        return without_attachments(raw, uploads), uploads
    await response.read()
    return {}, {}


def without_attachments(raw: Raw, uploads: Uploads) -> Raw:
    """Files that another field names by attach:// are not fields themselves."""
    named = {value.removeprefix("attach://") for value in raw.values() if isinstance(value, str)}
    return {name: value for name, value in raw.items() if not (name in uploads and name in named)}


def json_object(text: str) -> Raw:
    try:
        parsed = json.loads(text)
    except ValueError:
        raise bad_request("can't parse the request's JSON") from None
    if not isinstance(parsed, dict):
        raise bad_request("the request's JSON is no object")
    return parsed


async def read_parts(reader: aiohttp.MultipartReader) -> Raw:
    raw: Raw = {}
    size = 0
    while (part := await reader.next()) is not None:
        if not isinstance(part, aiohttp.BodyPartReader) or part.name is None:
            raise bad_request("can't parse the multipart body")
        data = bytes(await part.read(decode=True))
        size += len(data)
        if size > MAX_BODY:
            raise Refused(413, "Request Entity Too Large")
        if part.filename is not None:
            raw[part.name] = Upload(part.filename, data, part.headers.get("Content-Type", ""))
        else:
            raw[part.name] = data.decode()
    return raw
