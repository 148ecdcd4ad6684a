import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CallAssigned, CallEnded, CallQueued, CallUpdated } from '../calls/call.events';
import { type WaitingCalls, Queue } from '../calls/queue/queue';
import { estimateWait } from '../calls/queue/queue.rules';
import { Clock } from '../platform/clock/clock';
import { AfterCommit } from '../platform/events/listeners';
import { Coalescer } from './coalescer';
import { QueueSummaries } from './queue-summaries';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';
import type { CustomerData } from './socket.types';

/** At most four recomputations a second and department. */
const PAUSE_MS = 250;
/** How many customers are told before other work gets its turn. */
const SLICE = 200;

interface Change {
  tenantId: string;
  departmentId: string;
  /** Whether the pace changed, too, so that those who keep their place hear of a new estimate. */
  pace: boolean;
}

/**
 * Tells waiting customers their place, and staff the line. Each instance computes a changed line once
 * and tells its own sockets; the others learn over the adapter that it changed.
 */
@Injectable()
export class QueueBroadcast implements OnModuleDestroy {
  private readonly logger = new Logger(QueueBroadcast.name);
  private readonly coalescer = new Coalescer<Change>(PAUSE_MS, (change) =>
    this.broadcast(change).catch((error: unknown) => this.logger.error(error, 'Broadcast failed')),
  );

  constructor(
    private readonly sockets: SocketServer,
    private readonly queue: Queue,
    private readonly summaries: QueueSummaries,
    private readonly clock: Clock,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.io.on('queue_changed', (change: Change) => this.schedule(change));
  }

  async onModuleDestroy(): Promise<void> {
    await this.coalescer.stop();
  }

  @AfterCommit(CallQueued)
  async onQueued(event: CallQueued): Promise<void> {
    this.changed(event.tenant_id, event.department_id);
  }

  @AfterCommit(CallAssigned)
  async onAssigned(event: CallAssigned): Promise<void> {
    if (event.previous_user_id === null) this.changed(event.tenant_id, event.department_id);
  }

  @AfterCommit(CallUpdated)
  async onUpdated(event: CallUpdated): Promise<void> {
    if (event.changed.includes('priority_since')) this.changed(event.tenant_id, event.department_id);
  }

  @AfterCommit(CallEnded)
  async onEnded(event: CallEnded): Promise<void> {
    this.changed(event.tenant_id, event.department_id, event.status === 'completed');
  }

  /** Something about the department's line is different now. */
  changed(tenantId: string, departmentId: string | null, pace = false): void {
    if (!departmentId || !this.sockets.isUp) return;
    const change = { tenantId, departmentId, pace };
    this.schedule(change);
    this.sockets.tellOthers('queue_changed', change);
  }

  private schedule(change: Change): void {
    this.coalescer.schedule(change.departmentId, change, (waiting, added) => ({
      ...added,
      pace: waiting.pace || added.pace,
    }));
  }

  private async broadcast({ tenantId, departmentId, pace }: Change): Promise<void> {
    const line = await this.queue.waitingCalls(tenantId, departmentId);
    await this.tellCustomers(line, pace);
    await this.tellStaff(tenantId, departmentId);
  }

  private async tellCustomers({ calls, pace }: WaitingCalls, paceChanged: boolean): Promise<void> {
    const at = this.clock.now().toISOString();
    const queue_size = calls.length;
    let sent = 0;
    for (const [index, { id: call_id, version }] of calls.entries()) {
      const position = index + 1;
      const told = { position, estimated_wait_time: estimateWait(position, pace) };
      for (const socket of this.sockets.localSockets(rooms.customerOf(call_id))) {
        const data = socket.data as CustomerData;
        const isNews = data.lastSent?.position !== position;
        const isNewEstimate = paceChanged && data.lastSent?.estimated_wait_time !== told.estimated_wait_time;
        if (!isNews && !isNewEstimate) continue;
        data.lastSent = told;
        socket.emit('queue_position', { call_id, ...told, queue_size, version, at });
        if (++sent % SLICE === 0) await nextTurn();
      }
    }
  }

  private async tellStaff(tenantId: string, departmentId: string): Promise<void> {
    const watching = rooms.staffOf(tenantId, departmentId);
    if (!watching.some((room) => this.sockets.io.sockets.adapter.rooms.has(room))) return;
    const [summary] = await this.summaries.of(tenantId, [departmentId]);
    const at = this.clock.now().toISOString();
    this.sockets.io.local.to(watching).emit('queue_updated', { ...summary, at });
  }
}
