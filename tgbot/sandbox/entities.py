"""Telegram's HTML and the entities that it finds by itself. Offsets are in UTF-16 units, as in the Bot API.

The HTML parser does what TDLib's `parse_html` does, error texts and byte offsets (in UTF-8) included.
"""

import re
from dataclasses import dataclass
from typing import Any

from tgbot.sandbox.errors import bad_request

Entity = dict[str, Any]

MAX_ENTITIES = 100

_SIMPLE = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
}
_TAGS = {*_SIMPLE, "a", "code", "pre", "blockquote", "tg-emoji", "tg-time"}
_NAMED = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_SPACE = b" \t\r\n\0\v"
_REFERENCE = re.compile(rb"&(?:#[xX]([0-9a-fA-F]{1,8})|#([0-9]{1,10})|([a-zA-Z]{2,4}));?")
_AUTOMATIC = re.compile(
    r"(?P<url>https?://[^\s<>\"«»]*[^\s<>\"«».,:;!?)\]}']|(?<![\w@./])t\.me/[\w/?=&%+-]*[\w/])"
    r"|(?<![\w@/.])(?P<mention>@[A-Za-z][A-Za-z0-9_]{2,31})(?![\w@])"
    r"|(?<![\w/<>])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?![\w/])"
    r"|(?<![\w#])(?P<hashtag>#(?=\w*[^\W\d])\w{1,256})(?![\w#])"
)
_CLOSED = {
    "code",
    "pre",
    "text_link",
    "text_mention",
    "custom_emoji",
    "url",
    "mention",
    "bot_command",
    "hashtag",
}


_CONTROL = {code: " " for code in range(32) if code != 10} | {13: None}
_DIRECTION = dict.fromkeys(range(0x2028, 0x202F))


def cleaned(text: str) -> str:
    """Text as Telegram keeps it: control characters become spaces; line separators and direction marks go."""
    return text.translate(_CONTROL | _DIRECTION)


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def utf16_slice(text: str, offset: int, length: int) -> str:
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le")


@dataclass
class _Open:
    tag: str
    argument: str
    offset: int  # in UTF-16 units of the result
    start: int  # in characters of the result
    format: str = ""


def cannot_parse(reason: str) -> Exception:
    return bad_request(f"can't parse entities: {reason}")


class _Html:
    """One pass over the UTF-8 bytes, because Telegram reports byte offsets."""

    def __init__(self, html: str) -> None:
        self.bytes = html.encode()
        self.at = 0
        self.out: list[str] = []
        self.length = 0
        self.chars = 0
        self.open: list[_Open] = []
        self.entities: list[Entity] = []

    def peek(self) -> bytes:
        return self.bytes[self.at : self.at + 1]

    def put(self, text: str) -> None:
        self.out.append(text)
        self.chars += len(text)
        self.length += utf16_length(text)

    def reference(self) -> str | None:
        """The character of the reference at `at`, which it skips; None when there is none."""
        match = _REFERENCE.match(self.bytes, self.at)
        if not match:
            return None
        hexadecimal, decimal, name = match.groups()
        if name is not None:
            character = _NAMED.get(name)
        else:
            code = int(hexadecimal, 16) if hexadecimal else int(decimal)
            valid = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
            character = chr(code) if valid else None
        if character is not None:
            self.at = match.end()
        return character

    def spaces(self) -> None:
        while self.at < len(self.bytes) and self.peek() in _SPACE:
            self.at += 1

    def until(self, stops: bytes) -> bytes:
        start = self.at
        while self.at < len(self.bytes) and self.peek() not in stops:
            self.at += 1
        return self.bytes[start : self.at]

    def parse(self) -> tuple[str, list[Entity]]:
        while self.at < len(self.bytes):
            if self.peek() == b"&":
                character = self.reference()
                if character is None:
                    self.at += 1
                    character = "&"
                self.put(character)
            elif self.peek() == b"<":
                if self.bytes[self.at + 1 : self.at + 2] == b"/":
                    self.end_tag()
                else:
                    self.start_tag()
            else:
                self.put(self.until(b"&<").decode())
        if self.open:
            raise cannot_parse(f'Can\'t find end tag corresponding to start tag "{self.open[-1].tag}"')
        return "".join(self.out), self.entities

    def start_tag(self) -> None:
        begin = self.at
        self.at += 1
        tag = self.until(_SPACE + b">").decode().lower()
        if self.at >= len(self.bytes):
            raise cannot_parse(f"Unclosed start tag at byte offset {begin}")
        if tag not in _TAGS:
            raise cannot_parse(f'Unsupported start tag "{tag}" at byte offset {begin}')
        opened = _Open(tag, "", self.length, self.chars)
        while self.peek() != b">":
            self.spaces()
            if self.peek() == b">":
                break
            name, value = self.attribute(tag, begin)
            self.use_attribute(opened, name, value)
        self.at += 1
        if tag == "span" and opened.argument != "spoiler":
            raise cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(opened)

    def attribute(self, tag: str, begin: int) -> tuple[str, str]:
        name = self.until(_SPACE + b"=>").decode().lower()
        if not name:
            raise cannot_parse(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self.spaces()
        if self.at >= len(self.bytes):
            raise cannot_parse(f'Unclosed start tag "{tag}" at byte offset {begin}')
        if self.peek() != b"=":
            return name, ""
        self.at += 1
        self.spaces()
        if self.at >= len(self.bytes):
            raise cannot_parse(f'Unclosed start tag "{tag}" at byte offset {begin}')
        value = self.quoted() if self.peek() in (b"'", b'"') else self.token()
        if self.at >= len(self.bytes):
            raise cannot_parse(f"Unclosed start tag at byte offset {begin}")
        return name, value

    def token(self) -> str:
        start = self.at
        while re.match(rb"[A-Za-z0-9.\-]", self.peek()):
            self.at += 1
        if self.at < len(self.bytes) and self.peek() not in _SPACE + b">":
            raise cannot_parse(f"Unexpected end of name token at byte offset {start}")
        return self.bytes[start : self.at].decode().lower()

    def quoted(self) -> str:
        quote = self.peek()
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.bytes) and self.peek() != quote:
            character = self.reference() if self.peek() == b"&" else None
            if character is not None:
                parts.append(character)
            else:
                first = self.peek()
                self.at += 1
                parts.append((first + self.until(b"&" + quote)).decode())
        self.at += 1
        return "".join(parts)

    @staticmethod
    def use_attribute(opened: _Open, name: str, value: str) -> None:
        match opened.tag, name:
            case ("a", "href") | ("tg-emoji", "emoji-id") | ("tg-time", "unix"):
                opened.argument = value
            case "tg-time", "format":
                opened.format = value
            case "code", "class" if value.startswith("language-"):
                opened.argument = value.removeprefix("language-")
            case "span", "class" if value.startswith("tg-"):
                opened.argument = value.removeprefix("tg-")
            case "blockquote", "expandable":
                opened.argument = "1"
            case _:  # Telegram ignores attributes that it does not know
                pass

    def end_tag(self) -> None:
        begin = self.at
        if not self.open:
            raise cannot_parse(f"Unexpected end tag at byte offset {begin}")
        self.at += 2
        name = self.until(_SPACE + b">").decode().lower()
        self.spaces()
        if self.peek() != b">":
            raise cannot_parse(f"Unclosed end tag at byte offset {begin}")
        self.at += 1
        opened = self.open.pop()
        if name and name != opened.tag:
            raise cannot_parse(
                f'Unmatched end tag at byte offset {begin}, expected "</{opened.tag}>", found "</{name}>"'
            )
        length = self.length - opened.offset
        if length:
            self.close(opened, length)

    def close(self, opened: _Open, length: int) -> None:
        entity: Entity = {
            "type": _SIMPLE.get(opened.tag, opened.tag),
            "offset": opened.offset,
            "length": length,
        }
        last = self.entities[-1] if self.entities else None
        twin = last if last and (last["offset"], last["length"]) == (opened.offset, length) else None
        match opened.tag:
            case "tg-emoji":
                if not re.fullmatch(r"[1-9][0-9]{0,18}", opened.argument) or int(opened.argument) >= 2**63:
                    raise cannot_parse("Invalid custom emoji identifier specified")
                entity |= {"type": "custom_emoji", "custom_emoji_id": opened.argument}
            case "tg-time":
                if not re.fullmatch(r"[0-9]{1,10}", opened.argument):
                    raise cannot_parse('Tag "tg-time" must have attribute "unix"')
                entity |= {"type": "date_time", "unix_time": int(opened.argument)}
                if opened.format:
                    entity["date_time_format"] = opened.format
            case "a":
                url = opened.argument or "".join(self.out)[opened.start :]
                link = link_entity(url)
                if link is None:
                    return  # Telegram drops a link whose address is invalid and keeps its text
                entity |= link
            case "blockquote":
                entity["type"] = "expandable_blockquote" if opened.argument else "blockquote"
            case "pre" if twin and twin["type"] == "code" and "language" in twin:
                twin["type"] = "pre"
                return
            case "code" if opened.argument:
                entity["language"] = opened.argument  # goes when no <pre> closes around it
            case _:
                pass
        self.entities.append(entity)


def link_entity(url: str) -> Entity | None:
    """What <a href=url> becomes: a text link, the mention of a user, or None when the address is invalid."""
    user = re.fullmatch(r"tg://user/?\?id=([0-9]{1,16})", url)
    if user:
        return {"type": "text_mention", "user_id": int(user.group(1))}
    checked = checked_url(url)
    return {"type": "text_link", "url": checked} if checked else None


def checked_url(url: str) -> str | None:
    """The address as Telegram keeps it, with a scheme and a path; None when it would not be taken."""
    url = url.strip()
    if re.match(r"(tg|ton|tonsite):", url, re.IGNORECASE):
        return url if re.fullmatch(r"(?i)(tg|ton|tonsite):(//)?[\w.~:/?#@!$&'()*+,;=%-]+", url) else None
    match = re.fullmatch(r"(?i)(?:(https?)://)?([^\s/?#]+)([/?#]\S*)?", url)
    if not match:
        return None
    scheme, host, rest = match.groups()
    name = re.fullmatch(r"(?:[^@]*@)?(\[[0-9a-fA-F:]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?", host)
    if not name or int(name.group(2) or 1) not in range(1, 65536):
        return None
    bare = name.group(1)
    if not bare.startswith("[") and not re.fullmatch(r"[\w-]+(\.[\w-]+)+\.?", bare):
        return None
    return f"{(scheme or 'http').lower()}://{host.lower()}{rest or '/'}"


def parse_html(html: str) -> tuple[str, list[Entity]]:
    """Text and entities of Telegram's HTML. Raises Refused in Telegram's words."""
    text, entities = _Html(html).parse()
    for entity in entities:
        if entity["type"] == "code":
            entity.pop("language", None)
    return text, in_order(entities)


def in_order(entities: list[Entity]) -> list[Entity]:
    return sorted(entities, key=lambda e: (e["offset"], -e["length"]))


def trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Telegram cuts white space off both ends; entities shrink with it."""
    kept = text.rstrip()
    start = len(kept) - len(kept.lstrip())
    cut = utf16_length(kept[:start])
    kept = kept[start:]
    size = utf16_length(kept)
    result = []
    for entity in entities:
        begin = max(0, entity["offset"] - cut)
        end = min(size, entity["offset"] + entity["length"] - cut)
        if end > begin:
            result.append({**entity, "offset": begin, "length": end - begin})
    return kept, result


def with_automatic(text: str, entities: list[Entity]) -> list[Entity]:
    """Adds the commands, mentions, hashtags and addresses that Telegram finds by itself."""
    found = list(entities)
    taken = [(e["offset"], e["offset"] + e["length"]) for e in entities if e["type"] in _CLOSED]
    for match in _AUTOMATIC.finditer(text):
        offset = utf16_length(text[: match.start()])
        length = utf16_length(match.group())
        if all(end <= offset or offset + length <= begin for begin, end in taken):
            kind = match.lastgroup or ""
            found.append({"type": kind, "offset": offset, "length": length})
    return in_order(found)
