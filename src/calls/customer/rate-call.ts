import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unauthenticated, unprocessable } from '../../platform/http/errors/api-error';
import { audienceOf } from '../../platform/tokens/token-audience';
import type { Call } from '../call.entity';
import { CallRated } from '../call.events';
import { ensureNotErased } from '../erased-call';
import { CallTransitions } from '../machine/call-transitions';
import { CallWriter } from '../machine/call-writer';
import { type CustomerIdentity, CustomerTokens } from './customer-tokens';
import type { EvaluateDto } from './public-call.dto';

const MAX_RATING_DAYS = 7;
const MS_PER_DAY = 86_400_000;
/** How long after its end a call can be rated by anyone who knows its id. */
const WITHOUT_TOKEN_MS = 900_000;

/** The customer rates a completed call, once. */
@Injectable()
export class RateCall {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly writer: CallWriter,
    private readonly tokens: CustomerTokens,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * @param token the websocket_token; staff tokens count as none
   * @throws 401 for an invalid token, or without one 15 minutes after the end; 404, also for the token of another call;
   *   422 for a call that is not completed, too old, already rated or erased
   */
  async rate(callId: string, { rating, comment }: EvaluateDto, token: string | undefined): Promise<void> {
    const customer = token === undefined ? undefined : this.customerOf(callId, token);
    await this.database.system(async (tx) => {
      const tenantId = customer?.tenant_id ?? (await this.tenantOf(tx, callId));
      tx.narrow(tenantId);
      this.events.expect(tx, tenantId, ['call.rated']);
      const call = await this.transitions.lock(tx, tenantId, callId);
      if (!customer) this.ensureEndedRecently(call);
      this.ensureRateable(call);
      ensureNotErased(call);
      const now = this.clock.now();
      const changes = { rating, rating_comment: comment || null, rated_at: now };
      const rated = this.writer.saveVisible(tx, call, changes, now);
      await this.events.record(tx, new CallRated(rated, now));
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

  private ensureEndedRecently({ ended_at }: Call): void {
    if (!ended_at || this.clock.now().getTime() < ended_at.getTime() + WITHOUT_TOKEN_MS) return;
    throw unauthenticated('Send the websocket_token of the call as a Bearer token to rate it.');
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
