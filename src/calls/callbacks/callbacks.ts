import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { pagesOfCustomer } from '../../presence/connections';
import type { Call } from '../call.entity';
import { type CallChanges, CallWriter } from '../machine/call-writer';
import { Callback } from './callback.entity';
import { RETRY_SECONDS } from './callback.effects';
import { CallbackChanged } from './callback.events';
import { callbackAfter, type CallbackTrigger } from './callback.machine';

/** Pages that a callback remembers: a client could make any number of sessions. */
const MAX_PAGES = 50;

/** What an invitation depends on besides the call. */
export interface CallbackSettings {
  /** Seconds. */
  callback_window: number;
  callback_attempts: number;
  /** Seconds. */
  max_wait_time: number;
}

export type CallbackWithSettings = Callback & CallbackSettings;

/**
 * The callbacks of calls. The caller holds the lock of the call, which decides between parallel changes. Each change
 * increments the version of the call, because clients see it.
 */
@Injectable()
export class Callbacks {
  constructor(
    private readonly writer: CallWriter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** The callback of the call, with the settings of its department; undefined if none was ever requested. */
  find(tx: Transaction, { tenant_id, id }: Call): Promise<CallbackWithSettings | undefined> {
    return tx.one<CallbackWithSettings>(
      `SELECT b.*, d.callback_window, d.callback_attempts, d.max_wait_time
       FROM callbacks b JOIN calls c ON c.tenant_id = b.tenant_id AND c.id = b.call_id
         JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
       WHERE b.tenant_id = $1 AND b.call_id = $2`,
      [tenant_id, id],
    );
  }

  async update(tx: Transaction, { tenant_id, id }: Call, changes: Partial<Callback>): Promise<void> {
    await tx.repository(Callback).update({ call_id: id, tenant_id }, changes);
  }

  /**
   * Adds the callback, or begins it again, without waiting. The customer may be invited at once, but not again soon after an
   * invitation: otherwise a client could make the service send mails to any addresses, one after another.
   */
  begin(tx: Transaction, call: Call, { channel, email }: Pick<Callback, 'channel' | 'email'>): void {
    tx.send({
      text: `INSERT INTO callbacks (tenant_id, call_id, channel, email, requested_at, next_attempt_at,
          first_requested_at, page_sessions)
        VALUES ($1, $2, $3, $4, $5, $5, $5, ${pagesOfCustomer('$2')})
        ON CONFLICT (call_id) DO UPDATE SET channel = $3, email = $4, requested_at = $5, attempts = 0,
          first_requested_at = COALESCE(callbacks.first_requested_at, callbacks.requested_at),
          page_sessions = excluded.page_sessions,
          next_attempt_at = GREATEST($5, callbacks.invited_at + make_interval(secs => $6)), next_deadline = NULL`,
      values: [call.tenant_id, call.id, channel, email, this.clock.now(), RETRY_SECONDS],
    });
  }

  /**
   * Remembers pages that are there before an invitation, without waiting.
   * @param sessions of pages that connect now; by default those of the pages that are connected
   */
  addPages(tx: Transaction, { id }: Call, sessions?: string[]): void {
    tx.send({
      text: `UPDATE callbacks SET page_sessions = ARRAY(
          SELECT page FROM unnest(${sessions ? '$3::text[]' : pagesOfCustomer('$1')} || page_sessions)
            WITH ORDINALITY AS known (page, number)
          GROUP BY page ORDER BY min(number) LIMIT $2)
        WHERE call_id = $1`,
      values: [id, MAX_PAGES, ...(sessions ? [sessions] : [])],
    });
  }

  /**
   * Saves the changes of a call that a trigger of its callback makes.
   * @param attempts invitations so far
   * @returns the call with its new version
   * @throws Error if the machine does not allow the trigger
   */
  async apply(
    tx: Transaction,
    call: Call,
    trigger: CallbackTrigger,
    changes: CallChanges,
    attempts: number,
  ): Promise<Call> {
    const status = callbackAfter(call.callback_status, trigger);
    if (!status || status !== changes.callback_status) {
      throw new Error(`A callback that is ${call.callback_status} does not allow ${trigger}.`);
    }
    const now = this.clock.now();
    const saved = this.writer.saveVisible(tx, call, changes, now);
    await this.events.record(tx, new CallbackChanged(saved, now, status, attempts));
    return saved;
  }
}
