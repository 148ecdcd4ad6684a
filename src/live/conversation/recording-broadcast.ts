import { Injectable } from '@nestjs/common';
import { RecordingStateChanged } from '../../calls/media/recording-state.events';
import { OnCommit } from '../../platform/events/listeners';
import { eventHead } from '../broadcasts/call-messages';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';

/** Informs all sockets of both sides that a recording begins, ends, or was asked about or answered. */
@Injectable()
export class RecordingBroadcast {
  constructor(private readonly sockets: SocketServer) {}

  @OnCommit(RecordingStateChanged)
  inform(event: RecordingStateChanged): void {
    const { call_id, user_id, from, recording, consent } = event;
    const both = [rooms.customerOf(call_id), ...(user_id ? [rooms.user(user_id)] : [])];
    this.sockets.emitTo(both, 'recording_state', { ...eventHead(event), from, recording, consent });
  }
}
