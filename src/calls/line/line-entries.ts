import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { CustomerReturned, LaneChanged } from './line.events';

/** How long a customer without a socket is present after the join or a poll. The triggers of `calls` use the same. */
const PRESENCE_SECONDS = 30;
/** A poll within this time after the one recorded last is not recorded. */
const POLL_INTERVAL_SECONDS = 3;
const EXPIRY_BATCH = 500;

/** An entry that a statement changed; in the statements, `o` is the entry as it was before. */
interface ChangedEntry {
  tenant_id: string;
  department_id: string;
  /** Whether the customer was absent, or the lane is another one. */
  is_news: boolean;
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

/**
 * The entries of waiting calls in the lines of departments, as far as triggers of `calls` do not keep them: what changes
 * with time, and polls. A transaction that locks a call and its entry locks the call first.
 */
@Injectable()
export class LineEntries {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
  ) {}

  /** Whether a poll at this time must be recorded. @param presentUntil null if the department does not offer calls */
  isPollDue(presentUntil: Date | null, now: Date): boolean {
    return presentUntil !== null && presentUntil < this.requiredPresence(now);
  }

  /** Records a poll of a customer without a socket whose call the service can offer to agents, in each of its lines. */
  async recordPoll(tx: Transaction, callId: string, now: Date): Promise<void> {
    const seen = await tx.query<ChangedEntry>(
      `UPDATE line_entries e SET present = true, present_until = $2
       FROM line_entries o
       WHERE e.call_id = $1 AND e.present_until < $3 AND NOT e.awaits_callback
         AND o.call_id = e.call_id AND o.department_id = e.department_id
         AND EXISTS (SELECT FROM line_entries l JOIN departments d ON d.tenant_id = l.tenant_id AND d.id = l.department_id
           WHERE l.call_id = $1 AND d.routing = 'automatic')
       RETURNING e.tenant_id, e.department_id, o.present_until <= $4 AS is_news`,
      [callId, after(now, PRESENCE_SECONDS), this.requiredPresence(now), now],
    );
    for (const { tenant_id, department_id, is_news } of seen) {
      if (is_news) await this.events.record(tx, new CustomerReturned(tenant_id, callId, department_id, now));
    }
  }

  /** Records, without waiting, that the customer was seen while the call is assigned. */
  recordSeen(tx: Transaction, callId: string, now: Date): void {
    tx.send({
      text: `UPDATE calls SET seen_at = $2 WHERE id = $1 AND status = 'assigned'`,
      values: [callId, now],
    });
  }

  /**
   * Ends the reservation and the requirement of skills of a call if their time has passed.
   * @param callId of a call that the transaction has locked
   */
  async endRequirements(tx: Transaction, callId: string, now: Date): Promise<void> {
    const changed = await tx.query<ChangedEntry>(
      `UPDATE line_entries e SET
         reserved_user_id = CASE WHEN e.reserved_until <= $2 THEN NULL ELSE e.reserved_user_id END,
         reserved_until = CASE WHEN e.reserved_until <= $2 THEN NULL ELSE e.reserved_until END,
         skill_ids = CASE WHEN e.relax_at <= $2 THEN '{}' ELSE e.skill_ids END,
         min_levels = CASE WHEN e.relax_at <= $2 THEN '{}' ELSE e.min_levels END,
         relax_at = CASE WHEN e.relax_at <= $2 THEN NULL ELSE e.relax_at END
       FROM line_entries o
       WHERE e.call_id = $1 AND (e.reserved_until <= $2 OR e.relax_at <= $2)
         AND o.call_id = e.call_id AND o.department_id = e.department_id
       RETURNING e.tenant_id, e.department_id, e.lane <> o.lane AS is_news`,
      [callId, now],
    );
    for (const { tenant_id, department_id, is_news } of changed) {
      if (is_news) await this.events.record(tx, new LaneChanged(tenant_id, callId, department_id, now));
    }
  }

  /**
   * Removes customers from the index of the line who have neither a socket nor polled for PRESENCE_SECONDS. It locks
   * nothing but entries, and leaves those that are locked to the next sweep, so it needs no lock of the calls.
   * @returns false if there may be more of them
   */
  async expirePresence(now: Date): Promise<boolean> {
    const expired = await this.database.system((tx) =>
      tx.query(
        `UPDATE line_entries e SET present = false
         FROM (SELECT call_id, department_id FROM line_entries
               WHERE present AND present_until < 'infinity' AND present_until <= $1
               ORDER BY present_until LIMIT ${EXPIRY_BATCH} FOR NO KEY UPDATE SKIP LOCKED) due
         WHERE e.call_id = due.call_id AND e.department_id = due.department_id RETURNING e.call_id`,
        [now],
      ),
    );
    return expired.length < EXPIRY_BATCH;
  }

  /** The presence that needs no other poll to be recorded at this time. */
  private requiredPresence(now: Date): Date {
    return after(now, PRESENCE_SECONDS - POLL_INTERVAL_SECONDS);
  }
}
