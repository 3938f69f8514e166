"""Faults that a program can't mend by itself: the person who runs the bot has to."""


class OperatorError(Exception):
    """Something around the bot is wrong. `str()` is one line for its operator: what, and what to do.

    Never holds a secret, a card or a stack of causes. `exit_code` is what the `goat` command ends with.
    """

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))
