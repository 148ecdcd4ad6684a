import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Queue, type WaitingPosition } from '../../calls/queue/queue';
import { Clock } from '../../platform/clock/clock';
import { Coalescer } from '../../routing/dispatch/coalescer';
import { SocketOwners } from '../limits/socket-owners';
import { QueuePositionSender } from '../queue-position-sender';

/** The positions of calls that stand in two lines are recomputed at most four times a second for a company. */
const MIN_INTERVAL_MS = 250;
/** The database may be unavailable for minutes. */
const RETRY_MS = 2000;
/** After this many sends the event loop gets a turn. */
const BATCH_SIZE = 200;

/** Calls whose better position is to be sent. */
interface OverflowedCalls {
  callIds: ReadonlySet<string>;
  hasNewRate: boolean;
}

/** Sends the positions in the line of a department to the sockets of this instance. */
@Injectable()
export class PositionBroadcast implements OnModuleDestroy {
  private readonly logger = new Logger(PositionBroadcast.name);
  private readonly overflowed = new Coalescer<OverflowedCalls & { tenantId: string }>(
    MIN_INTERVAL_MS,
    ({ tenantId, ...calls }) =>
      this.sendOverflowed(tenantId, calls).catch((error: unknown) => {
        this.logger.error(error, 'Positions could not be sent');
        // Otherwise they would not be sent before the next change.
        setTimeout(() => this.schedule(tenantId, calls), RETRY_MS).unref();
      }),
  );

  constructor(
    private readonly queue: Queue,
    private readonly positions: QueuePositionSender,
    private readonly owners: SocketOwners,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.overflowed.stop();
  }

  /** @param hasNewRate whether customers who keep their position receive their new estimate */
  async send(tenantId: string, departmentId: string, hasNewRate: boolean): Promise<void> {
    if (!this.owners.hasCustomers) return;
    const readMs = performance.now();
    const line = await this.queue.positionsOf(tenantId, departmentId);
    const callIds = new Set(line.filter((call) => call.is_overflowed && this.isOpen(call)).map(callIdOf));
    if (callIds.size > 0) this.schedule(tenantId, { callIds, hasNewRate });
    await this.sendAll(
      line.filter((call) => !call.is_overflowed),
      hasNewRate,
      readMs,
    );
  }

  /** Sends the position of one call, whose customer is to learn of something else than the line. */
  sendOf(tenantId: string, callId: string): void {
    if (this.owners.socketsOfCall(callId).length === 0) return;
    this.schedule(tenantId, { callIds: new Set([callId]), hasNewRate: false });
  }

  /**
   * The changes of both lines are computed one after the other. At the same time, the older position could be sent after the
   * newer one.
   */
  private schedule(tenantId: string, calls: OverflowedCalls): void {
    this.overflowed.schedule(tenantId, { tenantId, ...calls }, (waiting, added) => ({
      tenantId,
      callIds: new Set([...waiting.callIds, ...added.callIds]),
      hasNewRate: waiting.hasNewRate || added.hasNewRate,
    }));
  }

  private async sendOverflowed(tenantId: string, { callIds, hasNewRate }: OverflowedCalls): Promise<void> {
    const readMs = performance.now();
    await this.sendAll(await this.queue.bestPositionsOf(tenantId, [...callIds]), hasNewRate, readMs);
  }

  private async sendAll(positions: WaitingPosition[], hasNewRate: boolean, readMs: number): Promise<void> {
    const at = this.clock.now().toISOString();
    let sent = 0;
    for (const position of positions) {
      for (const socket of this.owners.socketsOfCall(position.call_id)) {
        // The first snapshot of a socket has its position.
        if (!socket.data.hasSnapshot) continue;
        if (this.positions.send(socket, position, hasNewRate, at, readMs) && ++sent % BATCH_SIZE === 0)
          await nextTurn();
      }
    }
  }

  private isOpen({ call_id }: WaitingPosition): boolean {
    return this.owners.socketsOfCall(call_id).length > 0;
  }
}

const callIdOf = ({ call_id }: WaitingPosition): string => call_id;
