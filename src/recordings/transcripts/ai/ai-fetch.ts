import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AiFailure, unreachable } from './ai-failure';
import { multipartBody } from './multipart-body';

/** Bytes of an answer that are read at the most; the longest honest one is far smaller. */
const MOST_ANSWER_BYTES = 10 * 1024 * 1024;

/** What the client likes to tell of the machine that it runs on. */
const TELLTALE = /^x-stainless-/;

/** Statuses whose answer has no content (Fetch Standard, 2.2.3). */
const WITHOUT_CONTENT = [204, 205, 304];

/**
 * The `fetch` of the provider's client. Node's own would end every wait for an answer after five minutes, follow
 * redirects with the recording, and read an endless answer to its end. A connection serves one request.
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
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', (error) => reject(unreachable(error)));
  });
  // A server may answer and hang up before it has read everything: then its answer counts.
  void pipeline(Readable.fromWeb(content.stream()), request).catch(() => {});
  return responseOf(await answered);
}

function prepare({ body, headers }: RequestInit): { headers: Record<string, string>; content: Blob } {
  const form = body instanceof FormData ? multipartBody(body) : undefined;
  const content = form?.content ?? new Blob(typeof body === 'string' ? [body] : []);
  const kept = [...new Headers(headers)].filter(([name]) => !TELLTALE.test(name));
  return {
    headers: {
      ...Object.fromEntries(kept),
      ...(form ? { 'content-type': form.type } : {}),
      'content-length': String(content.size),
    },
    content,
  };
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ]);
  const body = WITHOUT_CONTENT.includes(status) ? null : ReadableStream.from(frugally(message));
  return new Response(body, { status, headers });
}

async function* frugally(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_ANSWER_BYTES) throw new AiFailure('invalid_answer', 'too large');
      yield new Uint8Array(chunk);
    }
  } catch (error) {
    throw error instanceof AiFailure ? error : unreachable(error);
  }
}
