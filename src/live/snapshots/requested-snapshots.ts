import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../platform/clock/clock';
import { takeTurn } from '../conversation/long-chat-turns';
import { RateLimitedRun } from '../limits/rate-limited-run';
import { withNewestPosition } from '../queue-position-sender';
import { readCurrent, type Reading } from './read-current';
import { type CustomerSnapshot, Snapshots, type StaffSnapshot } from './snapshots';
import type { LiveSocket } from '../socket.types';

type Snapshot = CustomerSnapshot | StaffSnapshot;

/** Snapshots a second of one call or user: each costs several times as much as any other event. */
const SNAPSHOTS_PER_SECOND = 4;
const MAX_SNAPSHOTS_AT_ONCE = 20;
/** Until the limit of an owner who asks no more is full again. */
const RETENTION_MS = (MAX_SNAPSHOTS_AT_ONCE / SNAPSHOTS_PER_SECOND) * 1000;
const MAX_OWNERS = 10_000;

/** Snapshots that clients request. All sockets of a call or user share the result when they ask too often. */
@Injectable()
export class RequestedSnapshots {
  private readonly owners = new LRUCache<string, RateLimitedRun<Reading<Snapshot>>>({
    max: MAX_OWNERS,
    ttl: RETENTION_MS,
  });

  constructor(
    private readonly snapshots: Snapshots,
    private readonly clock: Clock,
  ) {}

  /** @returns the snapshot, with the time by which a device whose clock is wrong reads the other times */
  async of(socket: LiveSocket): Promise<Snapshot & { at: string }> {
    const { data } = socket;
    const owner = data.kind === 'staff' ? data.user.user_id : data.customer.call_id;
    const limited = this.owners.get(owner, { updateAgeOnGet: true }) ?? this.add(owner);
    const { state, readMs } = await readCurrent([socket], async () => {
      const reading = await limited.run(async () => {
        // After the wait for the limit, in which no event can overtake it.
        const begin = performance.now();
        return { state: await this.snapshots.of(socket), readMs: begin };
      });
      await takeTurn(reading.state);
      return reading;
    });
    return { ...withNewestPosition(socket, state, readMs), at: this.clock.now().toISOString() };
  }

  private add(owner: string): RateLimitedRun<Reading<Snapshot>> {
    const limited = new RateLimitedRun<Reading<Snapshot>>(SNAPSHOTS_PER_SECOND, MAX_SNAPSHOTS_AT_ONCE);
    this.owners.set(owner, limited);
    return limited;
  }
}
