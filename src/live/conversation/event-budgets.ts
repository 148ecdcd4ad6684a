import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../../platform/http/errors/api-error';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';
import type { LiveSocket } from '../socket.types';

/** Events of one side of one call: in the long run a second, and at once. Those that write cost more than signals. */
const BUDGETS = {
  chat_message: { rate: 10, burst: 250 },
  media_state: { rate: 5, burst: 50 },
  device_report: { rate: 1, burst: 10 },
  quality_report: { rate: 1, burst: 5 },
  recording_state: { rate: 1, burst: 10 },
};

type BudgetedEvent = keyof typeof BUDGETS;

/** Until each empty bucket is full again. */
const RETENTION_MS = Math.max(...Object.values(BUDGETS).map(({ rate, burst }) => burst / rate)) * 1000;
const MAX_BUCKETS = 50_000;

/** Limits the events of a conversation, each kind by itself, before anything is read or written. */
@Injectable()
export class EventBudgets {
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS, ttl: RETENTION_MS });

  /** Counts an event of the socket's side. @throws 429 beyond the budget */
  take({ data }: LiveSocket, event: BudgetedEvent, callId: string): void {
    const side = data.kind === 'staff' ? data.user.user_id : 'customer';
    const key = `${event} ${callId} ${side}`;
    const bucket = this.buckets.get(key, { updateAgeOnGet: true }) ?? this.add(key, event);
    if (!bucket.take()) throw tooManyRequests(1);
  }

  private add(key: string, event: BudgetedEvent): TokenBucket {
    const { rate, burst } = BUDGETS[event];
    const bucket = new TokenBucket(rate, burst);
    this.buckets.set(key, bucket);
    return bucket;
  }
}
