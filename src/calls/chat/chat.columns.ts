import { isoTimestamp } from '../../platform/database/columns';

/** The latest messages that participants receive when they connect. */
const MAX_MESSAGES = 200;

/** Who wrote the message `m`. */
const FROM = `CASE WHEN m.user_id IS NULL THEN 'customer' ELSE 'agent' END`;

/** The latest chat messages of a call `c` as JSON (ChatMessage[]), the oldest first. A call without any is not looked up. */
export const CHAT_MESSAGES_COLUMN = `CASE WHEN c.chat_message_count = 0 THEN '[]'::jsonb ELSE COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', m.id, 'from', ${FROM}, 'text', m.text, 'at', ${isoTimestamp('m.sent_at')},
      'file', m.file)
      ORDER BY m.number)
    FROM chat_messages m
    WHERE m.call_id = c.id AND m.number > c.chat_message_count - ${MAX_MESSAGES}), '[]') END`;

/** The columns of a message `m` as its sender receives it (SentMessage). */
export const MESSAGE_COLUMNS = `m.id, ${FROM} AS "from", m.text, m.sent_at AS at, m.file`;
