"""The catalogues say everything that the code says, with the same placeholders, in every language."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import tgbot
from tgbot.texts import FALLBACK, LANGUAGES, catalogue_file, choose, texts

KEYWORDS = {"t": None, "plain": None, "marked": None, "many": (1, 2), "plain_many": (1, 2)}
TRANSLATED = [language for language in LANGUAGES if language != FALLBACK]
PLACEHOLDER = re.compile(r"\{(\w*)\}")
TAG = re.compile(r"</?[a-z-]+>")


def said_in_code() -> set[str | tuple[str, ...]]:
    root = Path(tgbot.__file__).parent
    found = extract_from_dir(
        root,
        method_map=[("sandbox/**", "ignore"), ("bench/**", "ignore"), ("**.py", "python")],
        keywords=KEYWORDS,
    )
    return {message for _, _, message, _, _ in found}


def catalogue(language: str) -> Catalog:
    return read_po(io.BytesIO(catalogue_file(language).read_bytes()), locale=language)


def messages(language: str) -> Iterator[Message]:
    return (message for message in catalogue(language) if message.id)


def forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


SAID = said_in_code()


def test_the_code_says_something() -> None:
    assert "Beat" in SAID
    assert len(SAID) > 100


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_missing_and_nothing_is_left_over(language: str) -> None:
    known = {
        message.id if isinstance(message.id, str) else tuple(message.id) for message in messages(language)
    }
    assert known == SAID


@pytest.mark.parametrize("language", TRANSLATED)
def test_everything_is_translated_with_the_same_placeholders_and_tags(language: str) -> None:
    expected = catalogue(language).num_plurals
    for message in messages(language):
        source = forms(message.id)
        assert not message.fuzzy, message.id
        translations = forms(message.string)
        assert len(translations) == (expected if len(source) > 1 else 1), message.id
        for text in translations:
            assert text.strip(), message.id
            assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(source[-1])), message.id
            assert sorted(TAG.findall(text)) == sorted(TAG.findall(source[-1])), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_in_the_header_is_still_to_be_filled_in(language: str) -> None:
    header = catalogue_file(language).read_text("utf-8").split("\n\n")[0]
    assert not re.search(r"EMAIL@ADDRESS|FULL NAME|YEAR-MO-DA|LL@li\.org", header)
    assert "docs/rules.md#words" in header


def test_nobody_who_passes_is_promised_that_it_is_face_down() -> None:
    """With the house rule “open passes” it is not; the pages of the rules tell both."""
    promises = [message for message in SAID if "face down" in str(message)]
    assert all(str(message).startswith("📖") for message in promises)


def test_arguments_are_escaped_in_html_and_not_in_toasts() -> None:
    t = texts("en")
    assert t("{name} is to play", name="a</b><3") == "a&lt;/b&gt;&lt;3 is to play"
    assert t.plain("✕ {name}", name="<3") == "✕ <3"


def test_russian_counts_in_three_forms() -> None:
    t = texts("ru")
    said = [t.many("{n} seat is still free.", "{n} seats are still free.", n) for n in (1, 2, 5)]
    assert said == ["Ещё свободно 1 место.", "Ещё свободно 2 места.", "Ещё свободно 5 мест."]


@pytest.mark.parametrize(
    ("wishes", "language"),
    [(("ru", "en"), "ru"), ((None, "ru-RU"), "ru"), (("xx", None), "en"), ((), "en"), (("", "RU"), "ru")],
)
def test_the_first_wish_that_we_can_fulfil_is_taken(wishes: tuple[str | None, ...], language: str) -> None:
    assert choose(*wishes) == language
