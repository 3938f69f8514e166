"""`python -m tgbot` is the `goat` command."""

import sys

from tgbot.cli import main

sys.exit(main())
