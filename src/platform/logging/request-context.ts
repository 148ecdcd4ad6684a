import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** A member of staff. */
export interface Actor {
  tenant_id: string;
  user_id: string;
}

/** The HTTP request or socket message that the running code handles, or the job that acts for a user. */
export interface RequestContext {
  /** Included in every log line that the request causes. */
  readonly request_id: string;
  /** The client's address, according to TRUST_PROXY. */
  readonly address: string | null;
  /** The member of staff who sent the request, once authenticated; undefined for customers. */
  actor?: Actor | undefined;
  /** Aborted once the client of an HTTP request has left. */
  readonly signal?: AbortSignal;
  /**
   * How it waits for the database (PoolAdmission): `reserved` for a call in progress, `public` without a user, `public_reserved` for
   * a call in progress without a user.
   */
  connection?: 'public' | 'reserved' | 'public_reserved' | undefined;
  /** When a request without a user stops waiting for the database, by `performance.now`; set with its first connection. */
  public_deadline?: number | undefined;
  /** Whether a job acts for the user (`runJobFor`): no request waits for it. */
  readonly isJob?: boolean;
}

/** The context of the current request. Most jobs and sweepers run without one. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Aborted once the client of the current request has left; undefined for anything but HTTP requests. */
export const clientSignal = (): AbortSignal | undefined => requestContext.getStore()?.signal;

/** Sets how the current request waits for a database connection. */
export function setConnectionKind(connection: RequestContext['connection']): void {
  const context = requestContext.getStore();
  if (context) context.connection = connection;
}

/** How background work uses the database. */
interface BackgroundWork {
  /** Whether it belongs to calls in progress, so that it may use the connections reserved for them. */
  readonly isReserved?: boolean;
  /** Whether its statements may take minutes. */
  readonly isLong?: boolean;
}

const backgroundWork = new AsyncLocalStorage<BackgroundWork>();

/** How the current request or background work waits for a database connection (PoolAdmission). */
export function currentConnectionKind(): RequestContext['connection'] | 'reserved_background' {
  if (backgroundWork.getStore()?.isReserved) return 'reserved_background';
  return requestContext.getStore()?.connection;
}

/** Whether the running code handles a request or socket event without a user. */
export const isPublicRequest = (): boolean =>
  ['public', 'public_reserved'].includes(currentConnectionKind() ?? '');

/** Gives a public request its full time to wait again, after it has received a body for as long as its client needed. */
export function restartPublicTime(): void {
  const context = requestContext.getStore();
  if (context) context.public_deadline = undefined;
}

/** Whether statements of the current work may take minutes: those of jobs and of an operator's commands. */
export function isLongWork(): boolean {
  const context = requestContext.getStore();
  const isRequest = context !== undefined && !context.isJob;
  return !isRequest && backgroundWork.getStore()?.isLong === true;
}

/** Runs work that a request has caused but does not wait for: it waits for a connection as background work does. */
export function runAsBackgroundWork<T>(work: () => T): T {
  const context = requestContext.getStore();
  const run = () =>
    context ? requestContext.run({ ...context, signal: undefined, connection: undefined }, work) : work();
  return backgroundWork.run({ ...backgroundWork.getStore(), isReserved: false }, run);
}

/**
 * Runs work whose result several requests wait for: it waits for a connection as the current one does, and goes on when the
 * client of that one leaves.
 */
export function runShared<T>(work: () => T): T {
  const context = requestContext.getStore();
  return context ? requestContext.run({ ...context, signal: undefined }, work) : work();
}

/** Runs work for calls in progress that no request waits for. It may use the connections reserved for them. */
export function runAsReservedBackgroundWork<T>(work: () => T): T {
  return backgroundWork.run({ ...backgroundWork.getStore(), isReserved: true }, work);
}

/** Runs work of the service itself: no change of it is attributed to the member of staff whose request has caused it. */
export function runOutsideOfRequest<T>(work: () => T): T {
  return requestContext.exit(work);
}

/** Runs a job or an operator's command: its statements may take minutes. */
export function runAsLongWork<T>(work: () => T): T {
  return backgroundWork.run({ isLong: true }, work);
}

/** Runs a part of a job for a user: its changes are attributed to them. @param actor undefined if the user is unknown */
export function runJobFor<T>(actor: Actor | undefined, work: () => T): T {
  return requestContext.run({ request_id: randomUUID(), address: null, actor, isJob: true }, work);
}

/** Sets the actor of the current request after authentication. */
export function setActor({ tenant_id, user_id }: Actor): void {
  const context = requestContext.getStore();
  if (context) context.actor = { tenant_id, user_id };
}
