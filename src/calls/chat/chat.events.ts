import type { Call } from '../call.entity';
import { CallEvent } from '../call.events';
import type { ChatMessage } from './chat-messages';

/** The customer sent a file in the chat, which is not by the socket. */
export class ChatFileSent extends CallEvent {
  readonly type = 'call.chat_file_sent';

  constructor(
    call: Call,
    at: Date,
    readonly message: ChatMessage,
  ) {
    super(call, at);
  }

  /** The message is stored. */
  override get isStored() {
    return false;
  }

  override get audited() {
    return 'never' as const;
  }
}
