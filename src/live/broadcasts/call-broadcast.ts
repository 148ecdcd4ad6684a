import { Inject, Injectable } from '@nestjs/common';
import {
  CallAssigned,
  CallEnded,
  CallEvent,
  CallRequeued,
  CallStarted,
  CallTransferred,
} from '../../calls/call.events';
import { PeerDisconnected, PeerReconnected } from '../../calls/participant.events';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { TurnCredentials } from '../../calls/customer/turn-credentials';
import type { CustomerEstimate } from '../../calls/queue/customer-estimate.rules';
import { Queue, type QueuePosition } from '../../calls/queue/queue';
import { CONFIG, type Config } from '../../platform/config/config';
import { AfterCommit, OnCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import { rooms } from '../rooms';
import { CallStateCache } from '../signals/call-state-cache';
import { SocketServer } from '../socket-server';
import { CallAgentRooms } from './call-agent-rooms';
import { eventHead } from './call-messages';

/**
 * Sends events of calls to both participants: at commit, before any signal that follows. A message with a position is
 * sent after the commit, because the position is read first.
 */
@Injectable()
export class CallBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly agents: CallAgentRooms,
    private readonly queue: Queue,
    private readonly turn: TurnCredentials,
    private readonly states: CallStateCache,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Runs before the listeners below. Every instance drops the former state before clients are informed of the change,
   * so it relays no signal by that state afterwards.
   */
  @OnCommit(CallEvent)
  invalidateState(event: CallEvent): void {
    const { tenant_id, call_id, status } = event;
    // Only the state of a call with an agent is cached: it changes to queued when the call loses its agent.
    const losesAgent = event instanceof CallRequeued || event instanceof CallTransferred;
    if (status !== 'queued' || losesAgent) this.states.invalidate(tenant_id, call_id);
  }

  @OnCommit(CallAssigned)
  informOfAssignment(event: CallAssigned): void {
    this.agents.change({ call_id: event.call_id, agent: event.user_id });
    this.sendToCustomer(event, 'call_assigned', { agent: this.agentOf(event) });
  }

  @OnCommit(CallRequeued)
  removeAgent({ call_id }: CallRequeued): void {
    this.agents.change({ call_id, agent: null });
  }

  @AfterCommit(CallRequeued)
  async onRequeued(event: CallRequeued): Promise<void> {
    const place = await this.placeOf(event);
    if (place) this.sendToCustomer(event, 'call_requeued', place);
  }

  /** The customer of a call that another agent took over is informed at once; otherwise see onTransferred. */
  @OnCommit(CallTransferred)
  informOfTransfer(event: CallTransferred): void {
    const { call_id, user_id } = event;
    this.agents.change({ call_id, agent: user_id });
    if (user_id !== null) this.sendToCustomer(event, 'call_transferred', { agent: this.agentOf(event) });
  }

  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    if (event.user_id !== null) return;
    const { department_name } = event;
    const place = await this.placeOf(event);
    if (place) this.sendToCustomer(event, 'call_transferred', { department_name, ...place });
  }

  @OnCommit(CallbackChanged)
  informOfCallback(event: CallbackChanged): void {
    const { callback_status: status, invited_until } = event;
    this.sendToCustomer(event, 'callback_changed', { status, invited_until });
  }

  @OnCommit(CallStarted)
  informOfStart(event: CallStarted): void {
    const { call_id, started_at } = event;
    this.sendToCustomer(event, 'call_started', { started_at, ice_servers: this.turn.iceServers(call_id) });
  }

  @OnCommit(CallEnded)
  informOfEnd(event: CallEnded): void {
    const { call_id, status, end_reason, occurred_at } = event;
    this.agents.change({ call_id, agent: null, ended_at: occurred_at });
    this.sendToCustomer(event, 'call_ended', { status, end_reason });
  }

  @OnCommit(PeerDisconnected)
  informOfDisconnection(event: PeerDisconnected): void {
    const { participant, deadline, grace_seconds, occurred_at } = event;
    const news = { participant, disconnected_at: occurred_at, grace_seconds, deadline };
    this.sendToParticipants(event, 'peer_disconnected', news);
  }

  @OnCommit(PeerReconnected)
  informOfReconnection(event: PeerReconnected): void {
    const { participant, occurred_at } = event;
    this.sendToParticipants(event, 'peer_reconnected', { participant, reconnected_at: occurred_at });
  }

  private agentOf({ user_name, avatarUrl }: CallAssigned | CallTransferred) {
    return { name: user_name, avatar_url: absolutePictureUrl(avatarUrl, this.config.publicUrl) };
  }

  private sendToCustomer(event: CallEvent, name: string, news: object): void {
    this.sockets.emitTo(rooms.customerOf(event.call_id), name, { ...eventHead(event), ...news });
  }

  private sendToParticipants(event: CallEvent, name: string, news: object): void {
    const both = [rooms.customerOf(event.call_id), ...(event.user_id ? [rooms.user(event.user_id)] : [])];
    this.sockets.emitTo(both, name, { ...eventHead(event), ...news });
  }

  /**
   * The place of a call that waits again, for its customer.
   * @returns undefined if the customer has no socket, or the call no longer waits: the message of that change is newer
   */
  private async placeOf({
    tenant_id,
    call_id,
  }: CallEvent): Promise<Pick<QueuePosition, 'position' | 'ringing' | keyof CustomerEstimate> | undefined> {
    if (!this.sockets.mayHaveSocketsIn([rooms.customerOf(call_id)])) return undefined;
    const current = await runAsReservedBackgroundWork(() => this.queue.positionOf(tenant_id, call_id));
    if (current?.status !== 'queued') return undefined;
    const { position, estimated_wait_time, estimated_wait_range, has_estimate, ringing } = current;
    return { position, estimated_wait_time, estimated_wait_range, has_estimate, ringing };
  }
}
