import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { audienceOf, CustomerTokens, type SignedCustomer } from '../calls/customer/customer-tokens';
import { SessionStateCache } from '../identity/sessions/session-state-cache';
import { mfaEnrolmentRequired } from '../identity/access/mfa-enrolment-required';
import { ApiError, tooManyRequests, unauthenticated } from '../platform/http/errors/api-error';
import { toApiError } from '../platform/http/errors/to-api-error';
import { type RequestContext, requestContext } from '../platform/logging/request-context';
import { ConnectionAttempts } from './adapter/connection-attempts';
import { type OwnerKey, SocketOwners } from './limits/socket-owners';
import { rooms } from './rooms';
import { readPageSession } from './signals/page-session';
import type { CustomerData, LiveSocket, StaffData } from './socket.types';

/** How long an open socket is kept after its token has expired, so that the client can renew it. */
const RENEWAL_GRACE_MS = 60_000;
/** How long before the expiry an open socket is told of it; of a token that lasts less than twice as long, after half of it. */
const NOTICE_MS = 60_000;

/** A token whose signature has been verified. */
type SignedToken =
  | { kind: 'customer'; customer: SignedCustomer }
  | { kind: 'staff'; claims: ReturnType<SessionStateCache['verifyAccessToken']> };

/** Authenticates sockets: customers by websocket_token, staff by access token. */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly sessions: SessionStateCache,
    private readonly customerTokens: CustomerTokens,
    private readonly attempts: ConnectionAttempts,
    private readonly owners: SocketOwners,
  ) {}

  /** Socket.IO middleware: rejects a connection with an error whose `data` has the code. */
  readonly middleware = (socket: LiveSocket, next: (error?: Error) => void): void => {
    const address = this.attempts.addressOf(socket.request);
    // One short read, after the signature was verified. Whether the call is in progress is not known before.
    const context: RequestContext = { request_id: randomUUID(), address, connection: 'reserved' };
    requestContext
      .run(context, () => this.connect(socket))
      .then((data) => {
        this.attempts.release(socket.request);
        socket.data = { ...data, address };
        next();
      })
      .catch((error: unknown) => this.refuse(socket, toApiError(error), next));
  };

  private refuse(socket: LiveSocket, failure: ApiError, next: (error: Error) => void): void {
    // An outage of the database must not lock out the clients behind one address.
    if (failure.getStatus() >= 500) this.attempts.release(socket.request);
    this.countRefusal(socket, failure);
    // After a closed transport the client connects again by itself, later and later.
    if (failure.getStatus() === 429) socket.conn.close(true);
    else next(connectError(failure));
  }

  /** Refused tokens and sockets count for the client's address, so that it can be rejected before its handshake. */
  private countRefusal(socket: LiveSocket, failure: ApiError): void {
    if ([401, 429].includes(failure.getStatus()) && !this.attempts.fail(socket.request))
      socket.conn.close(true);
  }

  /**
   * @throws 401; 422 for an invalid session; 429 if too many sockets of the call or user connect. The last two are known
   *   before the database is read
   */
  private async connect(socket: LiveSocket): Promise<(StaffData | CustomerData) & { page_session: string }> {
    const signed = this.verifySignature(tokenOf(socket));
    const { session } = (socket.handshake.auth ?? {}) as { session?: unknown };
    const page_session = readPageSession(session) ?? socket.id;
    if (!this.owners.admit(ownerOf(signed))) throw tooManyRequests(1);
    return { ...(await this.identify(signed)), page_session };
  }

  /** @throws 401 */
  private async authenticate(token: string): Promise<StaffData | CustomerData> {
    return this.identify(this.verifySignature(token));
  }

  /** @throws 401 */
  private verifySignature(token: string): SignedToken {
    return audienceOf(token) === 'customer'
      ? { kind: 'customer', customer: this.customerTokens.verifySignature(token) }
      : { kind: 'staff', claims: this.sessions.verifyAccessToken(token) };
  }

  /** @throws 401 */
  private async identify(signed: SignedToken): Promise<StaffData | CustomerData> {
    if (signed.kind === 'customer') {
      const { expires_at, ...customer } = await this.customerTokens.verifyCall(signed.customer);
      return { kind: 'customer', customer, expires_at: expires_at.getTime(), notice_ms: NOTICE_MS };
    }
    const { claims } = signed;
    const user = await this.sessions.getState(claims);
    if (user.must_enrol) throw mfaEnrolmentRequired();
    const lifetimeMs = (claims.exp - claims.iat) * 1000;
    const notice_ms = Math.min(NOTICE_MS, lifetimeMs / 2);
    return { kind: 'staff', user, expires_at: claims.exp * 1000, notice_ms };
  }

  /** Replaces an open socket's token by one of the same user or call. @throws 401 */
  async renew(socket: LiveSocket, token: string): Promise<void> {
    const data = await this.authenticate(token).catch((error: unknown) => {
      this.countRefusal(socket, toApiError(error));
      throw error;
    });
    const current = socket.data;
    const isSame =
      (data.kind === 'staff' && current.kind === 'staff' && data.user.user_id === current.user.user_id) ||
      (data.kind === 'customer' &&
        current.kind === 'customer' &&
        data.customer.call_id === current.customer.call_id);
    if (!isSame) throw unauthenticated('The token belongs to another user or call.', 'token_invalid');
    current.expires_at = data.expires_at;
    current.notice_ms = data.notice_ms;
    if (data.kind === 'customer' && current.kind === 'customer') {
      current.customer.is_in_progress ||= data.customer.is_in_progress;
    }
    if (data.kind !== 'staff' || current.kind !== 'staff') return;
    // From now on the socket belongs to the new token's session.
    await socket.leave(rooms.session(current.user.session_id));
    current.user = data.user;
    await socket.join(rooms.session(data.user.session_id));
  }
}

/** Whether the socket's token has expired: only its renewal is accepted then. */
export const hasExpired = (socket: LiveSocket): boolean => Date.now() >= socket.data.expires_at;

/** Whether the socket's token expires soon, which the socket has not been told yet. */
export const isExpiryToTell = ({ data }: LiveSocket): boolean =>
  data.hasSnapshot === true &&
  data.told_expiry !== data.expires_at &&
  Date.now() >= data.expires_at - data.notice_ms;

/** Whether the time to renew an expired token is over. */
export const isRenewalOverdue = (socket: LiveSocket): boolean =>
  Date.now() >= socket.data.expires_at + RENEWAL_GRACE_MS;

/**
 * How an authenticated socket waits for the database. Staff and the customers of calls in progress use the reserved
 * connections; waiting customers, of whom there can be thousands, those of public requests. No customer holds a connection
 * while they wait for a lock.
 */
export function connectionKindOf(data: LiveSocket['data']): RequestContext['connection'] {
  if (data.kind === 'staff') return 'reserved';
  return data.customer.is_in_progress ? 'public_reserved' : 'public';
}

/** The context in which an authenticated socket connects. */
export function connectContextOf({ data }: LiveSocket): RequestContext {
  return { request_id: randomUUID(), address: data.address ?? null, connection: connectionKindOf(data) };
}

const ownerOf = (signed: SignedToken): OwnerKey =>
  signed.kind === 'customer' ? `call ${signed.customer.call_id}` : `user ${signed.claims.sub}`;

/** Standard clients differ in where they can put a token; the first place that has one counts. */
function tokenOf({ handshake: { auth, query, headers } }: LiveSocket): string {
  const { token, websocket_token } = (auth ?? {}) as { token?: unknown; websocket_token?: unknown };
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const places = [token, websocket_token, query.token, bearer];
  return places.find((place): place is string => typeof place === 'string' && place !== '') ?? '';
}

function connectError({ code, detail }: ApiError): Error {
  return Object.assign(new Error(detail), { data: { code, detail } });
}
