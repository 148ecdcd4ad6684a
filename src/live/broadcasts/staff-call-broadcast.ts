import { Injectable } from '@nestjs/common';
import {
  CallAssigned,
  CallEnded,
  type CallEvent,
  CallOverflowEnded,
  CallRated,
  CallRequeued,
  CallStarted,
  CallTransferred,
  CallUpdated,
} from '../../calls/call.events';
import { CallHolderChanged, PeerDisconnected, PeerReconnected } from '../../calls/participant.events';
import { RecordingStateChanged } from '../../calls/media/recording-state.events';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { CallList } from '../../calls/staff/call-list';
import { AfterCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';
import { eventHead } from './call-messages';

/** The room of a former agent, who sees that they no longer have the call. */
const roomOf = (userId: string | null): string[] => (userId ? [rooms.user(userId)] : []);

/** Whether the call waits, or has just ceased to wait. */
const concernsLine = (event: CallEvent): boolean =>
  event.status === 'queued' ||
  (event instanceof CallAssigned && event.previous_user_id === null) ||
  (event instanceof CallEnded && event.user_id === null);

/** Sends events of calls to the staff who watch the department, or that to which the call overflowed, and to the agent. The messages contain the call. */
@Injectable()
export class StaffCallBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly calls: CallList,
  ) {}

  @AfterCommit(CallAssigned)
  async onAssigned(event: CallAssigned): Promise<void> {
    await this.sendToStaff(event, 'call_assigned', roomOf(event.previous_user_id));
  }

  @AfterCommit(CallRequeued)
  async onRequeued(event: CallRequeued): Promise<void> {
    await this.sendToStaff(event, 'call_updated', roomOf(event.previous_user_id));
  }

  /** Informs the staff of both departments and both agents. */
  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    const { tenant_id, previous_department_id, previous_user_id } = event;
    const former = [...rooms.staffOf(tenant_id, previous_department_id), ...roomOf(previous_user_id)];
    await this.sendToStaff(event, 'call_updated', former);
  }

  @AfterCommit(CallStarted)
  async onStarted(event: CallStarted): Promise<void> {
    await this.sendToStaff(event, 'call_started');
  }

  @AfterCommit(CallEnded)
  async onEnded(event: CallEnded): Promise<void> {
    await this.sendToStaff(event, 'call_ended');
  }

  @AfterCommit(CallRated)
  async onRated(event: CallRated): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  @AfterCommit(CallUpdated)
  async onUpdated(event: CallUpdated): Promise<void> {
    const former = event instanceof CallOverflowEnded ? event.previous_overflow_department_id : null;
    await this.sendToStaff(event, 'call_updated', former === null ? [] : [rooms.department(former)]);
  }

  /** The end of a call is sent by itself. */
  @AfterCommit(CallbackChanged)
  async onCallback(event: CallbackChanged): Promise<void> {
    if (event.status === 'queued') await this.sendToStaff(event, 'call_updated');
  }

  /** Nothing that staff see has changed except the version, in which they would otherwise find a gap. */
  @AfterCommit(CallHolderChanged)
  async onHolderChanged(event: CallHolderChanged): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  @AfterCommit(PeerDisconnected)
  async onDisconnected(event: PeerDisconnected): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  @AfterCommit(PeerReconnected)
  async onReconnected(event: PeerReconnected): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  /** The message of a transition has its version. */
  @AfterCommit(RecordingStateChanged)
  async onRecordingState(event: RecordingStateChanged): Promise<void> {
    if (!event.is_consequence) await this.sendToStaff(event, 'call_updated');
  }

  private async sendToStaff(event: CallEvent, name: string, more: string[] = []): Promise<void> {
    const { tenant_id, department_id, overflow_department_id, user_id, call_id } = event;
    const watching = [...rooms.staffOf(tenant_id, department_id), ...roomOf(user_id), ...more];
    if (overflow_department_id && concernsLine(event))
      watching.push(rooms.department(overflow_department_id));
    if (!this.sockets.mayHaveSocketsIn(watching)) return;
    const item = await runAsReservedBackgroundWork(() => this.calls.item(tenant_id, call_id));
    // The item is read after the event. The status must match the event's version, so the event's is sent.
    const { status } = event;
    this.sockets.emitTo(watching, name, { ...item, status, ...eventHead(event) });
  }
}
