"""Telegram's HTML: what it becomes, and what Telegram says of bad HTML."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgbot.sandbox.entities import checked_url, parse_html, trimmed, utf16_length, utf16_slice, with_automatic
from tgbot.sandbox.errors import Refused


def entity(kind: str, offset: int, length: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length} | more


@pytest.mark.parametrize(
    ("html", "text", "entities"),
    [
        ("plain", "plain", []),
        ("<b>a</b><strong>b</strong>", "ab", [entity("bold", 0, 1), entity("bold", 1, 1)]),
        ("<i>a</i><em>b</em>", "ab", [entity("italic", 0, 1), entity("italic", 1, 1)]),
        ("<u>a</u><ins>b</ins>", "ab", [entity("underline", 0, 1), entity("underline", 1, 1)]),
        (
            "<s>a</s><strike>b</strike><del>c</del>",
            "abc",
            [entity("strikethrough", 0, 1), entity("strikethrough", 1, 1), entity("strikethrough", 2, 1)],
        ),
        (
            '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
            "ab",
            [entity("spoiler", 0, 1), entity("spoiler", 1, 1)],
        ),
        ("<blockquote>a</blockquote>", "a", [entity("blockquote", 0, 1)]),
        ("<blockquote expandable>a</blockquote>", "a", [entity("expandable_blockquote", 0, 1)]),
        ("<code>a</code>", "a", [entity("code", 0, 1)]),
        ("<pre>a</pre>", "a", [entity("pre", 0, 1)]),
        (
            '<pre><code class="language-python">a</code></pre>',
            "a",
            [entity("pre", 0, 1, language="python")],
        ),
        ('<code class="language-python">a</code>', "a", [entity("code", 0, 1)]),
        (
            '<a href="https://goat.example/x?a=1&amp;b=2">a</a>',
            "a",
            [entity("text_link", 0, 1, url="https://goat.example/x?a=1&b=2")],
        ),
        ("<a href='goat.example'>a</a>", "a", [entity("text_link", 0, 1, url="http://goat.example/")]),
        ("<a href=goat.example>a</a>", "a", [entity("text_link", 0, 1, url="http://goat.example/")]),
        ("<a>goat.example</a>", "goat.example", [entity("text_link", 0, 12, url="http://goat.example/")]),
        ('<a href="no address">a</a>', "a", []),
        ('<a href="tg://user?id=77">a</a>', "a", [entity("text_mention", 0, 1, user_id=77)]),
        (
            '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
            "👍",
            [entity("custom_emoji", 0, 2, custom_emoji_id="5368324170671202286")],
        ),
        (
            '<tg-time unix="1796021731" format="d">then</tg-time>',
            "then",
            [entity("date_time", 0, 4, unix_time=1796021731, date_time_format="d")],
        ),
        ("&lt;&gt;&amp;&quot; &#60; &#x3C; &nbsp; &lt", '<>&" < < &nbsp; <', []),
        ("&#x1F410;<b>x</b>", "🐐x", [entity("bold", 2, 1)]),
        ("♠<b>Козёл 🐐</b> end", "♠Козёл 🐐 end", [entity("bold", 1, 8)]),
        ("<b>a<i>b</i></b>", "ab", [entity("bold", 0, 2), entity("italic", 1, 1)]),
        ("<B>a</b>", "a", [entity("bold", 0, 1)]),
        ("<b>a</>", "a", [entity("bold", 0, 1)]),
        ("<b></b>x", "x", []),
        ("a > b & c", "a > b & c", []),
    ],
)
def test_html_becomes_text_and_entities(html: str, text: str, entities: list[dict[str, Any]]) -> None:
    assert parse_html(html) == (text, entities)


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        ("<script>x</script>", 'Unsupported start tag "script" at byte offset 0'),
        ("ёж<br>", 'Unsupported start tag "br" at byte offset 4'),
        ("a <", "Unclosed start tag at byte offset 2"),
        ("1 < 2", 'Unsupported start tag "" at byte offset 2'),
        ("<b", "Unclosed start tag at byte offset 0"),
        ('<a href="x', "Unclosed start tag at byte offset 0"),
        ("<a href", 'Unclosed start tag "a" at byte offset 0'),
        ("<a href=", 'Unclosed start tag "a" at byte offset 0'),
        ("<a =x>y</a>", 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<a href=x_y>y</a>", "Unexpected end of name token at byte offset 8"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("</b>", "Unexpected end tag at byte offset 0"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<b><i>test</b></i>", 'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"'),
        ("<b>unclosed", 'Can\'t find end tag corresponding to start tag "b"'),
        (
            '<tg-emoji emoji-id="9999999999999999999">x</tg-emoji>',
            "Invalid custom emoji identifier specified",
        ),
    ],
)
def test_bad_html_is_refused_in_telegrams_words(html: str, complaint: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_html(html)
    assert refused.value.description == f"Bad Request: can't parse entities: {complaint}"


def refused_or_parsed(html: str) -> tuple[str, list[dict[str, Any]]] | Refused:
    try:
        return parse_html(html)
    except Refused as refused:
        return refused


@given(
    st.text()
    | st.lists(st.sampled_from(["<b>", "</b>", "<a href='x.y'>", "</a>", "&lt;", "<", ">", "🐐", " "])).map(
        "".join
    )
)
def test_any_text_is_parsed_or_refused_and_never_breaks(html: str) -> None:
    outcome = refused_or_parsed(html)
    if isinstance(outcome, Refused):
        assert outcome.code == 400
        assert outcome.description.startswith("Bad Request: can't parse entities: ")
    else:
        text, entities = outcome
        for one in entities:
            assert 0 <= one["offset"] < one["offset"] + one["length"] <= utf16_length(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    html = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert parse_html(f"<b>{html}</b>")[0] == text


def test_white_space_is_cut_off_both_ends_and_entities_move_with_it() -> None:
    text, entities = trimmed("  🐐 goat \n", [entity("bold", 0, 9), entity("italic", 9, 2)])
    assert text == "🐐 goat"
    assert entities == [entity("bold", 0, 7)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/goat now", ["bot_command:/goat"]),
        ("/goat@goat_sandbox_bot", ["bot_command:/goat@goat_sandbox_bot"]),
        ("a/b and 1/2", []),
        ("ask @anna_s, please", ["mention:@anna_s"]),
        ("me@example.com", []),
        ("#козёл2 and #1", ["hashtag:#козёл2"]),
        ("see https://goat.example/a?b=c.", ["url:https://goat.example/a?b=c"]),
        ("t.me/goat_sandbox_bot?start=x", ["url:t.me/goat_sandbox_bot?start=x"]),
    ],
)
def test_commands_mentions_and_addresses_are_found(text: str, found: list[str]) -> None:
    entities = with_automatic(text, [])
    assert [f"{e['type']}:{utf16_slice(text, e['offset'], e['length'])}" for e in entities] == found


def test_nothing_is_found_inside_code_or_links() -> None:
    marked = [entity("code", 0, 5), entity("text_link", 6, 6, url="http://a.b/")]
    assert with_automatic("/goat @anna_ /stop", marked) == [*marked, entity("bot_command", 13, 5)]


@pytest.mark.parametrize(
    ("given_url", "kept"),
    [
        ("https://Goat.Example", "https://goat.example/"),
        ("goat.example:8080/x", "http://goat.example:8080/x"),
        ("tg://resolve?domain=goat_sandbox_bot", "tg://resolve?domain=goat_sandbox_bot"),
        ("http://localhost:8080/", None),
        ("http://goat.example:99999/", None),
        ("ftp://goat.example", None),
        ("javascript:alert(1)", None),
        ("not-a-url", None),
        ("", None),
    ],
)
def test_an_address_is_one_only_if_telegram_takes_it(given_url: str, kept: str | None) -> None:
    assert checked_url(given_url) == kept
