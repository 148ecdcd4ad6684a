import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { forbidden, notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Participant } from '../call.events';
import type { CallStatus } from '../machine/call.machine';
import { visibleCalls } from '../staff/call-access';
import { MESSAGE_COLUMNS } from './chat.columns';
import type { UploadedFileDto } from './uploaded-file.dto';

/** Messages of one call, of both sides together. */
export const MAX_CHAT_MESSAGES = 1000;

/** A message as participants receive it. */
export interface ChatMessage {
  id: string;
  from: Participant;
  text: string;
  /** ISO 8601. */
  at: string;
  /** What the customer sent; then the text is its name. */
  file: UploadedFileDto | null;
}

/** A message as staff read it later: a call can have had several agents. */
export interface RecordedChatMessage extends ChatMessage {
  /** Null for the customer. */
  agent_name: string | null;
}

/** What a participant sends. */
export interface NewChatMessage {
  text: string;
  /** A repetition with the same id is not sent again. */
  client_id: string | null;
}

/** Who sends a message in which call. */
export interface ChatSender {
  tenant_id: string;
  call_id: string;
  /** The agent; null for the customer. */
  user_id: string | null;
}

export interface SentMessage {
  message: ChatMessage;
  /** Undefined for a repetition, which the other sockets have received before. */
  news?: {
    /** Of the call. */
    version: number;
    /** The agent of the call. */
    agent_id: string | null;
  };
}

interface MessageRow {
  id: string;
  from: Participant;
  text: string;
  at: Date;
  file: UploadedFileDto | null;
}

type SentRow = MessageRow & { version: number; agent_id: string | null };

/** Why a message was not sent: an earlier one of the same client_id, or the state of the call. */
type UnsentRow = { [Column in keyof MessageRow]: MessageRow[Column] | null } & {
  status: CallStatus;
  agent_id: string | null;
  chat_message_count: number;
};

/**
 * The call is locked until the transaction ends, so that messages are numbered one after another and none follows the end of
 * the call. Of parallel repetitions the unique index lets one in.
 */
const SEND = `WITH sent AS (
    INSERT INTO chat_messages AS m (tenant_id, call_id, number, user_id, client_id, text, sent_at, file)
    SELECT c.tenant_id, c.id, c.chat_message_count + 1, $3::uuid, $4::text, $5::text, $6::timestamptz, $7::jsonb
    FROM calls c WHERE c.tenant_id = $1 AND c.id = $2 AND c.status IN ('assigned', 'active')
      AND ($3::uuid IS NULL OR c.user_id = $3) AND c.chat_message_count < ${MAX_CHAT_MESSAGES}
    FOR NO KEY UPDATE
    ON CONFLICT (call_id, user_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING m.call_id, ${MESSAGE_COLUMNS}),
  counted AS (
    UPDATE calls c SET chat_message_count = c.chat_message_count + 1 FROM sent
    WHERE c.tenant_id = $1 AND c.id = sent.call_id RETURNING c.version, c.user_id AS agent_id)
  SELECT sent.id, sent."from", sent.text, sent.at, sent.file, counted.* FROM sent CROSS JOIN counted`;

const EXPLAIN_UNSENT = `SELECT c.status, c.user_id AS agent_id, c.chat_message_count, ${MESSAGE_COLUMNS}
  FROM calls c LEFT JOIN chat_messages m
    ON m.call_id = c.id AND m.user_id IS NOT DISTINCT FROM $3::uuid AND m.client_id = $4
  WHERE c.tenant_id = $1 AND c.id = $2`;

/** The text messages of calls, from the assignment to the end. Only this class and the erasure write them. */
@Injectable()
export class ChatMessages {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Neither the version of the call changes nor is an event stored.
   * @throws 404; 403 not_your_call; 422 invalid_state unless the call is assigned or active, chat_full
   */
  send(sender: ChatSender, { text, client_id }: NewChatMessage): Promise<SentMessage> {
    const { tenant_id, call_id, user_id } = sender;
    return this.database.tenant(tenant_id, async (tx) => {
      const key = [tenant_id, call_id, user_id, client_id];
      const sent = await tx.one<SentRow>(SEND, [...key, text, this.clock.now(), null]);
      if (!sent) return { message: await this.repeated(tx, user_id, key) };
      const { version, agent_id } = sent;
      return { message: messageOf(sent), news: { version, agent_id } };
    });
  }

  /**
   * Adds a file that the customer sent, in the transaction that has locked the call and added the file.
   * @throws 422 invalid_state unless the call is assigned or active, chat_full
   */
  async addFile(tx: Transaction, sender: ChatSender, file: UploadedFileDto): Promise<ChatMessage> {
    const key = [sender.tenant_id, sender.call_id, sender.user_id, null];
    const sent = await tx.one<SentRow>(SEND, [...key, file.filename, this.clock.now(), JSON.stringify(file)]);
    return sent ? messageOf(sent) : this.repeated(tx, sender.user_id, key);
  }

  /** @returns all messages, the oldest first. @throws 404, also for a call that the caller may not see */
  async list(user: Principal, callId: string): Promise<RecordedChatMessage[]> {
    const { sql, values } = visibleCalls(user).and('c.id = ?', callId);
    const [calls, messages] = await this.database.readTenant<[{ id: string }, RecordedChatMessage]>(
      user.tenant_id,
      [
        { text: `SELECT c.id FROM calls c ${sql}`, values },
        {
          text: `SELECT ${MESSAGE_COLUMNS}, u.name AS agent_name
               FROM chat_messages m LEFT JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
               WHERE m.tenant_id = $1 AND m.call_id = $2 ORDER BY m.number`,
          values: [user.tenant_id, callId],
        },
      ],
    );
    if (calls.length === 0) throw notFound('Call');
    return messages;
  }

  /** @returns the message that was sent before with the same client_id */
  private async repeated(tx: Transaction, userId: string | null, key: unknown[]): Promise<ChatMessage> {
    const unsent = await tx.one<UnsentRow>(EXPLAIN_UNSENT, key);
    if (!unsent) throw notFound('Call');
    if (isMessage(unsent)) return messageOf(unsent);
    if (unsent.status !== 'assigned' && unsent.status !== 'active') {
      throw unprocessable('invalid_state', 'The call is not assigned or active.');
    }
    if (userId !== null && unsent.agent_id !== userId) {
      throw forbidden('The call belongs to another agent.', 'not_your_call');
    }
    throw unprocessable('chat_full', `A call has at most ${MAX_CHAT_MESSAGES} messages.`);
  }
}

const isMessage = (row: UnsentRow): row is UnsentRow & MessageRow => row.id !== null;

const messageOf = ({ id, from, text, at, file }: MessageRow): ChatMessage => ({
  id,
  from,
  text,
  at: at.toISOString(),
  file,
});
