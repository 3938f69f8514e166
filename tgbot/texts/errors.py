"""What a person is told when something was refused: what was wrong, and what he can do."""

from core.errors import GoatError, IllegalMove, TableError
from tgbot.texts import FALLBACK, Texts, marked, texts

REFUSALS = {
    "already_there": marked("You are in this team already."),
    "already_seated": marked("You sit at this table already."),
    "team_full": marked("This team is full. Take a seat in the other one."),
    "not_seated": marked("Take a seat first."),
    "no_computer": marked("No computer sits there any more."),
    "no_such_seat": marked("There is no such seat."),
    "no_such_rule": marked("There is no such rule."),
    "nobody_plays": marked("Four computers would play alone: somebody should sit down."),
    "lobby_gone": marked("This table has started or is closed already."),
    "playing": marked("A series is being played here. /table shows it, /stop proposes to end it."),
    "no_table": marked("There is no table here. /goat opens one in a group."),
    "no_series": marked("No series is being played here. /goat opens a table."),
    "no_deal": marked("No cards are dealt at that table now."),
    "not_your_table": marked("You don't sit at this table."),
    "not_yours_to_cancel": marked("Only the one who opened the table or a chat admin can cancel it."),
    "not_your_language": marked("Chat admins and the players of a table here choose the language."),
    "paused": marked("The table is paused. Anybody at it may press “Go on”."),
    "not_paused": marked("The table is not paused any more."),
    "not_asleep": marked("The table is awake already."),
    "not_away": marked("Your seat is your own already."),
    "seat_taken": marked("Somebody else has taken this seat."),
    "only_by_day": marked("That is for games by day. A pause can be agreed on at any pace."),
    "travelled_lately": marked("You have travelled already this week. A pause can be agreed on."),
    "not_away_long_enough": marked("This player is not away, or not for long enough yet."),
    "no_zone": marked("Choose your time zone first."),
    "no_such_zone": marked("This time zone is not known here. Choose another one."),
    "too_quiet": marked("Quiet hours may be 12 hours a day at most."),
    "not_in_group": marked("That table is not there any more, or it stands in a group that you are not in."),
    "old_buttons": marked("These buttons are from earlier. The current ones are coming."),
    "bad_button": marked("This button means nothing any more. The current ones are coming."),
    "not_your_turn": marked("It is not your turn now."),
    "does_not_beat": marked("These cards don't beat what lies on the table."),
    "not_one_suit": marked("A lead is of one suit."),
    "wrong_count": marked("Another number of cards is needed."),
    "no_molodka": marked("There is no right to molodka now."),
    "deal_over": marked("This deal is over."),
}

ILLEGAL = marked("That is not allowed now.")


def explain(refusal: GoatError, t: Texts) -> str:
    if isinstance(refusal, TableError) and refusal.code == "seats_free":
        free = int(str(refusal.data["free"]))
        return t.plain_many("{n} seat is still free.", "{n} seats are still free.", free)
    if refusal.code in REFUSALS:
        return t.plain(REFUSALS[refusal.code])
    if isinstance(refusal, IllegalMove):
        return t.plain(ILLEGAL)
    raise refusal


def too_fast(t: Texts) -> str:
    return t.plain("Not so fast, please.")


def try_again(t: Texts | None) -> str:
    return (t or texts(FALLBACK)).plain("Something went wrong here. Please try again in a moment.")
