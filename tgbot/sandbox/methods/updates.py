"""Webhook settings and answers to callback queries. getUpdates itself waits, and lives in delivery.py."""

import ipaddress
import re
from typing import Any
from urllib.parse import urlsplit

from tgbot.sandbox import entities, schema
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import Params, start_payload
from tgbot.sandbox.model import Webhook
from tgbot.sandbox.people import PAYLOAD
from tgbot.sandbox.state import QUERY_LIFE, State

_PORTS = (443, 80, 88, 8443)


def allowed_updates(params: Params, current: list[str] | None) -> list[str] | None:
    """The new setting: names that exist, None for the default, the current one when nothing is said."""
    if "allowed_updates" not in params:
        return current
    known = schema.table()["types"]["Update"].keys() - {"update_id"}
    for name in params["allowed_updates"]:
        if name not in known:
            raise bad_request(f'unknown update type "{name}" in allowed_updates')
    return params["allowed_updates"] or None


def set_webhook(state: State, params: Params) -> Any:
    url = params["url"]
    if not url:
        return delete_webhook(state, params)
    if "certificate" in params:
        raise bad_request("bad webhook: the sandbox takes no certificate")
    check_url(url)
    if not 1 <= params.get("max_connections", 40) <= 100:
        raise bad_request("max_connections must be between 1 and 100")
    secret = params.get("secret_token", "")
    if len(secret) > 256:
        raise bad_request("secret token is too long")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", secret):
        raise bad_request("secret token contains unallowed characters")
    old = state.data.webhook
    state.data.webhook = Webhook(
        url,
        secret,
        params.get("max_connections", 40),
        allowed_updates(params, old.allowed_updates),
        params.get("ip_address"),
    )
    if params.get("drop_pending_updates"):
        state.data.updates.clear()
    state.emit("webhook")
    return True


def check_url(url: str) -> None:
    """As a Bot API server with --local does it: http is fine on this machine and its network, else https only."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise bad_request("bad webhook: URL is invalid") from None
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    try:
        near = ipaddress.ip_address(host).is_private
    except ValueError:
        near = host == "localhost" or "." not in host
    if near:
        return
    if parts.scheme != "https":
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if (port or 443) not in _PORTS:
        raise bad_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")


def delete_webhook(state: State, params: Params) -> Any:
    state.data.webhook = Webhook(allowed_updates=state.data.webhook.allowed_updates)
    if params.get("drop_pending_updates"):
        state.data.updates.clear()
    state.emit("webhook")
    return True


def get_webhook_info(state: State, _params: Params) -> Any:
    hook = state.data.webhook
    info: dict[str, Any] = {
        "url": hook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(state.data.updates),
    }
    if hook.url:
        info |= {"max_connections": hook.max_connections, "ip_address": hook.ip_address or "127.0.0.1"}
    if hook.allowed_updates:
        info["allowed_updates"] = hook.allowed_updates
    if hook.last_error_date:
        info |= {"last_error_date": hook.last_error_date, "last_error_message": hook.last_error_message}
    return info


def answer_callback_query(state: State, params: Params) -> Any:
    query = state.data.queries.get(params["callback_query_id"])
    if query is None or query.answer is not None or state.now() - query.at > QUERY_LIFE:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    text = params.get("text", "")
    if entities.utf16_length(text) > 200:
        raise bad_request("MESSAGE_TOO_LONG")
    url = params.get("url") or None
    if url is not None:
        payload = start_payload(state, url)
        if payload is None or not PAYLOAD.fullmatch(payload):
            raise bad_request("URL_INVALID")
    if not 0 <= params.get("cache_time", 0) <= 2**31 - 1:
        raise bad_request("invalid cache_time specified")
    query.answer = {"text": text or None, "alert": params.get("show_alert", False), "url": url}
    state.emit("toast", query=query)
    return True
