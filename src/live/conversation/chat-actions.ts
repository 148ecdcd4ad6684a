import { Injectable } from '@nestjs/common';
import { type ChatMessage, ChatMessages } from '../../calls/chat/chat-messages';
import { rooms } from '../rooms';
import { Signalling } from '../signalling';
import { SocketServer } from '../socket-server';
import type { LiveSocket } from '../socket.types';
import type { ChatMessageDto } from './conversation.dto';
import { EventBudgets } from './event-budgets';
import { senderOf } from './sender';

/** The chat of a call over the sockets of both sides. */
@Injectable()
export class ChatActions {
  constructor(
    private readonly messages: ChatMessages,
    private readonly signalling: Signalling,
    private readonly budgets: EventBudgets,
    private readonly sockets: SocketServer,
  ) {}

  /**
   * Stores a message and sends it to all other sockets of both sides, also the sender's own.
   * @throws 429; as ChatMessages
   */
  async send(socket: LiveSocket, callId: string, input: ChatMessageDto): Promise<ChatMessage> {
    this.budgets.take(socket, 'chat_message', callId);
    // Staff who may not see the call must not learn that it exists.
    if (socket.data.kind === 'staff') await this.signalling.ensureConnectable(socket, callId);
    const { text, client_id = null } = input;
    const sender = { ...senderOf(socket), call_id: callId };
    const { message, news } = await this.messages.send(sender, { text, client_id });
    if (!news) return message;
    const { version, agent_id } = news;
    const { at, ...content } = message;
    const both = [rooms.customerOf(callId), ...(agent_id ? [rooms.user(agent_id)] : [])];
    this.sockets.emitTo(
      both,
      'chat_message',
      { call_id: callId, at, version, ...content, client_id },
      socket.id,
    );
    return message;
  }
}
