"""The project's own files keep what they promise to those who install it."""

import re
import tomllib
from pathlib import Path

import pytest

from tgbot import cli, settings

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def plain(requirement: str) -> str:
    """A requirement's name as the lock writes it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def test_the_lock_asks_no_particular_registry_and_knows_no_machine() -> None:
    assert not re.search(r"https?:|file:|--index|--find-links|--extra-index| @ |(?<![\w.])/\w", LOCK)


def test_everything_in_the_lock_is_exact_and_hashed() -> None:
    entries = re.findall(r"^(\S+?)==(\S+)(.*?)(?=^\S|\Z)", LOCK, re.MULTILINE | re.DOTALL)
    assert len(entries) > 50
    assert all("--hash=sha256:" in rest for _, _, rest in entries)
    assert len(re.findall(r"^[^\s#]", LOCK, re.MULTILINE)) == len(entries)


@pytest.mark.parametrize(
    "requirement", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]], ids=plain
)
def test_the_lock_holds_what_the_project_asks_for(requirement: str) -> None:
    assert re.search(rf"^{re.escape(plain(requirement))}==", LOCK, re.MULTILINE), "run `make lock`"


def test_the_web_server_passes_on_the_address_that_telegram_is_told() -> None:
    nginx = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert f"location = {settings.WEBHOOK_PATH} {{" in nginx


def test_a_wrong_setting_does_not_restart_the_service_for_ever() -> None:
    unit = (ROOT / "deploy" / "goat@.service").read_text(encoding="utf-8")
    assert f"RestartPreventExitStatus={settings.SettingsError.exit_code}\n" in unit


PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "deploy/README.md",
    "docs/rules.md",
    "docs/record.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
    for target in links:
        assert ((ROOT / page).parent / target).exists(), target


def test_readme_lists_every_subcommand() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `goat (\w+)", text, re.MULTILINE))
    offered = set(re.findall(r"^ {4}(\w+) ", cli.parser().format_help(), re.MULTILINE))
    assert listed == offered


def test_every_folder_of_tests_is_a_package() -> None:
    """Without __init__.py a test's folder becomes a place of imports, and `import core` finds tests/core."""
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []
