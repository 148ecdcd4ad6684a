import { Injectable } from '@nestjs/common';
import { ChatFileSent } from '../../calls/chat/chat.events';
import { OnCommit } from '../../platform/events/listeners';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';
import { eventHead } from './call-messages';

/** Sends the chat message of a customer's file to both sides, also to the page that has sent it by HTTP. */
@Injectable()
export class ChatFileBroadcast {
  constructor(private readonly sockets: SocketServer) {}

  @OnCommit(ChatFileSent)
  onSent(event: ChatFileSent): void {
    if (!this.sockets.isUp) return;
    const { call_id, user_id, message } = event;
    const both = [rooms.customerOf(call_id), ...(user_id ? [rooms.user(user_id)] : [])];
    this.sockets.emitTo(both, 'chat_message', { ...eventHead(event), ...message, client_id: null });
  }
}
