import { LRUCache } from 'lru-cache';
import {
  ALWAYS_OPEN,
  changesAt,
  type HoursRow,
  hoursOf,
  type Openness,
  opennessAt,
} from './department-hours.rules';

/** Different opening hours; many departments of a company have the same ones. */
const MAX_HOURS = 500;
/** Exceptions become relevant as they come nearer, so what never changes is looked at again. */
const MAX_AGE_MS = 24 * 60 * 60_000;

interface KnownOpenness {
  openness: Openness;
  /** Milliseconds since 1970: from when on, and until when, exclusively. */
  from: number;
  until: number;
}

/**
 * Whether departments are open, until that changes. It is asked for with each change of a queue, and to find the next
 * opening takes longer than the rest.
 */
export class OpennessCache {
  private readonly known = new LRUCache<string, KnownOpenness>({ max: MAX_HOURS });

  at(row: HoursRow, now: Date): Openness {
    if (!row.opening_hours) return ALWAYS_OPEN;
    const key = JSON.stringify([row.opening_hours, row.tenant_timezone]);
    const time = now.getTime();
    const known = this.known.get(key);
    if (known && known.from <= time && time < known.until) return known.openness;
    const openness = opennessAt(hoursOf(row), now);
    const until = changesAt(openness)?.getTime() ?? time + MAX_AGE_MS;
    this.known.set(key, { openness, from: time, until });
    return openness;
  }
}
