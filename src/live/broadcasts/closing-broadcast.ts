import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { CallEvent, CallRequeued, CallTransferred } from '../../calls/call.events';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { ClosingCalls } from '../../calls/queue/closing-calls';
import { DepartmentClosing } from '../../departments/department.events';
import { AfterCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { Clock } from '../../platform/clock/clock';
import { SocketOwners } from '../limits/socket-owners';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';
import type { LiveSocket } from '../socket.types';

/** After this many sends the event loop gets a turn. */
const BATCH_SIZE = 200;

/** What instances tell each other of a closing. */
type ClosingNews = Pick<DepartmentClosing, 'tenant_id' | 'subject_id' | 'occurred_at' | 'closes_at'>;

/**
 * Informs waiting customers that their call ends when the department closes. Each instance informs the customers of its
 * own sockets.
 */
@Injectable()
export class ClosingBroadcast {
  private readonly logger = new Logger(ClosingBroadcast.name);

  constructor(
    private readonly sockets: SocketServer,
    private readonly owners: SocketOwners,
    private readonly calls: ClosingCalls,
    private readonly clock: Clock,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('department_closing', (news: ClosingNews) => {
      this.send(news).catch((error: unknown) => this.logger.error(error, 'Broadcast failed'));
    });
  }

  @AfterCommit(DepartmentClosing)
  async onClosing({ tenant_id, subject_id, occurred_at, closes_at }: DepartmentClosing): Promise<void> {
    if (!this.sockets.isUp) return;
    const news = { tenant_id, subject_id, occurred_at, closes_at };
    this.sockets.notifyOtherInstances('department_closing', news);
    await this.send(news);
  }

  /** Informs the socket of a waiting customer who connected after the closing was announced. */
  async inform(socket: LiveSocket): Promise<void> {
    const { data } = socket;
    if (data.kind !== 'customer') return;
    const { tenant_id, call_id } = data.customer;
    const news = await this.newsOf(tenant_id, call_id);
    if (news) socket.emit('queue_closing', news);
  }

  @AfterCommit(CallRequeued)
  async onRequeued(event: CallRequeued): Promise<void> {
    await this.informAgain(event);
  }

  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    if (event.user_id === null) await this.informAgain(event);
  }

  @AfterCommit(CallbackChanged)
  async onCallback(event: CallbackChanged): Promise<void> {
    const { callback_status: status } = event;
    if (status === 'cancelled' || status === 'returned') await this.informAgain(event);
  }

  /** The closing ends a call that did not wait when it was announced. */
  private async informAgain({ tenant_id, call_id }: CallEvent): Promise<void> {
    const room = rooms.customerOf(call_id);
    if (!this.sockets.mayHaveSocketsIn([room])) return;
    const news = await runAsReservedBackgroundWork(() => this.newsOf(tenant_id, call_id));
    if (news) this.sockets.emitTo(room, 'queue_closing', news);
  }

  private async newsOf(tenantId: string, call_id: string): Promise<object | undefined> {
    const notice = await this.calls.noticeOf(tenantId, call_id);
    return notice && { call_id, at: this.clock.now().toISOString(), ...notice };
  }

  private async send({ tenant_id, subject_id, occurred_at: at, closes_at }: ClosingNews): Promise<void> {
    if (!this.owners.hasCustomers) return;
    const { ids, callback_enabled } = await runAsReservedBackgroundWork(() =>
      this.calls.of(tenant_id, subject_id),
    );
    for (const [index, call_id] of ids.entries()) {
      for (const socket of this.owners.socketsOfCall(call_id)) {
        // The first message of a socket is its snapshot.
        if (socket.data.hasSnapshot)
          socket.emit('queue_closing', { call_id, at, closes_at, callback_enabled });
      }
      if ((index + 1) % BATCH_SIZE === 0) await nextTurn();
    }
  }
}
