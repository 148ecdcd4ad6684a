import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Call } from '../call.entity';

/** A poll is recorded when it moves the deadline by at least this share of QUEUE_ABSENCE_SECONDS. */
const MIN_MOVE = 0.1;

type AbsenceColumns = Pick<Call, 'absent_since' | 'absence_deadline'>;

/** While a waiting customer has an open socket. */
export const PRESENT: AbsenceColumns = { absent_since: null, absence_deadline: null };

/**
 * The absence of waiting customers: without a socket they leave the queue QUEUE_ABSENCE_SECONDS after they joined, were
 * disconnected, or asked for their position.
 */
@Injectable()
export class Absence {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The columns of a waiting call whose customer has no socket and was last seen at `since`. */
  startingAt(since: Date): AbsenceColumns {
    return {
      absent_since: since,
      absence_deadline: new Date(since.getTime() + this.config.queueAbsenceSeconds * 1000),
    };
  }

  /**
   * Records that the customer asked for their position. A deadline that has passed is not moved; customers with a socket
   * have none.
   * @param since when they were last seen, if the caller knows it: shortly after it nothing is written
   */
  async postpone(tenantId: string, callId: string, since?: Date): Promise<void> {
    const now = this.clock.now();
    const minMoveMs = MIN_MOVE * this.config.queueAbsenceSeconds * 1000;
    if (since && now.getTime() - since.getTime() < minMoveMs) return;
    const { absent_since, absence_deadline } = this.startingAt(now);
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `UPDATE calls SET absent_since = $2, absence_deadline = $3
         WHERE id = $1 AND status = 'queued' AND absence_deadline > $2 AND absence_deadline < $3`,
        [callId, absent_since, absence_deadline],
      ),
    );
  }
}
