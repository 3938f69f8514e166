"""Keeps the world in a folder: one JSON file, replaced as a whole, and a file for each picture."""

import asyncio
import json
import logging
import os
import types
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tgbot.sandbox.model import Data, Photo
from tgbot.sandbox.state import State

log = logging.getLogger(__name__)

VERSION = 1
PAUSE = 0.3
"""Seconds between a change and its being written, so that a burst is written once."""


class NotReadable(Exception):
    """The folder holds something that this version can't read."""


def load(folder: Path) -> Data | None:
    """What was saved there; None when nothing was. Raises NotReadable."""
    path = folder / "world.json"
    if not path.exists():
        return None
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        if saved["version"] != VERSION:
            raise NotReadable(
                f"{path} was written by another version of the sandbox; delete it to begin anew"
            )
        data: Data = build(Data, saved["data"])
        for photo in data.photos.values():
            photo.data = (folder / "photos" / photo.id).read_bytes()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotReadable(f"{path} is damaged ({error!r}); delete it to begin anew") from error
    return data


def save(folder: Path, data: Data) -> None:
    """Writes all of it, or, when interrupted, nothing."""
    write(folder, encode(data), dict(data.photos))


def encode(data: Data) -> str:
    """The world as JSON, without the pictures' bytes."""
    return json.dumps({"version": VERSION, "data": data}, ensure_ascii=False, default=plain)


def write(folder: Path, text: str, photos: dict[str, Photo]) -> None:
    pictures = folder / "photos"
    pictures.mkdir(parents=True, exist_ok=True)
    there = {path.name for path in pictures.iterdir()}
    for name in photos.keys() - there:
        replace(pictures / name, photos[name].data)
    replace(folder / "world.json", text.encode())
    for name in there - photos.keys():
        (pictures / name).unlink()


def replace(path: Path, content: bytes) -> None:
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def plain(value: Any) -> Any:
    if isinstance(value, Photo):
        return {**vars(value), "data": ""}
    if is_dataclass(value):
        return vars(value)  # not asdict: it copies, and this runs between two of the bot's calls
    if isinstance(value, set):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} can't be saved")


def build(kind: Any, value: Any) -> Any:
    """The value of JSON as the annotated type: dataclasses, dicts with int keys, sets and bytes come back."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        return build(next(part for part in get_args(kind) if part is not type(None)), value)
    if origin is dict:
        key, item = get_args(kind)
        return {build(key, k): build(item, v) for k, v in value.items()}
    if origin is list:
        return [build(get_args(kind)[0], item) for item in value]
    if origin is set:
        return {build(get_args(kind)[0], item) for item in value}
    if origin is Literal or kind is Any:
        return value
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        known = {field.name for field in fields(kind)}
        return kind(**{name: build(hints[name], item) for name, item in value.items() if name in known})
    if kind is bytes:
        return value.encode()
    return kind(value)


class Store:
    """Saves the world a moment after each change, and when it is stopped."""

    def __init__(self, state: State, folder: Path) -> None:
        self.state = state
        self.folder = folder
        self._dirty = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.state.listeners.append(self._heard)
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        self.state.listeners.remove(self._heard)
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        save(self.folder, self.state.data)

    def _heard(self, kind: str, _what: dict[str, Any]) -> None:
        if kind not in ("call", "update", "action", "faults"):
            self._dirty.set()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            await asyncio.sleep(PAUSE)
            self._dirty.clear()
            text, photos = encode(self.state.data), dict(self.state.data.photos)
            try:
                await asyncio.to_thread(write, self.folder, text, photos)
            except OSError as error:
                log.warning("the sandbox can't be saved to %s: %s", self.folder, error)
