import { Injectable } from '@nestjs/common';
import {
  ensureOpen,
  HOURS_SQL,
  type HoursRow,
  isOpenAt,
} from '../../departments/hours/department-hours.rules';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField, unprocessable } from '../../platform/http/errors/api-error';
import type { Call } from '../call.entity';
import { ensureNotErased } from '../erased-call';
import { Absence } from '../machine/absence';
import { CallTransitions } from '../machine/call-transitions';
import type { RequestCallbackDto } from './callback.dto';
import { requested, withdrawn } from './callback.effects';
import type { Callback } from './callback.entity';
import { isAwaited } from './callback.machine';
import { CallbackSubscribers } from './callback-subscribers';
import { Callbacks } from './callbacks';
import { CallbackMails } from './mail/callback-mails';

type Address = Pick<Callback, 'channel' | 'email'>;

/** The customer of a waiting call requests a callback, or takes it back. */
@Injectable()
export class RequestCallback {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly callbacks: Callbacks,
    private readonly subscribers: CallbackSubscribers,
    private readonly mails: CallbackMails,
    private readonly absence: Absence,
    private readonly clock: Clock,
  ) {}

  /**
   * From now on the call keeps its place without the customer. Until the invitation a repeated request changes the channel
   * and the address.
   * @throws 404; 422 invalid_transition unless the call waits, callback_disabled, callback_invited, callback_limit, or at the
   *   field; the call then waits on as before
   */
  async request(tenantId: string, callId: string, input: RequestCallbackDto): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const call = await this.lockWaiting(tx, tenantId, callId);
      ensureNotErased(call);
      const isRepeated = isAwaited(call.callback_status);
      if (!isRepeated) await this.ensureEnabled(tx, call);
      const address = await this.addressFor(tx, call, input);
      if (isRepeated) await this.changeAddress(tx, call, address);
      else await this.begin(tx, call, address);
    });
  }

  private async begin(tx: Transaction, call: Call, address: Address): Promise<Call> {
    this.callbacks.begin(tx, call, address);
    const saved = await this.callbacks.apply(tx, call, 'request', requested(call), 0);
    if (address.email) await this.mails.ensureRoom(tx, call, address.email);
    return saved;
  }

  /**
   * Requests it for a call that the transaction has just added. @returns the call with its new version
   * @throws 422 callback_disabled, callback_limit, or at the field
   */
  async requestFor(tx: Transaction, call: Call, input: RequestCallbackDto): Promise<Call> {
    await this.ensureEnabled(tx, call);
    return this.begin(tx, call, await this.addressFor(tx, call, input));
  }

  /**
   * The customer waits on as before, for the time that was left. Without a callback nothing changes.
   * @throws 404; 422 invalid_transition unless the call waits; department_closed for a call that joined only because it
   * requested a callback, until the department opens
   */
  async cancel(tenantId: string, callId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const call = await this.lockWaiting(tx, tenantId, callId);
      const callback = isAwaited(call.callback_status) && (await this.callbacks.find(tx, call));
      if (!callback) return;
      await this.ensureMayWait(tx, call);
      const absence = await this.absence.ofReturningCall(tx, call.id);
      const changes = withdrawn(call, callback.requested_at, absence, this.clock.now());
      await this.callbacks.apply(tx, call, 'cancel', changes, callback.attempts);
    });
  }

  private async lockWaiting(tx: Transaction, tenantId: string, callId: string): Promise<Call> {
    const call = await this.transitions.lock(tx, tenantId, callId);
    if (call.status === 'queued') return call;
    throw unprocessable('invalid_transition', `A call that is ${call.status} does not allow a callback.`);
  }

  private async ensureEnabled(tx: Transaction, { tenant_id, department_id }: Call): Promise<void> {
    const enabled = await tx.one(
      'SELECT FROM departments WHERE tenant_id = $1 AND id = $2 AND callback_enabled',
      [tenant_id, department_id],
    );
    if (!enabled) throw unprocessable('callback_disabled', 'The department does not call customers back.');
  }

  /** A customer who joined while the department was closed cannot wait in its line before it opens. */
  private async ensureMayWait(
    tx: Transaction,
    { tenant_id, department_id, inserted_at }: Call,
  ): Promise<void> {
    const hours = await tx.one<HoursRow>(
      `SELECT ${HOURS_SQL} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
      [tenant_id, department_id],
    );
    if (hours && !isOpenAt(hours, inserted_at)) ensureOpen(hours, this.clock.now());
  }

  private async addressFor(tx: Transaction, call: Call, input: RequestCallbackDto): Promise<Address> {
    if (input.channel === 'email') {
      const email = input.email ?? call.customer_email;
      if (!email) throw invalidField('email', 'is required, because the customer joined without one');
      return { channel: 'email', email };
    }
    if (!(await this.subscribers.exist(tx, call.tenant_id))) {
      throw invalidField('channel', 'is not available: the company receives no callback.due');
    }
    return { channel: 'webhook', email: null };
  }

  private async changeAddress(tx: Transaction, call: Call, address: Address): Promise<void> {
    const known = await this.callbacks.find(tx, call);
    if (!known || (known.channel === address.channel && known.email === address.email)) return;
    if (call.callback_status === 'invited') {
      throw unprocessable(
        'callback_invited',
        'The invitation has been sent, so it can no longer be changed.',
      );
    }
    await this.callbacks.update(tx, call, address);
    if (address.email) await this.mails.ensureRoom(tx, call, address.email);
  }
}
