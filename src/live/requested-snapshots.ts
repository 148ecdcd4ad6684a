import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PacedWork } from './limits/paced-work';
import { type CustomerSnapshot, Snapshots, type StaffSnapshot } from './snapshots';
import type { LiveSocket } from './socket.types';

type Snapshot = CustomerSnapshot | StaffSnapshot;

/** Snapshots a second of one call or user: each costs several times as much as any other event. */
const RATE = 4;
const BURST = 20;
/** Until the limit of an owner who asks no more is full again. */
const RETENTION_MS = (BURST / RATE) * 1000;
const MAX_OWNERS = 10_000;

/** Snapshots that clients request. All sockets of a call or user share the result when they ask too often. */
@Injectable()
export class RequestedSnapshots {
  private readonly owners = new LRUCache<string, PacedWork<Snapshot>>({ max: MAX_OWNERS, ttl: RETENTION_MS });

  constructor(private readonly snapshots: Snapshots) {}

  of(socket: LiveSocket): Promise<Snapshot> {
    const { data } = socket;
    const owner = data.kind === 'staff' ? data.user.user_id : data.customer.call_id;
    const paced = this.owners.get(owner, { updateAgeOnGet: true }) ?? this.add(owner);
    return paced.run(() => this.snapshots.of(socket));
  }

  private add(owner: string): PacedWork<Snapshot> {
    const paced = new PacedWork<Snapshot>(RATE, BURST);
    this.owners.set(owner, paced);
    return paced;
  }
}
