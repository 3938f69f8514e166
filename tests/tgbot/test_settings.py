"""Settings: every wrong variable is named in a line, and no secret is ever shown."""

import logging
import os
import re
from pathlib import Path

import pytest

from tgbot import logs, settings
from tgbot.settings import SettingsError, load

TOKEN = "123456789:AAE-token-of-a-test"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings.Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def problems(monkeypatch: pytest.MonkeyPatch, **variables: str) -> tuple[str, ...]:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load()
    assert caught.value.exit_code == 2
    assert all("\n" not in line for line in caught.value.lines)
    return caught.value.lines


def test_nothing_has_to_be_set() -> None:
    found = load()
    assert (found.host, found.port, found.log_level, found.default_language) == (
        "127.0.0.1",
        8080,
        "INFO",
        "en",
    )
    assert found.telegram_api_url == "https://api.telegram.org"
    assert found.webhook_address is None


def test_an_empty_variable_is_an_absent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings.Settings.model_fields:
        monkeypatch.setenv(name.upper(), "")
    assert load().port == 8080


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("PORT", "abc", "PORT must be a number from 0 to 65535, not 'abc'"),
        ("PORT", "70000", "PORT must be a number from 0 to 65535, not '70000'"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not 'loud'"),
        ("DEFAULT_LANGUAGE", "fr", "DEFAULT_LANGUAGE must be en or ru, not 'fr'"),
        ("TELEGRAM_API_URL", "telegram", "TELEGRAM_API_URL must be an http or https address, not 'telegram'"),
        ("CLOCK_URL", "http://host:x", "CLOCK_URL must be an http or https address, not 'http://host:x'"),
        ("WEBHOOK_SECRET", "no spaces", "WEBHOOK_SECRET must be 1 to 256 letters, digits, _ or -"),
        ("WEBHOOK_SECRET", "x" * 257, "WEBHOOK_SECRET must be 1 to 256 letters, digits, _ or -"),
        (
            "WEBHOOK_URL",
            "goat.example.org",
            "WEBHOOK_URL must be a public https address on port 443, 80, 88 or 8443, not 'goat.example.org'",
        ),
        (
            "WEBHOOK_URL",
            "https://me:topsecret@goat.example.org",
            "WEBHOOK_URL must be a public https address on port 443, 80, 88 or 8443",
        ),
        (
            "BOT_TOKEN",
            "topsecret",
            "BOT_TOKEN must be a token as @BotFather gives it, such as 123456789:AAE-example",
        ),
        (
            "DATABASE_URL",
            "mysql://me:topsecret@host/goat",
            "DATABASE_URL must be an address such as postgresql://user:password@host:5432/goat",
        ),
    ],
)
def test_a_wrong_variable_is_told_with_what_it_must_be(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, line: str
) -> None:
    assert problems(monkeypatch, **{name: value}) == (line,)


def test_all_wrong_variables_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = problems(monkeypatch, BOT_TOKEN="x", PORT="y", DATABASE_URL="z", LOG_LEVEL="w")
    assert [line.split()[0] for line in lines] == ["BOT_TOKEN", "PORT", "DATABASE_URL", "LOG_LEVEL"]


@pytest.mark.parametrize("address", ["http://goat.example.org", "https://goat.example.org:8081"])
def test_telegram_itself_sends_to_few_ports_and_only_by_https(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    (line,) = problems(monkeypatch, WEBHOOK_URL=address)
    assert line.endswith(f"not '{address}': Telegram sends to no other")
    monkeypatch.setenv("TELEGRAM_API_URL", "http://localhost:8081")
    assert load().webhook_address == f"{address}/webhook"


def test_the_webhook_is_served_where_telegram_is_told() -> None:
    source = (ROOT / "tgbot" / "webhook.py").read_text(encoding="utf-8")
    # Read, not imported: that would import aiogram.
    assert f'PATH = "{settings.WEBHOOK_PATH}"' in source or "WEBHOOK_PATH" in source
    assert f'HEALTH = "{settings.HEALTH_PATH}"' in source or "HEALTH_PATH" in source


def test_a_missing_token_is_told_with_a_way_out() -> None:
    with pytest.raises(SettingsError, match=r"^BOT_TOKEN is missing: get a token from @BotFather"):
        load().token  # noqa: B018


def test_secrets_may_stand_in_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    monkeypatch.setenv("BOT_TOKEN_FILE", str(path))
    assert load().token == TOKEN
    assert problems(monkeypatch, BOT_TOKEN=TOKEN) == (
        "BOT_TOKEN and BOT_TOKEN_FILE are both set: remove one of them",
    )


def test_an_unreadable_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (line,) = problems(monkeypatch, BOT_TOKEN_FILE=str(tmp_path / "nothing"))
    assert line.startswith("BOT_TOKEN_FILE must be a file that can be read and holds one line, not ")
    assert line.endswith("(No such file or directory)")
    empty = tmp_path / "empty"
    empty.write_text("\n")
    (line,) = problems(monkeypatch, BOT_TOKEN_FILE=str(empty))
    assert line.endswith("(empty)")


def test_every_process_of_a_bot_derives_the_same_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    derived = load().secret_token
    assert re.fullmatch(r"[A-Za-z0-9_-]{32,256}", derived)
    assert load().secret_token == derived
    assert TOKEN.split(":")[1] not in derived
    monkeypatch.setenv("BOT_TOKEN", TOKEN + "x")
    assert load().secret_token != derived
    monkeypatch.setenv("WEBHOOK_SECRET", "my_own-secret")
    assert load().secret_token == "my_own-secret"


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    monkeypatch.setenv("WEBHOOK_SECRET", "hush-hush")
    monkeypatch.setenv("DATABASE_URL", "postgresql://goat:topsecret@db/goat")
    found = load()
    for shown in (repr(found), str(found), repr(found.model_dump()), found.model_dump_json()):
        for secret in (TOKEN, "hush-hush", "topsecret"):
            assert secret not in shown

    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logs.configure("INFO", found.secrets)
        try:
            raise OSError(f"can't reach https://api.telegram.org/bot{TOKEN}/getMe")
        except OSError:
            logging.getLogger("test").exception("%s said hush-hush to %s", "somebody", "topsecret")
    finally:
        root.handlers[:], root.level = before
    written = capsys.readouterr().err
    assert "can't reach https://api.telegram.org/bot***/getMe" in written
    assert "somebody said *** to ***" in written
    assert TOKEN not in written


# Where the embedded database keeps its data.


def test_a_data_folder_may_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    assert load().data_folder == tmp_path


def test_an_installed_goat_uses_a_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert settings.default_data_folder(tmp_path / "site-packages") == tmp_path / "goat"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert settings.default_data_folder(tmp_path / "site-packages") == Path("/var/lib/goat")


def test_a_clone_keeps_its_data_in_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert settings.default_data_folder(tmp_path) == tmp_path / ".data"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lock others out")
def test_a_clone_that_only_root_may_enter_keeps_its_data_outside(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    tmp_path.chmod(0o700)
    folder = settings.default_data_folder(tmp_path)
    assert folder.parent == Path("/var/lib/goat")
    other = tmp_path / "other"
    other.mkdir()
    (other / "pyproject.toml").touch()
    assert settings.default_data_folder(other) != folder


def test_the_readme_lists_every_variable() -> None:
    assert settings.reference() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_file_names_every_variable_and_sets_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (ROOT / "deploy" / "goat.env.example").read_text(encoding="utf-8")
    assert text == settings.example_file()
    assert all(line.startswith("#") for line in text.splitlines() if line)


def test_every_example_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, field in settings.Settings.model_fields.items():
        if not name.endswith("_file"):
            assert field.examples
            monkeypatch.setenv(name.upper(), str(field.examples[0]))
    assert load().webhook_address == "https://goat.example.org/webhook"
