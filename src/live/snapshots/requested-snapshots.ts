import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../platform/clock/clock';
import { takeTurn } from '../conversation/long-chat-turns';
import { RateLimitedRun } from '../limits/rate-limited-run';
import { withNewestPosition } from '../queue-position-sender';
import { readCurrent } from './read-current';
import { type CustomerSnapshot, Snapshots, type StaffSnapshot } from './snapshots';
import type { LiveSocket } from '../socket.types';

type Snapshot = CustomerSnapshot | StaffSnapshot;

interface Reading {
  snapshot: Snapshot;
  /** When it began, of performance.now. */
  readMs: number;
}

/** Snapshots a second of one call or user: each costs several times as much as any other event. */
const SNAPSHOTS_PER_SECOND = 4;
const MAX_SNAPSHOTS_AT_ONCE = 20;
/** Until the limit of an owner who asks no more is full again. */
const RETENTION_MS = (MAX_SNAPSHOTS_AT_ONCE / SNAPSHOTS_PER_SECOND) * 1000;
const MAX_OWNERS = 10_000;

/** Snapshots that clients request. All sockets of a call or user share the result when they ask too often. */
@Injectable()
export class RequestedSnapshots {
  private readonly owners = new LRUCache<string, RateLimitedRun<Reading>>({
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
    // What another socket has asked for a moment ago was read before this request.
    const { snapshot, readMs } = await readCurrent(socket, async () => {
      const reading = await limited.run(async () => {
        const begin = performance.now();
        return { snapshot: await this.snapshots.of(socket), readMs: begin };
      });
      await takeTurn(reading.snapshot);
      return reading;
    });
    return { ...withNewestPosition(socket, snapshot, readMs), at: this.clock.now().toISOString() };
  }

  private add(owner: string): RateLimitedRun<Reading> {
    const limited = new RateLimitedRun<Reading>(SNAPSHOTS_PER_SECOND, MAX_SNAPSHOTS_AT_ONCE);
    this.owners.set(owner, limited);
    return limited;
  }
}
