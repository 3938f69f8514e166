"""The rules as a person reads them, in pages."""

from markupsafe import Markup

from tgbot.callbacks import PagePress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.texts import Texts, marked

_CARDS = marked(
    "📖 <b>Goat: the cards</b>\n\n"
    "Four players in two teams; partners sit opposite. 36 cards, 6 to ace.\n\n"
    "Within a suit, from weak to strong: 6 7 8 9 J Q K 10 A. Note that the 10 beats the king.\n"
    "A stronger card of the same suit beats, and any trump beats any card that is no trump. "
    "Cards of two different plain suits never beat each other.\n\n"
    "Points: A 11, 10 is 10, K 4, Q 3, J 2, the rest 0. 120 in all.\n\n"
    "Everybody gets 4 cards. The dealer shows a card from the middle of the remaining 20 (the stock): "
    "its suit is trump. The card goes back to its place: all know which it was, nobody knows when it will be drawn.\n\n"
    "The first dealer of a series is random, and the player after him leads. Later the deal passes clockwise, and "
    "whoever won the last trick of a deal leads the next one."
)
_TRICK = marked(
    "📖 <b>Goat: a trick</b>\n\n"
    "The leader puts 1 to 4 cards of <b>one suit</b>. Then each of the others, clockwise, once, puts exactly as many:\n"
    "• <b>beats</b>, face up: each of his cards beats a different one of those that stand. All or nothing.\n"
    "• <b>passes</b>, face down, any cards. Nobody sees them until the deal is over, not even his partner.\n\n"
    "Nobody has to beat, and nobody has to follow suit. What stands is the lead or the latest beat.\n"
    "The trick goes to the last one who beat, else to the leader; all its cards count for his team. "
    "Then, while the stock lasts, all draw up to four cards again, one at a time, the winner first. He leads the "
    "next trick.\n\n"
    "<b>Examples</b>, trump ♠️:\n"
    "• Against 7♥️ 8♥️: 9♥️ 6♠️ beats, J♥️ K♥️ beats, 9♥️ 6♥️ does not.\n"
    "• Against 9♥️ 6♠️: J♥️ 7♠️ beats, 7♠️ 8♠️ beats, 8♥️ A♠️ does not.\n"
    "• 7♥️ is led, the next passes K♥️ face down, his neighbour beats with 9♥️: only the 7♥️ had to be beaten."
)
_MOLODKA = marked(
    "📖 <b>Goat: molodka</b>\n\n"
    "Whoever holds four cards of one suit may lead them <b>out of turn</b>, even after others have played, as long as he "
    "has not played in this trick himself. The cards on the table go back to their owners, and he leads all four; "
    "the others beat or pass with all of theirs. He need not win.\n\n"
    "When several hold four, the one nearest clockwise to the leader (the leader himself, until he has led, is nearest "
    "of all) comes first: he is asked whether he wants to. Once four cards are led, nobody can declare over them in that "
    "trick; beating them in turn is allowed."
)
_COUNT = marked(
    "📖 <b>Goat: the count</b>\n\n"
    "A deal is played until all 36 cards are gone. 61 or more points win it. The losers get loss points:\n"
    "• 31 to 59 points: 2\n• 30 or fewer: 4\n• not a single trick: 6\n\n"
    "60 : 60 is <b>balls</b>: nobody gets any. The series ends when a team has 12 loss points or more: they are the goats; "
    "with a 60 : 60 in the series, goats with balls.\n\n"
    "<b>House rules</b>, chosen before a series starts: its length (6, 8, 12, 16, 24), open passes (face up), "
    "balls doubled (after a 60 : 60 the next decisive deal counts double), no molodka.\n\n"
    "<b>Here</b>: tap cards to choose them, then tap what to do with them. At the pace “No limit” a table waits "
    "for as long as it takes; at the others the computer plays when your time is up. /time in the group shows the pace."
)

_PAGES = (_CARDS, _TRICK, _MOLODKA, _COUNT)

PAGES = len(_PAGES)


def rules_page(page: int, t: Texts) -> Painting:
    """`page` from 0 to PAGES - 1."""
    where = Markup("\n\n<i>{page}/{pages}</i>").format(page=page + 1, pages=PAGES)
    back = [button("◀️", PagePress(page=page - 1))] if page > 0 else []
    onward = [button("▶️", PagePress(page=page + 1))] if page + 1 < PAGES else []
    return Painting(t(_PAGES[page]) + where, keyboard(back + onward))
