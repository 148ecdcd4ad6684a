import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema';
import { ApiError } from './api-error';
import { readError } from './read-error';

export type Api = Client<paths>;
export type { components, paths } from './schema';
export { ApiError };

export interface ApiOptions {
  /** The origin of the service; by default the page's. */
  url?: string;
  /** The Bearer token, read on every request; null without one. */
  token?: () => string | null;
  /** How long a request may take; without it, as long as the browser allows. */
  timeoutMs?: number;
  fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
}

/** `await unwrap(api.GET('/api/v1/call/{token}/validate', { params: { path: { token } } }))` */
export function createApi({ url = '', token, timeoutMs, fetch = globalThis.fetch }: ApiOptions = {}): Api {
  const limited = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs ?? 0) });
  const client = createClient<paths>({ baseUrl: url, fetch: timeoutMs === undefined ? fetch : limited });
  client.use({
    onRequest({ request }) {
      const bearer = token?.();
      if (bearer && !request.headers.has('authorization'))
        request.headers.set('authorization', `Bearer ${bearer}`);
      return request;
    },
    onError: () => new ApiError({ code: 'network', detail: 'The service was not reached.' }),
  });
  return client;
}

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @returns the body of a successful answer; throws an ApiError otherwise */
export async function unwrap<Data>(request: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await request;
  if (!response.ok) throw readError(error, response.status, response.headers);
  return data as Data;
}
