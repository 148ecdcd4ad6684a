import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import { CustomerPresenceChanged } from '../participant.events';
import { LineEntries } from '../line/line-entries';

/**
 * A recorded poll keeps the call for this share of QUEUE_ABSENCE_SECONDS longer. Polls within that time need not be
 * recorded, because the deadline is late enough for them, too.
 */
const POLL_SLACK = 0.1;

/** What is known of a waiting customer without a socket. */
export interface LastSeen {
  absence_deadline: Date;
  /** Until when the customer is present in the line; null if the department does not offer calls. */
  present_until: Date | null;
}

type AbsenceColumns = Pick<Call, 'absent_since' | 'absence_deadline'>;

/** While a waiting customer has an open socket. */
export const PRESENT: AbsenceColumns = { absent_since: null, absence_deadline: null };

/**
 * The absence of waiting customers: without a socket they leave the queue QUEUE_ABSENCE_SECONDS after they joined or were
 * disconnected, and at most a tenth later than that after they last asked for their position.
 */
@Injectable()
export class Absence {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly line: LineEntries,
    private readonly connections: Connections,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The columns of a waiting call whose customer has no socket and joined or was disconnected at `since`. */
  startingAt(since: Date): AbsenceColumns {
    return { absent_since: since, absence_deadline: this.deadlineAfter(since) };
  }

  /** As startingAt, for a call whose customer will be called back: it waits for as long as that takes. */
  ofAwaited(since: Date): AbsenceColumns {
    return { absent_since: since, absence_deadline: null };
  }

  /**
   * The columns of a call that returns to a queue. The caller holds the lock of the call, under which sockets of its
   * customer are opened and closed.
   */
  async ofReturningCall(tx: Transaction, callId: string): Promise<AbsenceColumns> {
    const connected = await this.connections.callsWithCustomer(tx, [callId]);
    return connected.has(callId) ? PRESENT : this.startingAt(this.clock.now());
  }

  /**
   * Records that the customer asked for their position, unless the deadline is still QUEUE_ABSENCE_SECONDS away and the
   * customer is still present in the line. A deadline that has passed is not moved; customers with a socket have none.
   * @param known if the caller has read it
   */
  async postpone(tenantId: string, callId: string, known?: LastSeen): Promise<void> {
    const now = this.clock.now();
    const isDeadlineDue = !known || known.absence_deadline < this.deadlineAfter(now);
    if (!isDeadlineDue && !this.line.isPollDue(known.present_until, now)) return;
    await this.database.tenant(tenantId, async (tx) => {
      const call = isDeadlineDue ? await this.moveDeadline(tx, callId, now) : undefined;
      // A trigger has changed the entry of the line together with the call.
      if (call) await this.events.record(tx, new CustomerPresenceChanged(call, now));
      else await this.line.recordPoll(tx, callId, now);
      if (!known) this.line.recordSeen(tx, callId, now);
    });
  }

  /**
   * Records that the customer of an assigned call asked for its state: if it returns to the line, they are present there.
   * @param presentUntil until when they would be without this
   */
  async recordSeen(tenantId: string, callId: string, presentUntil: Date): Promise<void> {
    const now = this.clock.now();
    if (!this.line.isPollDue(presentUntil, now)) return;
    await this.database.tenant(tenantId, async (tx) => this.line.recordSeen(tx, callId, now));
  }

  /** @returns undefined if the deadline has passed or is late enough */
  private moveDeadline(tx: Transaction, callId: string, now: Date): Promise<Call | undefined> {
    return tx.one<Call>(
      `UPDATE calls SET absent_since = $2, absence_deadline = $4
       WHERE id = $1 AND status = 'queued' AND absence_deadline > $2 AND absence_deadline < $3 RETURNING *`,
      [callId, now, this.deadlineAfter(now), this.deadlineAfter(now, 1 + POLL_SLACK)],
    );
  }

  private deadlineAfter(since: Date, factor = 1): Date {
    return new Date(since.getTime() + this.config.queueAbsenceSeconds * 1000 * factor);
  }
}
