import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The response as sent: `fetch` adds headers, normalises the path and decodes the body. */
export async function rawRequest(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }> {
  const sent = request(url, { path, headers, method }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
