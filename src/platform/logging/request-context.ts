import { AsyncLocalStorage } from 'node:async_hooks';

/** A member of staff. */
export interface Actor {
  tenant_id: string;
  user_id: string;
}

/** The HTTP request, or the message of a socket, that the running code works for. */
export interface RequestContext {
  /** Every log line that the request causes carries it. */
  readonly request_id: string;
  /** Where the request comes from, as TRUST_PROXY lets it be told. */
  readonly address: string | null;
  /** Who is asking, once that is known; customers are nobody here. */
  actor?: Actor | undefined;
}

/** Jobs and deadlines run outside of any. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Says who the rest of the request is done by, once it is proven. */
export function setActor({ tenant_id, user_id }: Actor): void {
  const context = requestContext.getStore();
  if (context) context.actor = { tenant_id, user_id };
}
