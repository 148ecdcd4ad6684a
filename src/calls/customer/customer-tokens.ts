import { Injectable } from '@nestjs/common';
import type { CallStatus } from '../machine/call.machine';
import { Clock } from '../../platform/clock/clock';
import { Batcher } from '../batcher';
import { Database } from '../../platform/database/database';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { TokenError } from '../../platform/tokens/token-keys';
import { TokensService } from '../../platform/tokens/tokens.service';

interface CustomerClaims {
  /** The call's id. */
  sub: string;
  tid: string;
  /** As customer_device of the call; absent from tokens of customers who used no resume link. */
  dev?: number;
  iat: number;
  exp: number;
}

/** The customer whom a websocket_token identifies: one call of one tenant. */
export interface CustomerIdentity {
  tenant_id: string;
  call_id: string;
  /** How many times the resume link had been opened when the token was signed. */
  device: number;
  expires_at: Date;
  /** Whether the call was assigned or active when the token was verified; sockets keep it up to date. */
  is_in_progress: boolean;
}

/** The customer whom a token names; whether they still have access depends on their call. */
export type SignedCustomer = Omit<CustomerIdentity, 'is_in_progress'>;

const MAX_TTL_SECONDS = 86_400;
/** After MAX_TTL_SECONDS the token is good for rating alone: a call can be rated for 7 days. */
const RATING_SECONDS = 7 * 86_400;
/** A token stays valid this long after its call has ended, so that the customer sees the end. */
const AFTER_END_SECONDS = 900;

/** The unverified audience of a token: it decides how the token is verified. Undefined if it is not a token. */
export function audienceOf(token: string): unknown {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(payload) as { aud?: unknown }).aud;
  } catch {
    return undefined;
  }
}

/** When the tokens of an ended call become invalid, in milliseconds. */
export const endOfAccess = (endedAt: string): number => Date.parse(endedAt) + AFTER_END_SECONDS * 1000;

/** Whether the customer is in a call, or may be at any moment. */
export const isInProgress = (status: CallStatus): boolean => status === 'assigned' || status === 'active';

interface CallRow {
  id: string;
  ended_at: string | null;
  status: CallStatus;
  customer_device: number;
}

@Injectable()
export class CustomerTokens {
  private readonly calls = new Batcher<string, CallRow | undefined>((tenantId, ids) =>
    this.readCalls(tenantId, ids),
  );

  constructor(
    private readonly tokens: TokensService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param device the customer_device of the call for which the token is meant */
  sign(tenantId: string, callId: string, device = 0): string {
    const claims = { sub: callId, tid: tenantId, ...(device > 0 ? { dev: device } : {}) };
    return this.tokens.sign('customer', claims, MAX_TTL_SECONDS + RATING_SECONDS);
  }

  /**
   * @throws 401 for a token that is forged or older than 24 hours, or whose call ended at least 15 minutes ago;
   *   taken_over if the resume link of the call was opened on another device since
   */
  async verify(token: string): Promise<CustomerIdentity> {
    return this.verifyCall(this.verifySignature(token));
  }

  /** The part of verify that needs the database, for a token whose signature has been verified. @throws 401 as verify */
  async verifyCall({
    tenant_id,
    call_id,
    device,
    expires_at: signed,
  }: SignedCustomer): Promise<CustomerIdentity> {
    const expiresAt = signed.getTime();
    // The same clock as that of the expiry time in the token.
    if (Date.now() >= expiresAt) throw invalidToken('token_expired');
    const call = await this.calls.run(tenant_id, call_id);
    const latest = call?.ended_at ? endOfAccess(call.ended_at) : Infinity;
    if (!call || this.clock.now().getTime() >= latest) {
      throw unauthenticated('The call of this token has ended.', 'token_expired');
    }
    if (device < call.customer_device) throw takenOver();
    const is_in_progress = isInProgress(call.status);
    const expires_at = new Date(Math.min(expiresAt, latest));
    return { tenant_id, call_id, device, expires_at, is_in_progress };
  }

  private async readCalls(tenantId: string, callIds: string[]): Promise<(CallRow | undefined)[]> {
    const [rows] = await this.database.readTenant<[CallRow]>(tenantId, [
      {
        text: 'SELECT id, ended_at, status, customer_device FROM calls WHERE tenant_id = $1 AND id = ANY ($2)',
        values: [tenantId, callIds],
      },
    ]);
    const calls = new Map(rows.map((call) => [call.id, call]));
    return callIds.map((id) => calls.get(id));
  }

  /**
   * Checks the signature alone, without the database. For rating this is enough: a token stays valid for it long after
   * its call has ended.
   * @throws 401 when it is forged or expired
   */
  verifySignature(token: string): SignedCustomer {
    const { sub, tid, dev = 0, iat, exp } = this.read(token);
    const expires_at = new Date(Math.min(exp, iat + MAX_TTL_SECONDS) * 1000);
    return { tenant_id: tid, call_id: sub, device: dev, expires_at };
  }

  private read(token: string): CustomerClaims {
    try {
      return this.tokens.verify<CustomerClaims>('customer', token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw invalidToken(error.code);
    }
  }
}

const takenOver = () =>
  unauthenticated('The call was continued on another device, by its resume link.', 'taken_over');

const invalidToken = (code: TokenError['code']) =>
  unauthenticated('The websocket_token is not valid or has expired.', code);
