import { AsyncLocalStorage } from 'node:async_hooks';

/** A member of staff. */
export interface Actor {
  tenant_id: string;
  user_id: string;
}

/** The HTTP request or socket message that the running code handles. */
export interface RequestContext {
  /** Included in every log line that the request causes. */
  readonly request_id: string;
  /** The client's address, according to TRUST_PROXY. */
  readonly address: string | null;
  /** The member of staff who sent the request, once authenticated; undefined for customers. */
  actor?: Actor | undefined;
  /** How it waits for a database connection (PoolAdmission): `reserved` for a call in progress, `public` without a user. */
  connection?: 'public' | 'reserved' | undefined;
}

/** The context of the current request. Jobs and sweepers run without one. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Sets how the current request waits for a database connection. */
export function setConnectionKind(connection: RequestContext['connection']): void {
  const context = requestContext.getStore();
  if (context) context.connection = connection;
}

/** Runs work that a request has caused but does not wait for: it waits for a connection as background work does. */
export function runAsBackgroundWork<T>(work: () => T): T {
  const context = requestContext.getStore();
  return context ? requestContext.run({ ...context, connection: undefined }, work) : work();
}

/** Sets the actor of the current request after authentication. */
export function setActor({ tenant_id, user_id }: Actor): void {
  const context = requestContext.getStore();
  if (context) context.actor = { tenant_id, user_id };
}
