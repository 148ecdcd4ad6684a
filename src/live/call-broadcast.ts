import { Injectable } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import {
  CallAssigned,
  CallEnded,
  CallEvent,
  CallRated,
  CallRequeued,
  CallStarted,
  CallUpdated,
  type Participant,
  PeerDisconnected,
  PeerReconnected,
} from '../calls/call.events';
import { endOfAccess } from '../calls/customer/customer-tokens';
import { Queue } from '../calls/queue/queue';
import { CallList } from '../calls/staff/call-list';
import { TurnCredentials } from '../calls/customer/turn-credentials';
import { AfterCommit, OnCommit } from '../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../platform/logging/request-context';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';
import { CallStateCache } from './signals/call-state-cache';
import type { LiveSocket } from './socket.types';

/** The agent of a call; null once it has ended, at `ended_at`, or has returned to the queue. */
interface AgentChange {
  call_id: string;
  agent: string | null;
  ended_at?: string;
}

/**
 * Sends events of calls to both participants and to the staff who watch the department. Participants receive theirs
 * at commit, before any signal that follows; the messages to staff contain the call, which is read first.
 */
@Injectable()
export class CallBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly calls: CallList,
    private readonly queue: Queue,
    private readonly turn: TurnCredentials,
    private readonly states: CallStateCache,
  ) {}

  /**
   * Runs before the listeners below. Every instance drops the former state before clients are informed of the change,
   * so it relays no signal by that state afterwards.
   */
  @OnCommit(CallEvent)
  invalidateState(event: CallEvent): void {
    const { tenant_id, call_id, status } = event;
    // Only the state of a call with an agent is cached: it changes to queued when the call loses its agent.
    if (status !== 'queued' || event instanceof CallRequeued) this.states.invalidate(tenant_id, call_id);
  }

  @OnCommit(CallAssigned)
  informOfAssignment(event: CallAssigned): void {
    this.announceAgent({ call_id: event.call_id, agent: event.user_id });
    this.sendToCustomer(event, 'call_assigned', { agent: { name: event.user_name } });
  }

  @AfterCommit(CallAssigned)
  async onAssigned(event: CallAssigned): Promise<void> {
    const { previous_user_id: previous } = event;
    await this.sendToStaff(event, 'call_assigned', previous ? [rooms.user(previous)] : []);
  }

  @OnCommit(CallRequeued)
  removeAgent({ call_id }: CallRequeued): void {
    this.announceAgent({ call_id, agent: null });
  }

  /** Informs the former agent, too. */
  @AfterCommit(CallRequeued)
  async onRequeued(event: CallRequeued): Promise<void> {
    const { previous_user_id: previous } = event;
    await this.sendPositionAfterRequeue(event);
    await this.sendToStaff(event, 'call_updated', previous ? [rooms.user(previous)] : []);
  }

  @OnCommit(CallStarted)
  informOfStart(event: CallStarted): void {
    this.sendToCustomer(event, 'call_started', {
      started_at: event.occurred_at,
      ice_servers: this.turn.iceServers(event.call_id),
    });
  }

  @AfterCommit(CallStarted)
  async onStarted(event: CallStarted): Promise<void> {
    await this.sendToStaff(event, 'call_started');
  }

  @OnCommit(CallEnded)
  informOfEnd(event: CallEnded): void {
    const { call_id, status, end_reason, occurred_at } = event;
    this.announceAgent({ call_id, agent: null, ended_at: occurred_at });
    this.sendToCustomer(event, 'call_ended', { status, end_reason });
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
    await this.sendToStaff(event, 'call_updated');
  }

  @OnCommit(PeerDisconnected)
  informOfDisconnection(event: PeerDisconnected): void {
    const { participant, deadline, grace_seconds, occurred_at } = event;
    const news = { participant, disconnected_at: occurred_at, grace_seconds, deadline };
    this.sendToParticipants(event, 'peer_disconnected', news);
  }

  @AfterCommit(PeerDisconnected)
  async onDisconnected(event: PeerDisconnected): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  @OnCommit(PeerReconnected)
  informOfReconnection(event: PeerReconnected): void {
    const { participant, occurred_at } = event;
    this.sendToParticipants(event, 'peer_reconnected', { participant, reconnected_at: occurred_at });
  }

  @AfterCommit(PeerReconnected)
  async onReconnected(event: PeerReconnected): Promise<void> {
    await this.sendToStaff(event, 'call_updated');
  }

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.io.on('call_agent_changed', (change: AgentChange) => this.updateLocalSockets(change));
  }

  private announceAgent(change: AgentChange): void {
    this.updateLocalSockets(change);
    this.sockets.notifyOtherInstances('call_agent_changed', change);
  }

  /**
   * Former agents receive no more signals. The customer uses the database connections of calls in progress, until the
   * call has ended; then they have access for a limited time.
   */
  private updateLocalSockets({ call_id, agent, ended_at }: AgentChange): void {
    const room = rooms.agentOf(call_id);
    for (const socket of this.sockets.localSocketsIn(room)) {
      const { data } = socket;
      // The new agent may have joined before this event arrived.
      if (data.kind === 'staff' && data.user.user_id !== agent) void socket.leave(room);
    }
    for (const { data } of this.sockets.localSocketsIn(rooms.customerOf(call_id))) {
      if (data.kind === 'customer') {
        data.customer.is_in_progress = agent !== null;
        // With an agent the call has no position. If it returns to the queue, its position is sent in any case.
        data.lastSent = undefined;
      }
      if (ended_at) data.expires_at = Math.min(data.expires_at, endOfAccess(ended_at));
    }
  }

  private sendToCustomer(event: CallEvent, name: string, news: object): void {
    this.sockets.io.to(rooms.customerOf(event.call_id)).emit(name, { ...eventHead(event), ...news });
  }

  private sendToParticipants(event: CallEvent, name: string, news: object): void {
    const both = [rooms.customerOf(event.call_id), ...(event.user_id ? [rooms.user(event.user_id)] : [])];
    this.sockets.io.to(both).emit(name, { ...eventHead(event), ...news });
  }

  /** Nothing is sent if the call is no longer waiting: the message of that change is newer. */
  private async sendPositionAfterRequeue(event: CallRequeued): Promise<void> {
    const { tenant_id, call_id } = event;
    if (!this.sockets.mayHaveSocketsIn([rooms.customerOf(call_id)])) return;
    const current = await runAsReservedBackgroundWork(() => this.queue.positionOf(tenant_id, call_id));
    if (current?.status !== 'queued') return;
    const { position, estimated_wait_time } = current;
    this.sendToCustomer(event, 'call_requeued', { position, estimated_wait_time });
  }

  private async sendToStaff(event: CallEvent, name: string, more: string[] = []): Promise<void> {
    const { tenant_id, department_id, user_id, call_id } = event;
    const watching = [
      ...rooms.staffOf(tenant_id, department_id),
      ...(user_id ? [rooms.user(user_id)] : []),
      ...more,
    ];
    if (!this.sockets.mayHaveSocketsIn(watching)) return;
    const item = await runAsReservedBackgroundWork(() => this.calls.item(tenant_id, call_id));
    // The item is read after the event. The status must match the event's version, so the event's is sent.
    const { status } = event;
    this.sockets.io.to(watching).emit(name, { ...item, status, ...eventHead(event) });
  }
}

/** Sends peer_reconnected to the socket that ended the grace period: it had not joined its rooms at the broadcast. */
export function announceReconnection(socket: LiveSocket, call: Call, participant: Participant): void {
  const { id: call_id, version, reconnected_at } = call;
  const at = reconnected_at?.toISOString();
  socket.emit('peer_reconnected', { call_id, at, version, participant, reconnected_at: at });
}

const eventHead = ({ call_id, occurred_at, version }: CallEvent) => ({ call_id, at: occurred_at, version });
