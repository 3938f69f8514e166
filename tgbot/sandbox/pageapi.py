"""The sandbox's page API: everything that the page in `page/` needs, as JSON over HTTP.

    GET /                      page/index.html
    GET /page/<file>           the page's other files
    GET /clock                 {"now": unix seconds (float), "offset": seconds (float)}
    GET /api/state             the whole state, see State
    GET /api/events?since=SEQ  Server-Sent Events, see Event. SEQ is State.seq; a reconnecting EventSource may instead
                               send Last-Event-ID (every event carries `id: SEQ`). When SEQ is too old to
                               continue from, the first event is {"kind": "reset"}: fetch the state again.
    POST /api/act              {"do": …, …args} → 200 {"ok": true, "result": {…}} or 400 {"ok": false, "error": sentence}
    GET /api/limits            [{chat_id, title, last_second, last_minute, per_second, per_minute}, …]; the bot's whole
                               is the row with chat_id null. A limit that doesn't exist is null.
    GET /api/export            the session as JSON lines, offered as a download
    GET /api/commands?person=ID&chat=ID   [{command, description}] in that person's language for that kind of chat
    GET /api/photo/<id>        the picture's bytes

State = {
  bot:      {id, name, username, can_read_all: bool},
  clock:    {now, offset},
  people:   [Person…],  chats: [Chat…],  messages: [Message…] (oldest first),
  faults:   [Fault…],   limits_enforced: bool,
  process:  "running" | "stopped" | null   (the bot's process; null: the sandbox did not start it),
  seq:      int
}
Person  = {id, first_name, last_name|null, username|null, language_code, color ("#rrggbb"), deleted: bool}
Chat    = {id, type: "private"|"group"|"supergroup", title, is_forum, topics: [{id, name}],
           members: [{id, status: "creator"|"administrator"|"member"|"restricted"|"left"|"kicked", anonymous: bool}],
           bot_status: like a member's status, person: id|null (private), blocked: bool, started: bool,
           upgraded_to: id|null}
           A private chat with the bot has the person's id as its id. `started` false: show the Start button (act
           "start"). `upgraded_to`: a group that became a supergroup; it is closed, go to the other.
           The general topic of a forum is thread_id null.
Message = {chat_id, message_id, thread_id|null, from: {id, name, is_bot}|null, date, edit_date|null, text,
           entities: [{type, offset, length, url?, user?, language?, custom_emoji_id?}…] (UTF-16 units, as JavaScript counts),
           reply_markup: {inline_keyboard: [[Button…]…]}|null, reply_to: message_id|null,
           service: {kind, text}|null, photo: {url, width, height}|null, caption|null, caption_entities: […],
           receiver: person id|null, pinned: bool, deleted: false}
           `receiver`: an ephemeral message; only this person sees it. Its message_id is negative (for the page only).
           `from` of an anonymous admin is the group: {id: chat id, name: its title, is_bot: false}.
Button  = Telegram's InlineKeyboardButton: {text, style?: "danger"|"success"|"primary", callback_data? | url? |
           copy_text? {text} | disabled? {} | …}. callback_data may be absent: press by row and col.
Fault   = {id, method ("*": every method), chat_id|null, kind, count|null (null: until cleared), seconds}

Event: `data: {"seq": N, "kind": …, …}`
  message   {message}                       new message
  edit      {message}                       the message as it is now (edited, pinned, unpinned)
  delete    {chat_id, message_ids}
  chat      {chat}                          new or changed chat: members, topics, blocked, started, title, …
  person    {person}                        new or changed person
  query     {query_id, person, chat_id, message_id, row, col}    a press waits for the bot (show progress)
  toast     {query_id, person, text|null, alert: bool, url|null, timeout: bool}
            the answer to that press; text null: nothing to show; timeout: the bot never answered; url: open it (act open_link)
  action    {chat_id, thread_id|null, action}        "typing"; forget it after 5 s or at the next message
  call      {method, chat_id|null, ok, code, description|null, ms, at, body}   a Bot API call, for the developers' drawer
  update    {update_id, type, status, ms, at}        a delivery to the bot: HTTP status, 0 when it could not be reached
  clock     {now, offset}
  faults    {faults: [Fault…], limits_enforced}
  process   {process}
  commands  {}                              the command menus changed: ask /api/commands again
  reset     {}                              fetch the state again

POST /api/act, by `do` (person, chat_id, message_id, thread_id, user: ids):
  say             {person, chat_id, text, thread_id?, reply_to?}         → {message_id}
  press           {person, chat_id, message_id, row, col}               → {query_id} | {url} (link button) | {copy} (copy button)
  start           {person, payload?}        the Start button            → {chat_id, message_id}
  open_link       {person, url}             t.me/<bot>?start=… sends /start, t.me/<bot> opens, t.me/c/… and ?startgroup=…
                                                                        → {chat_id, message_id|null} or {external: url}
  block | unblock {person}                  the person blocks the bot
  delete_account  {person}
  leave | join    {person, chat_id}
  add_person      {first_name, last_name?, username?, language_code?, chat_id?}   → {person}; with chat_id: joins it
  add_group       {person, title, type?: "group"|"supergroup"}                    → {chat_id}; without the bot
  add_bot         {person, chat_id, payload?}      remove_bot {person, chat_id}
  restrict_bot    {person, chat_id, can_write: bool}
  promote         {chat_id, user, admin: bool, person?}     user may be the bot's id; person: who does it (default: the creator)
  anonymous       {person, chat_id, on: bool}      an admin writes as the group
  supergroup      {person, chat_id}                                     → {chat_id} of the new one
  topics          {person, chat_id, on: bool}      create_topic {person, chat_id, name}   → {thread_id}
  clear_history   {person}                         of the private chat
  delete_message  {person, chat_id, message_id}    edit_message {person, chat_id, message_id, text}
  language        {person, language_code}          rename {person, first_name, last_name?, username?}
  advance         {seconds}                        → {now, offset}
  fault           {method?: "*", chat_id?, kind: "429"|"403"|"500"|"502"|"timeout"|"drop"|"delay", count?, seconds?}  → {id}
                  "timeout": never answered, nothing done; "drop": done, but the connection closes without an answer;
                  seconds: retry_after of a 429, length of a delay
  clear_faults    {id?}                            without id: all
  enforce_limits  {on: bool}
  resend          {}                               the last update once more → {update_id}
  bot_restart | bot_kill | bot_start {}            of the bot's process; an error sentence when the sandbox did not start it
  reset           {}                               back to the first world
"""
