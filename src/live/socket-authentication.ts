import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import proxyAddress from 'proxy-addr';
import { CustomerTokens } from '../calls/customer/customer-tokens';
import { SessionStates } from '../identity/sessions/session-states';
import { mfaEnrolmentRequired } from '../identity/mfa/allowed-while-enrolling';
import { ApiError, unauthenticated } from '../platform/http/errors/api-error';
import { parseIpAddress } from '../platform/text/ip-address';
import { toApiError } from '../platform/http/errors/to-api-error';
import { rooms } from './rooms';
import type { CustomerData, LiveSocket, StaffData } from './socket.types';

/** How long an open socket may go on after its token has run out, to renew it. */
const RENEWAL_MS = 60_000;

type TrustFunction = (address: string, hop: number) => boolean;

/** Finds out who a socket is: a customer by websocket_token, or staff by access token. */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly sessions: SessionStates,
    private readonly customerTokens: CustomerTokens,
    private readonly http: HttpAdapterHost,
  ) {}

  /** Socket.IO middleware: refuses the connection with an error whose data carry the code. */
  readonly middleware = (socket: LiveSocket, next: (error?: Error) => void): void => {
    this.identify(tokenOf(socket))
      .then((data) => {
        socket.data = { ...data, address: this.addressOf(socket) };
        next();
      })
      .catch((error: unknown) => next(refusal(toApiError(error))));
  };

  /** As Express tells it for a request: X-Forwarded-For is believed only from where TRUST_PROXY says. */
  private addressOf({ request }: LiveSocket): string | null {
    const app = this.http.httpAdapter.getInstance<Express>();
    return parseIpAddress(proxyAddress(request, app.get('trust proxy fn') as TrustFunction));
  }

  /** @throws 401 */
  async identify(token: string): Promise<StaffData | CustomerData> {
    if (audienceOf(token) === 'customer') {
      const customer = await this.customerTokens.verify(token);
      return { kind: 'customer', customer, expires_at: customer.expires_at.getTime() };
    }
    const claims = this.sessions.readAccessToken(token);
    const user = await this.sessions.stateOf(claims);
    if (user.must_enrol) throw mfaEnrolmentRequired();
    return { kind: 'staff', user, expires_at: claims.exp * 1000 };
  }

  /** Renews an open socket's token with one of the same person, and the same call. @throws 401 */
  async renew(socket: LiveSocket, token: string): Promise<void> {
    const data = await this.identify(token);
    const current = socket.data;
    const isSame =
      (data.kind === 'staff' && current.kind === 'staff' && data.user.user_id === current.user.user_id) ||
      (data.kind === 'customer' &&
        current.kind === 'customer' &&
        data.customer.call_id === current.customer.call_id);
    if (!isSame) throw unauthenticated('The token belongs to somebody else.', 'token_invalid');
    current.expires_at = data.expires_at;
    if (data.kind !== 'staff' || current.kind !== 'staff') return;
    // The socket lives as long as the session that it goes by now.
    await socket.leave(rooms.session(current.user.session_id));
    current.user = data.user;
    await socket.join(rooms.session(data.user.session_id));
  }
}

/** Whether the socket's token has run out, so that it has to be renewed before anything else. */
export const hasExpired = (socket: LiveSocket): boolean => Date.now() >= socket.data.expires_at;

/** Whether it should have been renewed by now. */
export const isOverdue = (socket: LiveSocket): boolean => Date.now() >= socket.data.expires_at + RENEWAL_MS;

function tokenOf(socket: LiveSocket): string {
  const token = (socket.handshake.auth as { token?: unknown }).token;
  return typeof token === 'string' ? token : '';
}

/** Which of the two a token claims to be for; its verification then proves it. */
function audienceOf(token: string): unknown {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(payload) as { aud?: unknown }).aud;
  } catch {
    return undefined;
  }
}

function refusal({ code, detail }: ApiError): Error {
  return Object.assign(new Error(detail), { data: { code, detail } });
}
