-- Once, after a backup was restored and before goat starts: messages that were sent after the backup still stand in the
-- chats, and their buttons carry numbers that new tables, series, deals and proposals must not get again.
SELECT setval(pg_get_serial_sequence(name, 'id'), nextval(pg_get_serial_sequence(name, 'id')) + 1000000)
FROM unnest(ARRAY['tables', 'series', 'deals', 'proposals']) AS name;
