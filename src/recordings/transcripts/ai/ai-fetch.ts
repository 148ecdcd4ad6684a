import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AiError, connectionError } from './ai-error';
import { encodeMultipart } from './multipart-body';

/** Far larger than any valid response. */
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** Headers in which the openai client describes this machine; they are not sent. */
const PLATFORM_HEADERS = /^x-stainless-/;

/** Statuses whose response has no body (Fetch Standard, 2.2.3). */
const NULL_BODY_STATUSES = [204, 205, 304];

/**
 * The `fetch` of the openai client. Unlike Node's own, it has no response timeout of five minutes, does not follow
 * redirects with the recording, and limits the size of the response. Each request has its own connection.
 * @throws AiError `unreachable`; reading the body throws it too, or `invalid_answer` for too large a body
 */
export async function aiFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const { headers, content } = prepare(init);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: init.method,
    headers,
    agent: false,
    signal: init.signal ?? undefined,
  });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', (error) => reject(connectionError(error)));
  });
  // A server may respond and hang up before it has read the whole request: its response still counts.
  void pipeline(Readable.fromWeb(content.stream()), request).catch(() => {});
  return toResponse(await responded);
}

function prepare({ body, headers }: RequestInit): { headers: Record<string, string>; content: Blob } {
  const form = body instanceof FormData ? encodeMultipart(body) : undefined;
  const content = form?.content ?? new Blob(typeof body === 'string' ? [body] : []);
  const kept = [...new Headers(headers)].filter(([name]) => !PLATFORM_HEADERS.test(name));
  return {
    headers: {
      ...Object.fromEntries(kept),
      ...(form ? { 'content-type': form.type } : {}),
      'content-length': String(content.size),
    },
    content,
  };
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ]);
  const body = NULL_BODY_STATUSES.includes(status) ? null : ReadableStream.from(limitedBody(message));
  return new Response(body, { status, headers });
}

async function* limitedBody(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) throw new AiError('invalid_answer', 'too large');
      yield new Uint8Array(chunk);
    }
  } catch (error) {
    throw error instanceof AiError ? error : connectionError(error);
  }
}
