import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that the running code works for; every log line it causes carries it. */
export const requestContext = new AsyncLocalStorage<{ request_id: string }>();
