"""What is said once: from a code and its arguments to a sentence."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from tgbot.screens.words import clean, isolated
from tgbot.texts import Texts, marked

NOTICES = {
    "unreachable": marked(
        "📵 I can't write to {name} any more. The table waits; unblocking me in our private chat is enough."
    ),
    "reachable": marked("📶 I can write to {name} again."),
}


def notice_text(code: str, args: Mapping[str, Any], t: Texts) -> Markup:
    """Raises KeyError for a code that is not in NOTICES."""
    return t(NOTICES[code], name=isolated(clean(str(args["name"]))))
