import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ClosingCalls } from '../../calls/queue/closing-calls';
import { DepartmentClosing } from '../../departments/department.events';
import { AfterCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { SocketOwners } from '../limits/socket-owners';
import { SocketServer } from '../socket-server';

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
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.io.on('department_closing', (news: ClosingNews) => {
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
