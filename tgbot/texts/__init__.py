"""What people read: gettext catalogues and the typed way to them.

Messages are English sentences in the code, marked by being given to a `Texts`; translations are
locale/<language>/LC_MESSAGES/goat.po. Arguments are named. A sentence that goes into a message is HTML and its
arguments are escaped; a toast is plain text.
"""

import gettext
import io
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup

LOCALES = Path(__file__).parent / "locale"

LANGUAGES = {"en": "English", "ru": "Русский"}
"""Code → the language's own name. English is what the code says."""

FALLBACK = "en"


class Texts:
    """The sentences of one language."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, message: str, **args: Any) -> Markup:
        """HTML; arguments that are not Markup are escaped."""
        return Markup(self._catalogue.gettext(message)).format(**args)  # noqa: S704 - catalogues are ours

    def many(self, one: str, many: str, n: int, **args: Any) -> Markup:
        """The same with a number in it, as `{n}`."""
        return Markup(self._catalogue.ngettext(one, many, n)).format(n=n, **args)  # noqa: S704

    def plain(self, message: str, **args: Any) -> str:
        """Plain text, for toasts and button labels."""
        return self._catalogue.gettext(message).format(**args)

    def plain_many(self, one: str, many: str, n: int, **args: Any) -> str:
        return self._catalogue.ngettext(one, many, n).format(n=n, **args)


def marked(message: str) -> str:
    """Marks a sentence for the catalogues where it stands in a table and is looked up later."""
    return message


@cache
def texts(language: str) -> Texts:
    """Raises KeyError for a language that we don't have."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return Texts(language, _catalogue(language))


def choose(*wishes: str | None) -> str:
    """The first wish that we can fulfil; "pt-BR" is fulfilled by "pt"."""
    for wish in wishes:
        code = (wish or "").split("-")[0].lower()
        if code in LANGUAGES:
            return code
    return FALLBACK


def catalogue_file(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "goat.po"


def _catalogue(language: str) -> gettext.NullTranslations:
    if language == FALLBACK:
        return gettext.NullTranslations()
    with catalogue_file(language).open("rb") as po:
        compiled = io.BytesIO()
        write_mo(compiled, read_po(po, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
