import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { CALL_LIST_COLUMNS } from '../call.columns';
import type { CallListItemDto } from '../call.dto';
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

/** Calls as their agents receive them when they join. */
@Injectable()
export class JoinedCalls {
  constructor(private readonly database: Database) {}

  /** One statement reads everything. @returns undefined for a call that the tenant does not have */
  async get(tenantId: string, callId: string): Promise<JoinedCall | undefined> {
    const [[row]] = await this.database.readTenant<[CallListItemDto & Conversation]>(tenantId, [
      {
        text: `SELECT ${CALL_LIST_COLUMNS}, ${CONVERSATION_COLUMNS} FROM calls c WHERE c.tenant_id = $1 AND c.id = $2`,
        values: [tenantId, callId],
      },
    ]);
    if (!row) return undefined;
    const { chat_messages, recording_state, ...call } = row;
    return { call, chat_messages, recording_state };
  }
}
