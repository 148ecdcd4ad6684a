import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import {
  CallAssigned,
  CallEnded,
  CallEvent,
  CallOverflowEnded,
  CallQueued,
  CallRequeued,
  CallTransferred,
  CallUpdated,
} from '../../calls/call.events';
import { CustomerPresenceChanged } from '../../calls/participant.events';
import { DeviceReported } from '../../calls/media/device-report.events';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { type OfferEvent, OfferEnded, OfferMade } from '../../routing/offers/offer.events';
import { Clock } from '../../platform/clock/clock';
import { AfterCommit } from '../../platform/events/listeners';
import { Coalescer } from '../../routing/dispatch/coalescer';
import { QueueSummaries } from '../queue-summaries';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';
import { PositionBroadcast } from './position-broadcast';
import { mergeChanges, type QueueChange } from './queue-change';

/** A department's queue is recomputed at most four times a second. */
const MIN_INTERVAL_MS = 250;
/** A change of the service rate alone changes no position, so it is sent at most this often. */
const MIN_RATE_INTERVAL_MS = 2000;
/** The database may be unavailable for minutes. */
const RETRY_MS = 2000;
/** The columns of a call that decide in which lines it stands, and where. */
const MOVING_COLUMNS = ['priority_since', 'rank_at', 'overflow_department_id'];
/** The columns of a call that its row shows, but that move it by other columns, if at all. */
const ROW_COLUMNS = ['priority', 'required_skills'];

/** An offer of this call was made, or has ended. */
interface RingingChange {
  tenant_id: string;
  call_id: string;
}

/**
 * Sends waiting customers their position, and staff the queue. Each instance computes a changed queue once and sends
 * it to its own sockets; the adapter only informs the other instances of the change.
 */
@Injectable()
export class QueueBroadcast implements OnModuleDestroy {
  private readonly logger = new Logger(QueueBroadcast.name);
  private readonly coalescer = new Coalescer<QueueChange>(MIN_INTERVAL_MS, (change) =>
    this.broadcast(change).catch((error: unknown) => {
      this.logger.error(error, 'Broadcast failed');
      // Otherwise the change would not be sent before the next one.
      setTimeout(() => this.schedule(change), RETRY_MS).unref();
    }),
  );

  private readonly rates = new Coalescer<QueueChange>(MIN_RATE_INTERVAL_MS, async (change) =>
    this.schedule(change),
  );

  constructor(
    private readonly sockets: SocketServer,
    private readonly positions: PositionBroadcast,
    private readonly summaries: QueueSummaries,
    private readonly clock: Clock,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('queue_changed', (change: QueueChange) => this.receive(change));
    this.sockets.onOtherInstance('ringing_changed', ({ tenant_id, call_id }: RingingChange) =>
      this.positions.sendOf(tenant_id, call_id),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.rates.stop(), this.coalescer.stop()]);
  }

  @AfterCommit(CallQueued)
  async onQueued(event: CallQueued): Promise<void> {
    this.linesChanged(event);
  }

  @AfterCommit(CallRequeued)
  async onRequeued(event: CallRequeued): Promise<void> {
    this.linesChanged(event);
  }

  /** A call that another agent took over is in no queue, and the one that a transferred call leaves does not have it. */
  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    if (event.user_id === null) this.changed(event.tenant_id, event.department_id);
  }

  @AfterCommit(CallAssigned)
  async onAssigned(event: CallAssigned): Promise<void> {
    if (event.previous_user_id === null) this.linesChanged(event);
  }

  @AfterCommit(CallUpdated)
  async onUpdated(event: CallUpdated): Promise<void> {
    const hasChanged = (column: string) => event.changed.includes(column);
    if (MOVING_COLUMNS.some(hasChanged)) this.linesChanged(event);
    else if (ROW_COLUMNS.some(hasChanged)) this.rowsChanged(event);
    if (event instanceof CallOverflowEnded)
      this.changed(event.tenant_id, event.previous_overflow_department_id);
  }

  @AfterCommit(CustomerPresenceChanged)
  async onPresenceChanged(event: CustomerPresenceChanged): Promise<void> {
    this.rowsChanged(event);
  }

  @AfterCommit(CallbackChanged)
  async onCallback(event: CallbackChanged): Promise<void> {
    this.rowsChanged(event);
  }

  @AfterCommit(DeviceReported)
  async onDeviceReport(event: DeviceReported): Promise<void> {
    this.rowsChanged(event);
  }

  @AfterCommit(CallEnded)
  async onEnded(event: CallEnded): Promise<void> {
    this.changed(event.tenant_id, event.department_id, event.status === 'completed');
    // A call with an agent has left the other line before.
    if (event.overflow_department_id && event.user_id === null)
      this.changed(event.tenant_id, event.overflow_department_id);
  }

  @AfterCommit(OfferMade)
  async onOffer(event: OfferMade): Promise<void> {
    this.ringingChanged(event);
  }

  @AfterCommit(OfferEnded)
  async onOfferEnded(event: OfferEnded): Promise<void> {
    this.ringingChanged(event);
  }

  /** The customer learns that an agent is being called, or no longer; a call that is transferred does not wait. */
  private ringingChanged({ tenant_id, call_id, kind }: OfferEvent): void {
    if (kind === 'transfer' || !this.sockets.isUp) return;
    this.positions.sendOf(tenant_id, call_id);
    const change: RingingChange = { tenant_id, call_id };
    this.sockets.notifyOtherInstances('ringing_changed', change);
  }

  /** Staff see the change in the rows of the lines; positions stay. */
  private rowsChanged({ tenant_id, lines }: CallEvent): void {
    for (const id of lines) this.summaryChanged(tenant_id, id);
  }

  /** Call it when what staff see of the queue has changed, but no position. */
  summaryChanged(tenantId: string, departmentId: string): void {
    this.announce(tenantId, departmentId, { hasNewRate: false, isPresenceOnly: true });
  }

  private linesChanged({ tenant_id, lines }: CallEvent): void {
    for (const id of lines) this.changed(tenant_id, id);
  }

  /** Call it when the department's queue or its service rate has changed. */
  changed(tenantId: string, departmentId: string | null, hasNewRate = false): void {
    this.announce(tenantId, departmentId, { hasNewRate, isPresenceOnly: false });
  }

  /** Call it when the agents who can serve the department's calls have changed, and nothing else. */
  rateChanged(tenantId: string, departmentId: string): void {
    this.announce(tenantId, departmentId, { hasNewRate: true, isPresenceOnly: false, isRateOnly: true });
  }

  private announce(
    tenantId: string,
    departmentId: string | null,
    effects: Omit<QueueChange, 'tenantId' | 'departmentId'>,
  ): void {
    if (!departmentId || !this.sockets.isUp) return;
    const change = { tenantId, departmentId, ...effects };
    this.receive(change);
    this.sockets.notifyOtherInstances('queue_changed', change);
  }

  /** Sends the queue to the sockets of this instance, in order with its other updates. */
  send(tenantId: string, departmentId: string): void {
    this.schedule({ tenantId, departmentId, hasNewRate: false, isPresenceOnly: true });
  }

  private receive(change: QueueChange): void {
    if (change.isRateOnly) this.rates.schedule(change.departmentId, change, mergeChanges);
    else this.schedule(change);
  }

  private schedule(change: QueueChange): void {
    this.coalescer.schedule(change.departmentId, change, mergeChanges);
  }

  private async broadcast({
    tenantId,
    departmentId,
    hasNewRate,
    isPresenceOnly,
    isRateOnly,
  }: QueueChange): Promise<void> {
    if (!isPresenceOnly) await this.positions.send(tenantId, departmentId, hasNewRate);
    if (!isRateOnly) await this.sendSummary(tenantId, departmentId);
  }

  /** All staff of the department receive the counts. Rows are sent, and read, only if a socket has asked for them. */
  private async sendSummary(tenantId: string, departmentId: string): Promise<void> {
    const staff = rooms.staffOf(tenantId, departmentId);
    if (!staff.some((room) => this.sockets.hasLocalSocketIn(room))) return;
    const rows = rooms.rows(departmentId);
    const hasWatchers = this.sockets.hasLocalSocketIn(rows);
    const summary = hasWatchers
      ? (await this.summaries.ofDepartments(tenantId, [departmentId]))[0]
      : await this.summaries.countsOf(tenantId, departmentId);
    if (!summary) return;
    const at = this.clock.now().toISOString();
    this.sockets.emitLocally(staff, 'queue_updated', { ...summary, calls: null, at }, rows);
    if (hasWatchers) this.sockets.emitLocally(rows, 'queue_updated', { ...summary, at });
  }
}
