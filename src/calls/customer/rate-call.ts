import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { forbidden, notFound, unprocessable } from '../../platform/http/errors/api-error';
import { Jobs } from '../../platform/jobs/jobs';
import type { Call } from '../call.entity';
import { CallRated } from '../call.events';
import { ensureNotErased } from '../erased-call';
import { CallTransitions } from '../machine/call-transitions';
import { CallWriter } from '../machine/call-writer';
import { audienceOf, type CustomerIdentity, CustomerTokens } from './customer-tokens';
import type { EvaluateDto } from './public-call.dto';

const MAX_RATING_DAYS = 7;
const MS_PER_DAY = 86_400_000;
/** How long after its end a call keeps the address that the customer joined from, and can be rated from there without a token. */
const ADDRESS_SECONDS = 900;
/** Addresses cleared in one transaction, which holds the locks of their calls only briefly. */
const BATCH_SIZE = 1000;

/** The customer rates a completed call, once. */
@Injectable()
export class RateCall implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly writer: CallWriter,
    private readonly tokens: CustomerTokens,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('clear-client-addresses', '* * * * *', () => this.clearAddresses());
  }

  /**
   * Without a websocket_token the customer is known by the address that they joined from: an agent, who knows the call's id, too,
   * must not rate their own calls.
   * @param token the websocket_token; staff tokens count as none
   * @param address the client's, see clientAddress
   * @throws 401 for an invalid token; 403 rating_token_required without one from another address, or later than 15 minutes after
   *   the end; 404, also for the token of another call; 422 for a call that is not completed, too old, already rated or erased
   */
  async rate(
    callId: string,
    { rating, comment }: EvaluateDto,
    token: string | undefined,
    address: string,
  ): Promise<void> {
    const customer = token === undefined ? undefined : this.customerOf(callId, token);
    await this.database.system(async (tx) => {
      const tenantId = customer?.tenant_id ?? (await this.tenantOf(tx, callId));
      tx.narrow(tenantId);
      this.events.expect(tx, tenantId, ['call.rated']);
      const call = await this.transitions.lock(tx, tenantId, callId);
      ensureNotErased(call);
      if (!customer) this.ensureJoinedFrom(call, address);
      this.ensureRateable(call);
      const now = this.clock.now();
      const changes = { rating, rating_comment: comment || null, rated_at: now };
      const rated = this.writer.saveVisible(tx, call, changes, now);
      await this.events.record(tx, new CallRated(rated, now, customer ? 'token' : 'address'));
    });
  }

  /** @returns undefined for a staff token. @throws 401, 404 */
  private customerOf(callId: string, token: string): Pick<CustomerIdentity, 'tenant_id'> | undefined {
    if (audienceOf(token) === 'staff') return undefined;
    const customer = this.tokens.verifySignature(token);
    if (customer.call_id !== callId) throw notFound('Call');
    return customer;
  }

  private async tenantOf(tx: Transaction, callId: string): Promise<string> {
    const found = await tx.one<{ tenant_id: string }>('SELECT tenant_id FROM calls WHERE id = $1', [callId]);
    if (!found) throw notFound('Call');
    return found.tenant_id;
  }

  private ensureJoinedFrom({ client_address, ended_at }: Call, address: string): void {
    const isKept = !ended_at || ended_at > this.clock.in(-ADDRESS_SECONDS);
    if (isKept && client_address === address) return;
    throw forbidden(
      'Send the websocket_token of the call as a Bearer token to rate it.',
      'rating_token_required',
    );
  }

  /** Clears the addresses of calls that ended long enough ago. */
  async clearAddresses(): Promise<void> {
    let cleared: object[];
    do {
      cleared = await this.database.system((tx) =>
        tx.query(
          `UPDATE calls SET client_address = NULL WHERE id = ANY (ARRAY(
             SELECT id FROM calls WHERE client_address IS NOT NULL AND ended_at <= $1 ORDER BY ended_at LIMIT $2
             FOR NO KEY UPDATE SKIP LOCKED))
           RETURNING id`,
          [this.clock.in(-ADDRESS_SECONDS), BATCH_SIZE],
        ),
      );
    } while (cleared.length === BATCH_SIZE);
  }

  private ensureRateable({ status, completed_at, rated_at }: Call): void {
    if (status !== 'completed' || !completed_at) {
      throw unprocessable('not_completed', 'Only a completed call can be rated.');
    }
    if (rated_at) throw unprocessable('already_rated', 'This call has been rated already.');
    if (this.clock.now().getTime() > completed_at.getTime() + MAX_RATING_DAYS * MS_PER_DAY) {
      throw unprocessable('rating_closed', `A call can be rated for ${MAX_RATING_DAYS} days.`);
    }
  }
}
