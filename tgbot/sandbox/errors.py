"""What the sandbox refuses: to the bot in Telegram's words, to a person in a sentence."""

from typing import Any


class Refused(Exception):
    """A Bot API call that fails: HTTP status, description and, for some, `parameters`."""

    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters or {}

    def answer(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


class Impossible(Exception):
    """Something that a person can't do in Telegram's apps either, such as writing to a group that he has left."""


def bad_request(text: str, **parameters: Any) -> Refused:
    return Refused(400, f"Bad Request: {text}", parameters)


def forbidden(text: str) -> Refused:
    return Refused(403, f"Forbidden: {text}")


def too_many_requests(seconds: int) -> Refused:
    return Refused(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
