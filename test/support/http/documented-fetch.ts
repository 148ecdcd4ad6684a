import { ensureDocumented } from './contract';

/** `fetch` for specs that need the bytes of a response, which has to be as openapi.json says, too. */
export async function documentedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const text = isJson ? await response.clone().text() : '';
  ensureDocumented(init.method ?? 'GET', new URL(url).pathname, {
    status: response.status,
    headers: response.headers,
    body: text === '' ? '' : JSON.parse(text),
  });
  return response;
}
