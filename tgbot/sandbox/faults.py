"""Failures on demand: what Telegram, or the network before it, does to a bot now and then."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from tgbot.sandbox.errors import Impossible, Refused, forbidden, too_many_requests

Kind = Literal["429", "403", "500", "502", "timeout", "drop", "delay"]
KINDS: tuple[Kind, ...] = get_args(Kind)

BAD_GATEWAY = (
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n"
    "<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n"
)


@dataclass
class Fault:
    """One order to fail. Without a count it stays until it is cleared; `seconds` is a delay or a retry_after."""

    id: int
    kind: Kind
    method: str = "*"
    chat_id: int | None = None
    count: int | None = None
    seconds: float = 1.0

    def concerns(self, method: str, chat_id: int | None) -> bool:
        same_method = self.method == "*" or self.method.lower() == method.lower()
        return same_method and self.chat_id in (None, chat_id)

    def refusal(self) -> Refused | None:
        """The answer of a fault that is one; None for those that concern the connection."""
        match self.kind:
            case "429":
                return too_many_requests(max(1, round(self.seconds)))
            case "403":
                return forbidden("bot was blocked by the user")
            case "500":
                return Refused(500, "Internal Server Error")
            case _:
                return None


@dataclass
class Faults:
    waiting: list[Fault] = field(default_factory=list)
    last_id: int = 0

    def add(
        self,
        kind: str,
        method: str = "*",
        chat_id: int | None = None,
        count: int | None = None,
        seconds: float = 1.0,
    ) -> Fault:
        if kind not in KINDS:
            raise Impossible(f"There is no fault {kind!r}; there are {', '.join(KINDS)}.")
        if count is not None and count < 1:
            raise Impossible("A fault happens at least once.")
        if not 0 <= seconds <= 3600:
            raise Impossible("A fault lasts up to an hour.")
        self.last_id += 1
        fault = Fault(self.last_id, kind, method, chat_id, count, seconds)
        self.waiting.append(fault)
        return fault

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """The first fault that concerns the call, used up once. getUpdates fails only when it is named."""
        for fault in self.waiting:
            if fault.concerns(method, chat_id) and (fault.method != "*" or method != "getUpdates"):
                if fault.count is not None:
                    fault.count -= 1
                    if fault.count == 0:
                        self.waiting.remove(fault)
                return fault
        return None

    def clear(self, fault_id: int | None = None) -> None:
        self.waiting = [fault for fault in self.waiting if fault_id is not None and fault.id != fault_id]

    def report(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self.waiting]
