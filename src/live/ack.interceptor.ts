import { randomUUID } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { EMPTY, lastValueFrom, type Observable, of } from 'rxjs';
import { SpanKind } from '@opentelemetry/api';
import { SessionStateCache } from '../identity/sessions/session-state-cache';
import { mfaEnrolmentRequired } from '../identity/access/mfa-enrolment-required';
import { RESERVED_CONNECTION } from '../platform/access/access.decorators';
import { routeMetadata } from '../platform/access/route-metadata';
import { unauthenticated } from '../platform/http/errors/api-error';
import { toApiError } from '../platform/http/errors/to-api-error';
import { type RequestContext, requestContext } from '../platform/logging/request-context';
import { type SpanDescription, traced } from '../platform/tracing/tracer';
import { TOO_MANY_EVENTS } from './limits/event-limiter';
import { connectionKindOf, hasExpired } from './socket-authentication';
import { MAX_STATE_AGE_MS } from './signals/call-state-cache';
import type { Ack, LiveSocket } from './socket.types';

/** The only event that a socket with an expired token may send. */
const RENEWAL_EVENT = 'authenticate';

/**
 * Acknowledges every client event, including failures, after checking that the sender's session is still valid. A few
 * events of a socket are handled at a time; further ones wait, and are dropped when the socket is closed. Each event has
 * a request context of its own for logs and the audit log.
 */
@Injectable()
export class AckInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Socket');

  constructor(private readonly sessions: SessionStateCache) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<Ack>> {
    const ws = context.switchToWs();
    const socket = ws.getClient<LiveSocket>();
    const pattern = ws.getPattern();
    const { queue, signals } = socket.data;
    if (!queue || !signals || queue.isFull || signals.isFull) return of(TOO_MANY_EVENTS);
    const handle = async () => {
      // The socket was closed while the event waited in the queue.
      if (socket.disconnected) return undefined;
      return requestContext.run(contextOf(socket, isReserved(context)), () =>
        traced(spanOf(pattern, socket), async (span) => {
          const answer = await this.answer(socket, pattern, next);
          if (!answer.ok) span.setAttributes({ 'error.type': answer.error.code });
          return answer;
        }),
      );
    };
    const ack = await (pattern === 'signal' ? signals.run(() => queue.run(handle)) : queue.run(handle));
    return ack ? of(ack) : EMPTY;
  }

  private async answer(socket: LiveSocket, pattern: string, next: CallHandler<unknown>): Promise<Ack> {
    try {
      await this.ensureSessionValid(socket, pattern);
      const data = await lastValueFrom(next.handle());
      return data === undefined ? { ok: true } : { ok: true, data };
    } catch (error) {
      return this.failureAck(error);
    }
  }

  /** Revoked sessions and changed roles take effect on open sockets. */
  private async ensureSessionValid(socket: LiveSocket, pattern: string): Promise<void> {
    const { data } = socket;
    await data.opening;
    if (pattern === RENEWAL_EVENT) return;
    if (hasExpired(socket)) throw unauthenticated('Renew the token with authenticate.', 'token_expired');
    if (data.kind !== 'staff') return;
    const { user_id, tenant_id, session_id } = data.user;
    const claims = { sub: user_id, tid: tenant_id, sid: session_id };
    const user = await this.sessions.getState(claims, pattern === 'signal' ? MAX_STATE_AGE_MS : undefined);
    if (user.must_enrol) throw mfaEnrolmentRequired();
    data.user = user;
  }

  private failureAck(error: unknown): Ack {
    const failure = toApiError(error);
    if (failure.getStatus() >= 500) this.logger.error(error);
    const { code, detail, fields } = failure;
    const problems = Object.entries(fields ?? {}).map(
      ([field, problem]) => `${field}: ${problem.join(', ')}`,
    );
    return { ok: false, error: { code, detail: [detail, ...problems].join(' ') } };
  }
}

const spanOf = (pattern: string, { data }: LiveSocket): SpanDescription => ({
  name: `socket ${pattern}`,
  kind: SpanKind.SERVER,
  attributes: { 'vcq.socket.kind': data.kind },
  // It begins a trace: the code that reads the connection may still have the context of an earlier request.
  carrier: {},
});

const isReserved = (context: ExecutionContext): boolean =>
  routeMetadata<boolean>(context, RESERVED_CONNECTION) === true;

/** The context of an event. @param isReserved whether it may use the reserved database connections */
export function contextOf({ data }: LiveSocket, isReserved: boolean): RequestContext {
  const actor = data.kind === 'staff' ? data.user : undefined;
  const other = data.kind === 'staff' ? undefined : 'public';
  const connection = isReserved ? connectionKindOf(data) : other;
  return { request_id: randomUUID(), address: data.address ?? null, actor, connection };
}
