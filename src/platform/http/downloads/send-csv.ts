import { pipeline } from 'node:stream/promises';
import { applyDecorators, Logger } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { ApiError } from '../errors/api-error';
import { HUNG_UP } from './send-object';

/** Milliseconds in which at least something has to move. */
const LONGEST_STALL = 60_000;

type Rows = AsyncGenerator<Buffer, void>;

/**
 * Sends CSV (RFC 4180) as it comes. Nothing is said before its first chunk, so that what fails until then is answered as
 * any failure; what fails later breaks the connection, so that no part is taken for the whole. HEAD opens nothing.
 * @param open begins the rows; its signal aborts when the client goes away or nothing moves
 * @throws what the rows throw; 503 when they do not begin in time
 */
export async function sendCsv(
  request: Request,
  response: Response,
  filename: string,
  open: (signal: AbortSignal) => Rows,
  longestStall = LONGEST_STALL,
): Promise<void> {
  if (request.method === 'HEAD') return void response.set(headersOf(filename)).end();
  // Gone while it was found out whether they may: 'close' does not come again.
  if (response.destroyed) return;
  const transfer = new AbortController();
  response.once('close', () => transfer.abort(hungUp()));
  const stall = setTimeout(() => cutOff(response, transfer), longestStall);
  const rows = open(transfer.signal);
  try {
    const first = await rows.next();
    response.set(headersOf(filename));
    await pipeline(moving(first, rows, stall), response);
  } catch (error) {
    if (!isHangUp(error)) throw error;
  } finally {
    clearTimeout(stall);
    await rows.return();
  }
}

/** Documents what sendCsv answers. */
export function ApiCsv(description: string): MethodDecorator {
  return applyDecorators(
    ApiOkResponse({
      description: `${description}. RFC 4180 with a header; a cell that begins as a formula does has an apostrophe before it`,
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
  );
}

const headersOf = (filename: string) => ({
  'Content-Type': 'text/csv; charset=utf-8; header=present',
  'Content-Disposition': contentDisposition(filename),
  'Cache-Control': 'private, no-store',
});

const hungUp = () => Object.assign(new Error('The client has hung up.'), { code: HUNG_UP[0] });

/** Rows and answer may each say in their own way that the client is gone. */
function isHangUp(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isHangUp);
  return HUNG_UP.includes((error as NodeJS.ErrnoException).code ?? '');
}

async function* moving(first: IteratorResult<Buffer, void>, rows: Rows, stall: NodeJS.Timeout): Rows {
  if (!first.done) yield first.value;
  for await (const chunk of rows) {
    stall.refresh();
    yield chunk;
  }
}

function cutOff(response: Response, transfer: AbortController): void {
  new Logger('Csv').warn('A CSV was cut off: nothing has moved for too long.');
  if (response.headersSent) response.destroy();
  else
    transfer.abort(new ApiError(503, 'unavailable', 'The rows did not come in time. Try again in a moment.'));
}
