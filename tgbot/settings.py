"""Every environment variable: what it means, what it must be, what it is when absent. The only place.

The README's table is `reference()`, and a test compares them.
"""

import hashlib
import hmac
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from db import programs
from db.errors import OperatorError

TELEGRAM = "https://api.telegram.org"
WEBHOOK_PATH = "/webhook"
HEALTH_PATH = "/health"
WEBHOOK_PORTS = (None, 443, 80, 88, 8443)  # the ports that Telegram sends to
CHECKOUT = Path(__file__).parents[1]


class SettingsError(OperatorError):
    """One or more variables are wrong; `lines` says of each what to change."""

    exit_code = 2

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.lines = tuple(problems)


def _split(text: str) -> SplitResult:
    parts = urlsplit(text)
    _ = parts.port  # raises ValueError for a port that isn't a number
    if not parts.hostname or parts.username or parts.query or parts.fragment or " " in text:
        raise ValueError
    return parts


def _base_address(text: str) -> str:
    if _split(text).scheme not in ("http", "https"):
        raise ValueError
    return text.rstrip("/")


def _token(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[0-9]+:[A-Za-z0-9_-]+", secret.get_secret_value()):
        raise ValueError
    return secret


def _webhook_secret(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret.get_secret_value()):
        raise ValueError
    return secret


def _database(secret: SecretStr) -> SecretStr:
    parts = urlsplit(secret.get_secret_value())
    _ = parts.port
    if parts.scheme not in ("postgresql", "postgres") or not (parts.netloc or parts.path or parts.query):
        raise ValueError
    return secret


def _language(code: str) -> str:
    from tgbot.texts import LANGUAGES

    if code not in LANGUAGES:
        raise ValueError
    return code


def _languages() -> str:
    from tgbot.texts import LANGUAGES

    return " or ".join(LANGUAGES)


def _variable(default: Any, description: str, *, must: str, example: str = "", shown: str = "") -> Any:
    """`must` completes the sentence "NAME must be …"; `shown` is the default in words where it isn't a value."""
    return Field(
        default,
        description=description,
        examples=[example],
        json_schema_extra={"must": must, "shown": shown},
    )


_FILE = "a file that can be read and holds one line"


class Settings(BaseSettings):
    """The variables as read at start. Secrets are SecretStr: no repr, log or error shows them."""

    model_config = SettingsConfigDict(
        env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    bot_token: Annotated[SecretStr, AfterValidator(_token)] | None = _variable(
        None,
        "The bot's token from @BotFather. Secret. `goat run` needs it.",
        must="a token as @BotFather gives it, such as 123456789:AAE-example",
        example="123456789:AAE-example",
    )
    bot_token_file: Path | None = _variable(
        None,
        "A file that holds the token, instead of BOT_TOKEN.",
        must=_FILE,
        example="/etc/goat/bot_token",
    )
    webhook_url: Annotated[str, AfterValidator(_base_address)] | None = _variable(
        None,
        f"The bot's public address, to which Telegram sends updates (it gets `{WEBHOOK_PATH}` appended).",
        must="a public https address on port 443, 80, 88 or 8443",
        example="https://goat.example.org",
        shown="none, which means long polling",
    )
    webhook_secret: Annotated[SecretStr, AfterValidator(_webhook_secret)] | None = _variable(
        None,
        "What Telegram must send along so that we believe it. Secret. The same for all processes of one bot.",
        must="1 to 256 letters, digits, _ or -",
        example="any_long-random-word",
        shown="derived from the token",
    )
    webhook_secret_file: Path | None = _variable(
        None,
        "A file that holds the secret, instead of WEBHOOK_SECRET.",
        must=_FILE,
        example="/etc/goat/webhook_secret",
    )
    host: str = _variable(
        "127.0.0.1",
        "The address of this machine on which the webhook listens; 0.0.0.0 for all.",
        must="an address or a name of this machine",
        example="0.0.0.0",  # noqa: S104 - an example in a table
    )
    port: Annotated[int, Field(ge=0, le=65535)] = _variable(
        8080,
        "The port on which the webhook listens; 0 for any that is free.",
        must="a number from 0 to 65535",
        example="8081",
    )
    database_url: Annotated[SecretStr, AfterValidator(_database)] | None = _variable(
        None,
        "The address of a PostgreSQL database, 15 or newer. Its password is secret.",
        must="an address such as postgresql://user:password@host:5432/goat",
        example="postgresql://goat:password@localhost/goat",
        shown="an embedded PostgreSQL",
    )
    database_url_file: Path | None = _variable(
        None,
        "A file that holds the address, instead of DATABASE_URL.",
        must=_FILE,
        example="/etc/goat/database_url",
    )
    data_dir: Path | None = _variable(
        None,
        "The folder of the embedded PostgreSQL. Outside of a clone: goat in the user's state folder.",
        must="a folder",
        example="/var/lib/goat",
        shown="`.data` in the clone, or below /var/lib/goat where only root could enter that",
    )
    telegram_api_url: Annotated[str, AfterValidator(_base_address)] = _variable(
        TELEGRAM,
        "The Bot API server.",
        must="an http or https address",
        example="http://localhost:8081",
    )
    default_language: Annotated[str, AfterValidator(_language)] = _variable(
        "en",
        "The language of chats and people that never chose one and whose Telegram speaks none of ours.",
        must="one of the languages that goat speaks",
        example="ru",
    )
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(lambda text: str(text).upper())
    ] = _variable(
        "INFO",
        "How much is logged, to standard error. No level logs cards or secrets.",
        must="DEBUG, INFO, WARNING or ERROR",
        example="WARNING",
    )
    clock_url: Annotated[str, AfterValidator(_base_address)] | None = _variable(
        None,
        "Where to ask for the time instead of this machine's clock. For tests against the sandbox only.",
        must="an http or https address",
        example="http://localhost:8082/clock",
    )

    @property
    def token(self) -> str:
        """The bot's token. Raises SettingsError when there is none."""
        if self.bot_token is None:
            raise SettingsError(
                ["BOT_TOKEN is missing: get a token from @BotFather, or try `goat play`, which needs none"]
            )
        return self.bot_token.get_secret_value()

    @property
    def secret_token(self) -> str:
        """What Telegram sends with each update; the same in every process of one bot, and after a restart."""
        if self.webhook_secret is not None:
            return self.webhook_secret.get_secret_value()
        return hmac.digest(self.token.encode(), b"goat: webhook secret", hashlib.sha256).hex()

    @property
    def webhook_address(self) -> str | None:
        """The whole address that Telegram is told, None for long polling."""
        return None if self.webhook_url is None else self.webhook_url + WEBHOOK_PATH

    @property
    def data_folder(self) -> Path:
        """Where the embedded PostgreSQL keeps its data: DATA_DIR, or what suits this machine."""
        return self.data_dir.expanduser().absolute() if self.data_dir else default_data_folder(CHECKOUT)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be printed."""
        held = (self.bot_token, self.webhook_secret)
        found = [secret.get_secret_value() for secret in held if secret is not None]
        if self.bot_token is not None:
            found.append(self.secret_token)
        if self.database_url is not None:
            dsn = self.database_url.get_secret_value()
            found += [dsn, *filter(None, [urlsplit(dsn).password])]
        return tuple(found)


def load() -> Settings:
    """The settings of this process. Raises SettingsError, which names every wrong variable in a line."""
    given, problems = _from_files(os.environ)
    try:
        settings = Settings(**given)
    except ValidationError as error:
        wrong = {str(detail["loc"][0]) for detail in error.errors(include_url=False, include_input=False)}
        problems += [_problem(name, os.environ) for name in Settings.model_fields if name in wrong]
    else:
        problems += _contradictions(settings)
    if problems:
        raise SettingsError(problems)
    return settings


def _from_files(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The secrets whose files are named, and what is wrong with those files."""
    given: dict[str, Any] = {}
    problems: list[str] = []
    for name in ("BOT_TOKEN", "WEBHOOK_SECRET", "DATABASE_URL"):
        path = environment.get(f"{name}_FILE")
        if not path:
            continue
        if environment.get(name):
            problems.append(f"{name} and {name}_FILE are both set: remove one of them")
            continue
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not text"
            problems.append(f"{name}_FILE must be {_FILE}, not {path!r} ({reason})")
            continue
        if not text:
            problems.append(f"{name}_FILE must be {_FILE}, not {path!r} (empty)")
            continue
        given[name.lower()] = text
    return given, problems


def _problem(name: str, environment: Mapping[str, str]) -> str:
    variable = name.upper()
    must = _extra(name)["must"]
    if name == "default_language":
        must = _languages()
    value = next((text for key, text in environment.items() if key.upper() == variable), "")
    if f"{name}_file" in Settings.model_fields or "@" in value:  # a secret, or an address that holds one
        return f"{variable} must be {must}"
    return f"{variable} must be {must}, not {value!r}"


def _contradictions(settings: Settings) -> list[str]:
    if settings.webhook_url is None or settings.telegram_api_url != TELEGRAM:
        return []  # a Bot API server of one's own sends to any address
    parts = urlsplit(settings.webhook_url)
    if parts.scheme == "https" and parts.port in WEBHOOK_PORTS:
        return []
    must = _extra("webhook_url")["must"]
    return [f"WEBHOOK_URL must be {must}, not {settings.webhook_url!r}: Telegram sends to no other"]


def default_data_folder(checkout: Path) -> Path:
    """`.data` in a clone of the project, a state folder elsewhere.

    PostgreSQL doesn't run as root, so for root the folder must be one that others can enter: a clone below
    /root isn't, and its data go to /var/lib/goat, each clone's to its own folder.
    """
    if (checkout / "pyproject.toml").is_file():
        folder = checkout / ".data"
        if os.geteuid() != 0:
            return folder if folder.exists() or os.access(checkout, os.W_OK) else _state_folder()
        if programs.reachable(programs.nearest_existing(folder), programs.account_for(folder)):
            return folder
        digest = hashlib.sha256(os.fsencode(checkout)).hexdigest()[:8]
        return Path("/var/lib/goat", f"{checkout.name}-{digest}")
    return Path("/var/lib/goat") if os.geteuid() == 0 else _state_folder()


def _state_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state, "goat").expanduser()


def reference() -> str:
    """All variables as a Markdown table."""
    rows = ["| Variable | Meaning | Default | Example |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = _extra(name)["shown"] or ("" if field.default is None else f"`{field.default}`")
        example = f"`{field.examples[0]}`" if field.examples else ""
        rows.append(f"| `{name.upper()}` | {field.description} | {default} | {example} |")
    return "\n".join(rows) + "\n"


def example_file() -> str:
    """All variables as an environment file in which none is set."""
    blocks = [
        "# Settings of goat. A line without # sets a variable; README.md says the same in a table.\n"
        "# This file may hold secrets: chown root:goat, chmod 640."
    ]
    for name, field in Settings.model_fields.items():
        default = _extra(name)["shown"].replace("`", "") or field.default
        note = "" if default is None else f" Default: {default}."
        blocks.append(f"# {field.description}{note}\n#{name.upper()}={(field.examples or [''])[0]}")
    return "\n\n".join(blocks) + "\n"


def _extra(name: str) -> dict[str, str]:
    extra = Settings.model_fields[name].json_schema_extra
    if not isinstance(extra, dict):
        raise TypeError(name)
    return {key: str(value) for key, value in extra.items()}
