import { Injectable } from '@nestjs/common';
import { Batcher } from '../batcher';
import { Database } from '../../platform/database/database';
import { CALL_LIST_COLUMNS } from '../call.columns';
import type { CallListItemDto } from '../call-list.dto';
import { RECORDING_COLUMN } from '../media/media.columns';
import type { RecordingState } from '../media/recording-state.rules';
import { CHAT_MESSAGES_COLUMN } from './chat.columns';
import type { ChatMessage } from './chat-messages';

/** What both participants know of the conversation of a call. */
export interface Conversation {
  /** The latest ones, the oldest first. */
  chat_messages: ChatMessage[];
  recording_state: RecordingState;
}

/** The columns of a call `c` for a Conversation. */
export const CONVERSATION_COLUMNS = `${CHAT_MESSAGES_COLUMN} AS chat_messages, ${RECORDING_COLUMN} AS recording_state`;

export interface JoinedCall extends Conversation {
  call: CallListItemDto;
}

/** A chat can have hundreds of kilobytes, and the rows of a batch are parsed in one turn of the event loop. */
const BATCH_SIZE = 10;

/** Calls as their agents receive them when they join. */
@Injectable()
export class JoinedCalls {
  /** A call that is joined several times at once is read once. */
  private readonly rows = new Batcher<string, JoinedCall | undefined>(
    (tenantId, ids) => this.read(tenantId, ids),
    BATCH_SIZE,
  );

  constructor(private readonly database: Database) {}

  /** @returns undefined for a call that the tenant does not have */
  get(tenantId: string, callId: string): Promise<JoinedCall | undefined> {
    return this.rows.run(tenantId, callId);
  }

  /** One statement reads everything. */
  private async read(tenantId: string, callIds: string[]): Promise<(JoinedCall | undefined)[]> {
    const [rows] = await this.database.readTenant<[CallListItemDto & Conversation]>(tenantId, [
      {
        text: `SELECT ${CALL_LIST_COLUMNS}, ${CONVERSATION_COLUMNS} FROM calls c
               WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
        values: [tenantId, callIds],
      },
    ]);
    const joined = new Map(
      rows.map(({ chat_messages, recording_state, ...call }) => [
        call.id,
        { call, chat_messages, recording_state },
      ]),
    );
    return callIds.map((id) => joined.get(id));
  }
}
