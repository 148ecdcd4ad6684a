import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';

/** The sweep finds those after them. */
const MAX_CALLS = 100;

const OF_AGENT = `SELECT e.call_id FROM line_entries e
  WHERE e.reserved_user_id = $1 AND e.present AND e.present_until > $2
  ORDER BY e.first_at, e.rank_at, e.queue_number LIMIT ${MAX_CALLS}`;

/** Finds the waiting calls that are kept for an agent. */
@Injectable()
export class ReservedCalls {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns the ids of the first 100 of them */
  async of(tenantId: string, userId: string): Promise<string[]> {
    const [calls] = await this.database.readTenant<[{ call_id: string }]>(tenantId, [
      { text: OF_AGENT, values: [userId, this.clock.now()] },
    ]);
    return calls.map(({ call_id }) => call_id);
  }
}
