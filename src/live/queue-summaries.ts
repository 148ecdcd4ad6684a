import { Injectable } from '@nestjs/common';
import type { CallListItemDto } from '../calls/call.dto';
import { secondsBetween } from '../calls/machine/call.effects';
import { Queue } from '../calls/queue/queue';
import { Clock } from '../platform/clock/clock';

const SHOWN = 50;

/** A department's line as its staff see it. */
export interface QueueSummary {
  department_id: string;
  /** Customers waiting. */
  size: number;
  /** Seconds that the first in line has waited; 0 when nobody waits. */
  longest_wait: number;
  /** The first 50, first in line first. */
  calls: CallListItemDto[];
}

@Injectable()
export class QueueSummaries {
  constructor(
    private readonly queue: Queue,
    private readonly clock: Clock,
  ) {}

  /** All departments asked for in one statement, those without anybody waiting included. */
  async of(tenantId: string, departmentIds: string[]): Promise<QueueSummary[]> {
    const waiting = await this.queue.firstCalls(tenantId, departmentIds, SHOWN);
    const now = this.clock.now();
    return departmentIds.map((department_id) => {
      const line = waiting.filter(({ item }) => item.department_id === department_id);
      const first = line[0];
      return {
        department_id,
        size: first?.queue_size ?? 0,
        longest_wait: first ? secondsBetween(new Date(first.item.inserted_at), now) : 0,
        calls: line.map(({ item }) => item),
      };
    });
  }
}
