import { pipeline } from 'node:stream/promises';
import { applyDecorators, Logger } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { ApiError } from '../platform/http/errors/api-error';
import { DISCONNECT_CODES } from '../files/downloads/send-object';

/** A transfer without progress is aborted after this time. */
const STALL_TIMEOUT_MS = 60_000;

type Rows = AsyncGenerator<Buffer, void>;

/**
 * Streams CSV (RFC 4180). Headers are sent with the first chunk, so an error before it gets a regular error response;
 * an error after it breaks the connection, so that the client does not take a part for the whole. HEAD reads no rows.
 * @param open starts reading the rows; its signal aborts when the client disconnects or the transfer stalls
 * @throws the error of the rows; 503 when the first chunk does not arrive in time
 */
export async function sendCsv(
  request: Request,
  response: Response,
  filename: string,
  open: (signal: AbortSignal) => Rows,
  stallTimeoutMs = STALL_TIMEOUT_MS,
): Promise<void> {
  if (request.method === 'HEAD') return void response.set(headersOf(filename)).end();
  // The client disconnected while guards were running, and 'close' has been emitted.
  if (response.destroyed) return;
  const transfer = new AbortController();
  response.once('close', () => transfer.abort(disconnected()));
  const stall = setTimeout(() => abortStalled(response, transfer), stallTimeoutMs);
  const rows = open(transfer.signal);
  try {
    const first = await rows.next();
    response.set(headersOf(filename));
    await pipeline(withStallTimer(first, rows, stall), response);
  } catch (error) {
    if (!isDisconnect(error)) throw error;
  } finally {
    clearTimeout(stall);
    await rows.return();
  }
}

/** Documents the response of sendCsv. */
export function ApiCsv(description: string): MethodDecorator {
  return applyDecorators(
    ApiOkResponse({
      description: `${description}. RFC 4180 with a header. What a spreadsheet could take for a formula, at the beginning of a text, or after a semicolon or a line break, gets an apostrophe; phone numbers keep their +`,
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
  );
}

const headersOf = (filename: string) => ({
  'Content-Type': 'text/csv; charset=utf-8; header=present',
  'Content-Disposition': contentDisposition(filename),
  'Cache-Control': 'private, no-store',
});

const disconnected = () =>
  Object.assign(new Error('The client has disconnected.'), { code: DISCONNECT_CODES[0] });

/** The rows and the response may each report the disconnect, in an AggregateError. */
function isDisconnect(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isDisconnect);
  return DISCONNECT_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** All rows; the timer restarts with every chunk that the response accepts. */
async function* withStallTimer(first: IteratorResult<Buffer, void>, rows: Rows, stall: NodeJS.Timeout): Rows {
  if (!first.done) yield first.value;
  for await (const chunk of rows) {
    stall.refresh();
    yield chunk;
  }
}

function abortStalled(response: Response, transfer: AbortController): void {
  new Logger('Csv').warn('A CSV transfer was aborted because it made no progress.');
  if (response.headersSent) response.destroy();
  else
    transfer.abort(
      new ApiError(503, 'unavailable', 'The rows did not arrive in time. Try again in a moment.'),
    );
}
